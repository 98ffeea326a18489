"""The kernels that sort edges on the disk equal their plain twins."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import graphs
from tests.naive import stored as naive
from thinveil.graph.reading.enrolling import enrol_texts, file_texts
from thinveil.graph.stored.sorting import add_nodes, deal_keys, fill_range, sort_rows

NODES = st.integers(0, 11)
PAIRS = st.lists(st.tuples(NODES, NODES), max_size=60)
RANGES = st.lists(st.integers(0, 3), min_size=12, max_size=12)


def keys_of(pairs):
    return np.array([(min(u, v) << 32) | max(u, v) for u, v in pairs if u != v], dtype=np.int64)


@given(PAIRS, RANGES, st.booleans())
def test_dealing_equals_plain_twin(pairs, range_of, by_high):
    keys = keys_of(pairs)
    dealt, starts = deal_keys(keys, np.array(range_of, dtype=np.int32), 4, by_high)
    assert (dealt.tolist(), starts.tolist()) == naive.deal_keys(keys.tolist(), range_of, 4, by_high)


@given(PAIRS, NODES, NODES)
def test_filling_equals_plain_twin(pairs, first, last):
    first, last = min(first, last), max(first, last) + 1
    keys = np.unique(keys_of(pairs))
    ends = np.concatenate((keys >> 32, keys & 0xFFFFFFFF)).astype(np.int32)
    counts = np.zeros(12, dtype=np.int64)
    add_nodes(ends, counts)
    assert counts.tolist() == np.bincount(ends, minlength=12).tolist()
    cursor = np.concatenate(([0], np.cumsum(counts[first:last])))
    rows = np.empty(cursor[-1], dtype=np.int32)
    for by_high in (True, False):
        node = keys & 0xFFFFFFFF if by_high else keys >> 32
        fill_range(keys[(node >= first) & (node < last)], cursor, first, by_high, rows)
    assert rows.tolist() == naive.rows_of(pairs, first, last)


@given(pairs=PAIRS, memory=st.integers(1, 4000))
def test_rows_sorted_on_the_disk_equal_plain_twin(pairs, memory, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sort")
    (folder / "scratch").mkdir()
    ends = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
    out = folder / "indices.npy"
    rows = sort_rows(ends[0].copy(), ends[1].copy(), 12, memory=memory, scratch=folder / "scratch", out=out)
    found = rows.indptr.tolist(), np.load(out).tolist(), rows.loops
    assert found == graphs.neighbor_rows(*ends.tolist(), 12)
    assert rows.duplicates == len(pairs) - rows.loops - len(found[1]) // 2


@given(st.lists(st.text("abé", max_size=4), max_size=40), st.integers(1, 6))
def test_enrolling_texts_equals_plain_twin(fields, room):
    """Room for more is made wherever it ends, and the texts so far are found again."""
    data = np.frombuffer("".join(fields).encode() or b" ", dtype=np.uint8)
    lengths = np.array([len(field.encode()) for field in fields], dtype=np.int64)
    cells = (np.cumsum(lengths) - lengths) * naive.SPAN + lengths
    table, names = np.full(8, -1, dtype=np.int32), np.zeros(room + 8, dtype=np.uint8)
    starts, spans = np.zeros(5, dtype=np.int64), np.zeros(5, dtype=np.int64)
    numbers, done, count = np.empty(cells.size, dtype=np.int32), 0, 0
    while done < cells.size:
        step, count = enrol_texts(data, cells[done:], table, starts, spans, names, count, numbers[done:])
        done += step
        if done < cells.size:
            more = np.zeros(4, dtype=np.int64)
            starts, spans = np.concatenate((starts, more)), np.concatenate((spans, more))
            names, table = np.concatenate((names, np.zeros(8, dtype=np.uint8))), np.full(2 * table.size, -1, np.int32)
            file_texts(names, starts, count, table)
    assert numbers.tolist() == naive.enrol(fields)
    texts = [names[starts[k] : starts[k + 1]].tobytes().decode() for k in range(count)]
    assert texts == list(dict.fromkeys(fields))
