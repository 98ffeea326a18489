"""Honest edge lists are read exactly, however small they are and however they are written: no doubt refuses them."""

import io

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.test_io_real import data_file
from thinveil.errors import GraphFileError
from thinveil.graph.reading import read_graph

NAMES = ("anna", "bob", "carl", "dora", "emil", "fritz", "gina", "hans", "ida", "jan")
numbers = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=60)
forms = st.sampled_from([",", ";", "\t", " "])


def read(text, **options):
    return read_graph(io.BytesIO(text.encode()), **options)


def written(pairs, delimiter, head):
    lines = [("source", "target")] * head + pairs
    return "".join(f"{a}{delimiter}{b}\n" for a, b in lines)


def edges_of(graph):
    pairs = ((graph.label(v), graph.label(int(u))) for v in range(graph.node_count) for u in graph.neighbors(v))
    return {frozenset(map(str, pair)) for pair in pairs}


def is_connected(pairs):
    """Say whether all pairs hang together, as the edges of one graph of people nearly do."""
    reached, count = set(pairs[0]), 0
    while len(reached) > count:
        count = len(reached)
        reached |= {node for pair in pairs if reached & set(pair) for node in pair}
    return all(reached.issuperset(pair) for pair in pairs)


def is_like_counts(pairs):
    """Say whether the first pair might be the numbers of nodes and edges, however these are counted."""
    rest, (nodes, edges) = pairs[1:], pairs[0]
    counts = {len(rest), len(set(rest)), len({frozenset(pair) for pair in rest})}
    largest = max((node for pair in rest for node in pair), default=0)
    are_near = (edges > largest + 1 and abs(nodes - largest) <= 1) or nodes == len(
        {node for pair in rest for node in pair}
    )
    return len(rest) in pairs[0] or (len(rest) >= 8 and (edges in counts | {2 * size for size in counts} or are_near))


def is_plain_graph(pairs):
    """Say whether some id stands in both columns: else the pairs may as well be a table of two things."""
    return is_connected(pairs) and (len(pairs) < 4 or {a for a, _ in pairs} & {b for _, b in pairs})


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.filter_too_much])
@given(numbers, forms, st.booleans())
def test_numbers_are_read_exactly(pairs, delimiter, head):
    assume(is_plain_graph(pairs) and not is_like_counts(pairs))
    expected = {frozenset(map(str, pair)) for pair in pairs if pair[0] != pair[1]}
    assert edges_of(read(written(pairs, delimiter, head))) == expected


@settings(deadline=None, max_examples=300)
@given(numbers, forms, st.booleans(), st.sampled_from(["{}", "{}@example.org", "P{}x", "Dr. {}", "{}_{}"]))
def test_names_are_read_exactly(pairs, delimiter, head, form):
    assume(is_plain_graph(pairs) and not (delimiter == " " and " " in form))
    named = [tuple(form.format(NAMES[node % 10] + "x" * (node // 10), node) for node in pair) for pair in pairs]
    expected = {frozenset(pair) for pair in named if pair[0] != pair[1]}
    assert edges_of(read(written(named, delimiter, head))) == expected


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("a b\n", 2),
        ("anna bob\nbob carl\ncarl dora\n", 4),
        ("anna,bob\ncarl,dora\ndora,emil\n", 5),
        ("b a\nc a\nd a\ne a\nf a\ng a\nh a\n", 8),
        ("a b\na c\na d\na e\na f\na g\na h\na i\na j\n", 10),
        ("anna,club1\nanna,club2\nbob,club1\ncarl,club2\n", 5),
        ("0 1 1\n", 2),
        ("0 1 1\n1 0 1\n", 2),
        ("0 1 1\n1 2 1\n2 0 1\n", 3),
        ("1 2 3\n2 3 1\n3 1 2\n", 3),
        ("3 4\n1 2\n2 3\n", 4),
        ("% sym unweighted\n% 3 3 3\n1 2\n1 3\n2 3\n", 3),
        ("2 1\n1 2\n", 2),
        ("employee,manager\n" + "".join(f"{k},{k % 4 + 100}\n" for k in range(60)), 64),
        ("a b\n# c d\nb c\n", 3),
        ("a b\n\nb c\n \t \nc d\n\n\n", 4),
        ("1,2\r\n\r\n2,3\r\n#\r\n3,4\r\n", 4),
        ("anna bob {'weight': 3}\nbob carl {}\ncarl anna {'since': 'May', 'x': 1}\n", 3),
        ("anna bob # friends\nbob carl\ncarl dora\n", 4),
        ("from,to\nSmith, A.,b\nb,c\n".replace("Smith, A.", '"Smith, A."'), 3),
        ('"Smith, Anna","Lee, Bob"\n"Lee, Bob","Doe, Carl"\n"Doe, Carl","Smith, Anna"\n', 3),
        ("O'Neil,D'Arcy\nD'Arcy,Bob\nBob,O'Neil\n", 3),
        ("Juan de la Cruz,Ana\nAna,Bob\nBob,Juan de la Cruz\n", 3),
        ("Anna,Maria\nMaria,Anna Maria\nAnna Maria,Nil\nNil,Anna\n", 4),
        ('"Smith, A";"Lee, B"\n"Lee, B";"Doe, C"\n"Doe, C";"Smith, A"\n', 3),
        ("follower,following\nanna,bob\nbob,carl\ncarl,dora\n", 4),
        ("#1 in comments\na b\nb c\n", 3),
        ("a b\nb c\n# the end\n", 3),
        ("Total,anna\nanna,bob\nbob,Total\n", 3),
        ("a => b\nb => c\n", 3),
        ("| anna | bob |\n| bob | carl |\n| carl | dora |\n", 4),
        ("a -> b: 7\nb -> c: 8\n", 3),
        ("time,place\nplace,time\n", 2),
        ('a,b,5" pipe\nb,c,O"Neil\n', 3),
        ('a,b,"x, ""y"""\nb,c,"z" z\n', 3),
        ('anna,O"Neil,7\nO"Neil,carl,8\n', 3),
        ("anna bob {'note': 'say \"hi'}\nbob carl {}\n", 3),
        ('b,c,z\r\na,b,"x\ry"\r\n', 3),
        ("a,b,x\r\r\nb,c,z\r\r\n", 3),
        ("".join(f"user:{k % 9},item:{k % 7}\n" for k in range(63)), 16),
        ("".join(f"{k % 31} {(5 * k + 1) % 31} {k % 7 + 1}\n" for k in range(90)), 31),
    ],
)  # fmt: skip
def test_small_and_odd_graphs_are_read(text, nodes):
    assert read(text).node_count == nodes


@pytest.mark.parametrize(
    "header",
    ["nick,friend", "CustomerA,CustomerB", "from_user,to_user", "callerNumber,calledNumber", "user_from;user_to",
     "id_emetteur,id_recepteur", "PayerID\tPayeeID", "msisdn_a,msisdn_b", "Sender Email,Receiver Email",
     "src_ip,dst_ip",
     "personId1,personId2", "mentor;mentee", "Inviter,Invitee", "NODE_FROM,NODE_TO", "lenderName,borrowerName"],
)  # fmt: skip
def test_headers_of_honest_tables_are_known(header):
    delimiter = next(sign for sign in ",;\t" if sign in header)
    names = [("anna", "bob"), ("bob", "carl"), ("carl", "dora"), ("dora", "anna"), ("anna", "carl")]
    graph = read("\n".join([header, *map(delimiter.join, names)]) + "\n")
    assert (graph.node_count, graph.edge_count) == (4, 5)


CHAIN = [("anna", "bob"), ("bob", "carl"), ("carl", "dora"), ("dora", "emil"), ("emil", "fritz"), ("fritz", "anna")]


@pytest.mark.parametrize(
    "header",
    ["userA,userB", "num_a,num_b", "hero1,hero2", "from_acct,to_acct", "Character 1,Character 2", "aparty,bparty",
     "personA_id,personB_id", "infector,infectee", "nominator,nominee", "Mentioner,Mentioned", "replier,replied_to",
     "who,whom", "orig,dest", "start,end", "first,second", "case,contact", "用户,好友", "ユーザー,友達",
     "user,follows", "Person,Knows", "Twitter handle,Followed by", "reports_to,employee"],
)  # fmt: skip
@pytest.mark.parametrize("beside", ["", ",2024-05-01", ",12:30", ",7", ",0.5"])
@pytest.mark.parametrize("count", [5, 60])
def test_headers_are_told_by_what_they_say(header, beside, count):
    rows = [f"{a},{b}{beside}" for a, b in (CHAIN * 10)[:count]]
    graph = read("\n".join([header + (beside and ",strength"), *rows]) + "\n")
    assert graph.origin.header
    assert edges_of(graph) == {frozenset(pair) for pair in CHAIN[:count]}


NODES = ["anna", "bella", "carl", "dora", "user3", "userC", "monk7", "Xu", "Yu", "hamer", "hamed", "nick", "head"]
graphs = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), min_size=2, max_size=40)
FIRST = [("user1", "user2"), ("userA", "userB"), ("monk1", "monk2"), ("Xin", "Yin"), ("Mari", "Marj"), ("Nick", "Ada"),
         ("Hamer", "Hamed"), ("Head", "Meyer"), ("anna", "friend"), ("Freund", "Meyer")]  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(graphs, st.sampled_from(FIRST), st.sampled_from([",", ";", "\t", "|"]))
def test_a_first_edge_like_a_header_is_kept_or_asked_about(pairs, first, delimiter):
    pairs = [first, *pairs, ("user3", "userC"), ("userC", "monk7"), ("monk7", "hamed"), ("hamed", "anna")]
    assume(is_connected(pairs[1:]))
    try:
        graph = read("".join(f"{a}{delimiter}{b}\n" for a, b in pairs))
    except GraphFileError as error:
        assert "may be a header or an edge" in str(error)  # noqa: PT017
    else:
        assert edges_of(graph) == {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


def test_names_that_come_again_are_ids_however_late():
    names = [f"{a}{b}" for a in "klmno" for b in "pqrstuvwxy"]
    rows = [f"{names[k % 50]},{names[(7 * k + 1) % 50]}" for k in range(2000)]
    assert read("\n".join(["pusher,pushed", *rows])).origin.header
    late = read("\n".join(["pusher,pushed", *rows, "pushed,kp"]))
    assert not late.origin.header
    assert late.node_count == 52


def test_who_says_that_a_guessed_header_is_an_edge_is_believed():
    text = "".join(f"{a},{b}\n" for a, b in [("heroA", "heroB"), *CHAIN])
    assert "the first line is taken for a header" in read(text).origin.note
    assert read(text, format="edge-list").node_count == 8


@pytest.mark.parametrize(
    "text",
    ["caller|callee|duration\nanna|bob|7\nbob|carl|8\n", "anna|bob\nbob|carl\n",
     ":START_ID(Person),since:int,:END_ID(Person),:TYPE\nanna,7,bob,KNOWS\nbob,8,carl,KNOWS\n",
     "a:START_ID,b:END_ID(Person),:TYPE\nanna,bob,KNOWS\nbob,carl,KNOWS\n",
     ",0,1\n0,anna,bob\n1,bob,carl\n2,anna,bob\n", "when,who is it,who else\n12:30,anna,bob\n12:40,bob,carl\n"],
)  # fmt: skip
def test_columns_of_ids_are_found(text):
    assert edges_of(read(text)) == {frozenset(("anna", "bob")), frozenset(("bob", "carl"))}


def test_other_tables_of_numbers_and_names_are_read():
    assert edges_of(read(",0,1\n0,13,19\n1,19,27\n2,27,13\n")) == set(
        map(frozenset, [("13", "19"), ("19", "27"), ("27", "13")])
    )
    assert read("Meyer, Anna;Gross, Emil\nGross, Emil;Ott, Jan\n").node_count == 3
    assert read("144366,4f8842\n4f8842,a0b1c2\n144366,a0b1c2\n".replace("4f8842", "448842", 1)).origin.ids == "text"
    assert (
        read("30000000000000000013,30000000000000000019\n30000000000000000019,30000000000000000020\n").node_count == 3
    )
    assert read("anna,bob,NA\nbob,carl,3\n").edge_count == 2  # a missing weight makes no header


@pytest.mark.parametrize("name", ["copenhagen/calls.csv", "email-Eu-core-temporal.txt.gz", "github-social.csv.gz"])
def test_real_graphs_are_not_doubted(name):
    assert read_graph(data_file(name)).origin.note == ""
