"""Files that are no edge lists, though lines of them have two fields: refused by name; and edge lists that look odd."""

import io
import random

import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12345\n"
WEB = '10.0.0.1 - - [18/Nov/2026:08:00:01 +0000] "GET / HTTP/1.1" 200 12\n'
MATRIX, LOG, TABLE, CUT = "a whole adjacency matrix", "a log", "table", "ids with spaces in them would be cut up"
DATES, DIGITS, PAGE = "holds dates or times", "has lost its last digits", "a web page"


def random_bits():
    chance = random.Random(1)
    return "\n".join(" ".join(chance.choice("01") for _ in range(3000)) for _ in range(30))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (LFS, "a Git LFS pointer"),
        ("/annex/objects/SHA256E-s1\n", "a git-annex pointer"),
        ("0 1 0\n1 0 1\n0 1 0\n", MATRIX),
        ("0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n", MATRIX),
        (",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", MATRIX),
        ("a b c\na 0 1 0\nb 1 0 1\nc 0 1 0\n", MATRIX),
        (",1,2,3\n1,0,1,0\n2,1,0,1\n3,0,1,0\n", MATRIX),
        ("0 2.5 1\n2.5 0 3\n1 3 0\n", MATRIX),
        (random_bits(), MATRIX),
        ("Nov 18 08:00:01 host CRON[123]: (root) CMD (x)\nNov 18 08:00:02 host sshd[12]: Accepted\n", LOG),
        (WEB + WEB.replace("0.1", "0.2"), LOG),
        ("2026-11-18 08:00:01 INFO started up\n2026-11-18 08:00:02 WARN too many\n", LOG),
        ("2026-11-18 08:00:01,INFO,started\n2026-11-18 08:00:02,WARN,too many\n", DATES),
        ("2026-01-01,5\n2026-01-02,6\n2026-01-03,7\n", DATES),
        ("id,name\n1,Anna\n2,Bob\n3,Carl\n", TABLE),
        ("id,name,age\n1,Anna,3\n2,Bob,4\n", TABLE),
        ("1,Anna\n2,Bob\n3,Carl\n", TABLE),
        ("1\tAnna Smith\n2\tBob Jones\n", TABLE),
        ("user,gender\nu1,f\nu2,m\n", TABLE),
        ("".join(f"{node} {node % 7}\n" for node in range(200)), TABLE),
        ("".join(f"{node} 99999\n" for node in range(60)), TABLE),
        ("".join(f"a{node} b{node}\n" for node in range(20)), TABLE),
        ("2.25071E+11,2.25072E+11\n2.25073E+11,2.25071E+11\n", DIGITS),
        ("caller;callee\n2,25071E+11;2,25072E+11\n", DIGITS),
        ("caller,callee\n22507,2.25072E+11\n22507,22508\n", DIGITS),
        ("+225 07 01 02 03 +225 05 06 07 08\n+225 07 01 02 04 +225 05 06 07 08\n", CUT),
        ("+225 0701020304\n+225 0701020305\n", CUT),
        ("07 01 02 03 04 05 06 07 08 09\n07 01 02 03 05 05 06 07 08 09\n", CUT),
        ("Anna Smith Bob Jones\nBob Jones Carl Lee\nCarl Lee Anna Smith\n", CUT),
        ("<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n", PAGE),
        ("<?xml version='1.0'?>\n<Error><Code>AccessDenied</Code></Error>", "XML with the root <error>"),
        ("<config>\n<a x='1'/>\n<b x='2'/>\n", "XML with the root <config>"),
        (b"%PDF-1.4\n1 0 obj\n", "a PDF document"),
        (b"SQLite format 3\x00\x10\x00", "an SQLite database"),
        (b"\x80\x04\x95\x10\x00\x00", "a pickle of Python"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Office document"),
        (b"\x93NUMPY\x01\x00v\x00{'descr'", "an array of numpy"),
        ("INSERT INTO edges VALUES (1,2);\nINSERT INTO edges VALUES (2,3);\n", "database statements"),
        ("p cnf 3 2\n1 -3 0\n2 3 -1 0\n", "a formula in DIMACS"),
        ("name: thinveil\nversion: 1\nauthor: me\n", "settings or a program"),
        ("import os\nimport sys\ndef main():\n    print('hello world', 1)\n", "settings or a program"),
        ("1 2\n1 2 3 4\n3 4 5\n3 5 6 7 8\n4 1 2\n", "lines have between 2 and 5 columns"),
        ("0.5 0.7\n0.1 0.2\n0.3 0.4\n", "a fraction and no node id"),
    ],
)
def test_refused_by_name(content, expected):
    with pytest.raises(GraphFileError) as caught:
        read_graph(io.BytesIO(content.encode() if isinstance(content, str) else content))
    assert expected in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("person,friend\nanna,bob\nbob,carl\n", ["anna", "bob", "carl"]),
        ("person,friend,since\nanna,bob,2020\nbob,carl,2021\n", ["anna", "bob", "carl"]),
        ("ego alter\nx1 x2\nx2 x3\n", ["x1", "x2", "x3"]),
        ("personne,copain\nP1,P2\nP2,P3\nP3,P1\n", ["P1", "P2", "P3"]),
        ("a,b\nanna,bob\nbob,carl\n", ["anna", "bob", "carl"]),
        ("a,b\nb,c\nc,a\n", ["a", "b", "c"]),  # a header of letters, or a graph of them: b comes again
        ("u v\nv w\nw u\n", ["u", "v", "w"]),
        ("user1,user2\nuser3,user1\n", ["user1", "user2", "user3"]),
        ("1 2 5\n2 3 1\n3 1 2\n", [1, 2, 3]),
        ("0 1 1\n1 2 1\n2 0 1\n", [0, 1, 2]),
        ("+225 07 01 02 03,+225 05 06 07 08\n", ["+225 05 06 07 08", "+225 07 01 02 03"]),
        ("% sym\n1 2 1 1082008561\n1 3 1 1082008562\n2 3 1 1082008563\n", [1, 2, 3]),
        ("1,B00\n1,B01\n2,B00\n", ["1", "2", "B00", "B01"]),
        ("5 0\n6 0\n7 0\n8 0\n", [0, 5, 6, 7, 8]),
        ("anna bob likes\nbob carl hates\ncarl anna likes\n", ["anna", "bob", "carl"]),
        ("#\n# Directed\n#\n1 2\n2 3\n", [1, 2, 3]),
        ("# x\n" * 1000 + "1 2\n2 3\n", [1, 2, 3]),
        ("1e5 2f\n2f 3a\n3a 1e5\n", ["1e5", "2f", "3a"]),
        ("{550e},{aa}\n{aa},{bb}\n", ["{550e}", "{aa}", "{bb}"]),
    ],
)
def test_odd_edge_lists_are_read(content, labels):
    graph = read_graph(io.BytesIO(content.encode()))
    assert [graph.label(node) for node in range(graph.node_count)] == labels


def test_a_user_who_names_columns_is_believed():
    graph = read_graph(io.BytesIO(b"2026-01-01,a,b\n2026-01-02,b,c\n"), source=1, target=2)
    assert graph.labels.tolist() == ["a", "b", "c"]
    tree = "".join(f"{node},{node // 20}\n" for node in range(1, 200))
    assert read_graph(io.BytesIO(f"child,parent\n{tree}".encode())).edge_count == 199
    assert read_graph(io.BytesIO(tree.encode()), source=0, target=1).edge_count == 199


@pytest.mark.parametrize("content", ["1" * 100_000, "a" + " " * 100_000 + "b,c\n", "\n" * 100_000, "/**/" * 20_000])
def test_long_lines_take_no_time(content):
    with pytest.raises(GraphFileError):
        read_graph(io.BytesIO(content.encode()))
