"""Files whose columns of ids hold something else, or have something else beside them, are refused and not misread."""

import io
import random

import pytest

from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

_CHANCE = random.Random(1)
NUMBERS = [(_CHANCE.randrange(40), _CHANCE.randrange(40)) for _ in range(193)]
NAMES = [(f"N{a:02}", f"N{b:02}") for a, b in NUMBERS]


def lines(form, pairs, head=""):
    written = (form.format(*pair, k=k, time=1_700_000_000 + 61 * k, w=k % 5) for k, pair in enumerate(pairs))
    return head + "".join(f"{line}\n" for line in written)


def read(text, **options):
    return read_graph(io.BytesIO(text.encode()), **options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source,target\n#1,#2\n#2,#3\n@x,#1\n", "stands among the edges"),
        (lines("{},{}", NAMES[:20], "source,target\n") + "%eve,N01\n", "stands among the edges"),
        (lines("{},knows,{}", NUMBERS), "column 1 .'knows'"),
        (lines("{} knows {}", NAMES), "column 1 .'knows'"),
        (lines("sms,{},{}", NUMBERS), "column 0 .'sms'"),
        (lines("{} ~ {}", NUMBERS), "column 1 .'~'"),
        (lines("{} - {}", NUMBERS), "column 1 .'-'"),
        (lines("{time},{},{}", NUMBERS), "column 0 .'1700000000'"),
        (lines("{k},{},{}", NUMBERS), "column 0 .'0'"),
        (lines("({}, {})", NUMBERS), "in brackets"),
        (lines("('{}', '{}')", NAMES), "in brackets"),
        (lines("- [{}, {}]", NUMBERS), "in brackets"),
        (lines('"{k}" "{}" "{}"', NAMES, '"from" "to"\n'), "the header has 2 names, .* 3 columns"),
        (2 * lines("{},{}", NAMES[:50], "caller,callee\n"), "the header stands again"),
        (lines("{},{}", NAMES, "caller,callee\n") + "N01,?\n", "the target id is missing"),
        (lines("{}.0,{}", NUMBERS, "caller,callee\n"), "a whole number with a point: write all ids without it"),
        ("foo,bar,baz\n", "a header but no edges"),
    ],
)  # fmt: skip
def test_what_is_no_id_is_not_read_as_one(text, message):
    with pytest.raises(GraphFileError, match=message) as caught:
        read(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        (lines("{},{},{w}", NUMBERS), 40),
        (lines("{} {} {time}", NUMBERS), 40),
        (lines("{},{},call", NAMES), 40),
        (lines("{},{},", NAMES, "source,target,\n"), 40),
        (lines("{} {}", NAMES, "# a b\n% x y\n"), 40),
        (lines("7,{k},{w}", NUMBERS), 193),
        (lines("hub,{k}a,{w}", NUMBERS), 194),
        ("a b\n", 2),
        ("a,b,1\nb,c,2\nc,a,1\n", 3),
        ("".join(f"{k} {k // 2} {k % 3}\n" for k in range(1, 40)), 40),
    ],
)
def test_odd_but_right_files_are_read(text, nodes):
    assert read(text).node_count == nodes


def test_who_names_the_columns_or_the_format_is_believed():
    assert read(lines("{time},{},{}", NUMBERS), source=1, target=2).node_count == 40
    assert read("a b\n#c d\ne f\n", format="edge-list").node_count == 4
