"""The kernels that take text apart and number labels, against their plain twins."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive import graphs as naive
from thinveil.graph.reading import blocks, labels
from thinveil.graph.reading.layout import split_line
from thinveil.graph.reading.reader import read_graph
from thinveil.graph.reading.tokens import read_cells

fields = st.one_of(st.integers(-(2**66), 2**66).map(str), st.text("0123456789+-x", max_size=4))


def read_integers(data, delimiter, width):
    slots = np.full(width, -1)
    slots[[0, width - 1]] = 0, 1
    cells, signs = np.zeros((2, data.count(b"\n") + 1), dtype=np.int64), np.full(3, -1)
    array = np.frombuffer(data, dtype=np.uint8)
    is_text = np.zeros(2, dtype=np.bool_)
    rows, bad = read_cells(array, (0, array.size), ord(delimiter), slots, is_text, cells, signs)
    return cells[:, :rows].T.tolist(), bad


def as_bits(number):
    return number - 2**64 if number >= 2**63 else number


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.lists(fields, min_size=1, max_size=4)),
    st.sampled_from([" ", "\t", ","]),
    st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# 1 2\n", "\n %\n"]),
    st.integers(2, 3),
)
def test_integers_equal_plain_twin(rows, delimiter, end, width):
    data = end.join(delimiter.join(row) for row in rows).encode()
    ref, bad = naive.read_pairs(data, delimiter, (0, width - 1))
    comp, comp_bad = read_integers(data, delimiter, width)
    assert comp == [[as_bits(u), as_bits(v)] for u, v in ref]
    assert comp_bad == bad


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.text('",\t\r a', max_size=8), max_size=4), st.sampled_from(["\t", ","]), st.sampled_from(["\n", "\r\n"])
)
def test_cells_that_go_on_equal_plain_twin(rests, delimiter, end):
    lines = [delimiter.join(("1", "2", rest)) for rest in rests]
    comp, bad = read_integers(end.join(lines).encode(), delimiter, 2)
    good = [naive.is_closed(rest, delimiter) for rest in rests]
    first = good.index(False) if False in good else len(good)
    assert len(comp) == first
    assert bad == (-1 if first == len(good) else sum(len(line) + len(end) for line in lines[:first]))


numbers = st.lists(
    st.tuples(*[st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(7, 30))] * 2), min_size=1, max_size=50
)


@settings(deadline=None)
@given(numbers, st.integers(1, 50))
def test_numbers_equal_plain_twin(pairs, cut):
    columns = np.array(pairs, dtype=np.int64).T
    ends, names = labels.number_integers([columns[:, :cut], columns[:, cut:]])
    source, target, ref = naive.number_labels(*columns.tolist())
    assert ends.tolist() == [source, target]
    assert (list(range(len(ref))) if names is None else names.tolist()) == ref


def test_hash_table_grows(monkeypatch):
    monkeypatch.setattr(labels, "_FIRST_TABLE", 4)
    values = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (2, 3_000))
    values[1, ::3] = values[0, ::3]
    ends, names = labels.number_integers([values[:, :1000], values[:, 1000:]])
    np.testing.assert_array_equal(names[ends], values)
    np.testing.assert_array_equal(names, np.unique(values))
    words = "".join(f"w{u},w{v}\n" for u, v in values.T.tolist())
    graph = read_graph(io.BytesIO(words.encode()), directed=True, format="edge-list")
    loops = values[0] == values[1]
    assert graph.dropped.loops == loops.sum()
    assert graph.labels[graph.rows.source].tolist() == [f"w{u}" for u in values[0][~loops].tolist()]


@pytest.mark.parametrize("chunk", [1, 7, 64, 1 << 20])
def test_chunks_do_not_matter(monkeypatch, chunk):
    monkeypatch.setattr(blocks, "_CHUNK", chunk)
    lines = [f"{k % 17} {k % 23}" if k % 5 else "# note" for k in range(200)] + ["5000000000 1"]
    graph = read_graph(io.BytesIO("\n".join(lines).encode()))
    pairs = [tuple(map(int, line.split())) for line in lines if line[0] != "#"]
    source, target, names = naive.number_labels(*zip(*pairs, strict=True))
    starts, flat, _ = naive.neighbor_rows(source, target, len(names))
    assert (graph.labels.tolist(), graph.indptr.tolist(), graph.indices.tolist()) == (names, starts, flat)


@pytest.mark.parametrize(
    ("line", "delimiter", "expected"),
    [
        ("1 \t 2 ", " ", ["1", "2"]),
        (" 1 , 2 ,", ",", ["1", "2", ""]),
        ("\t1\t\t2", "\t", ["", "1", "", "2"]),
        ('"a,b" , "c ""d"""', ",", ["a,b", 'c "d"']),
        ('"a b" c', " ", ["a b", "c"]),
        ("a b\tc d", "\t", ["a b", "c d"]),
    ],
)
def test_split_line(line, delimiter, expected):
    assert split_line(line, delimiter) == expected
