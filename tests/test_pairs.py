from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import assert_follows
from tests.naive import pairs as naive
from thinveil.errors import InputError, SampleError
from thinveil.features import Labels
from thinveil.features.pairs import (
    CATEGORIES,
    NO_PAIRS,
    PROTOCOLS,
    Pairs,
    PairSampler,
    Question,
    _triangle,
    categories_of,
    count_pairs,
    has_company,
)

# rows of (sub-graph, person, is far); nobody stands twice in a sub-graph
tables = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 6)), st.booleans(), min_size=1, max_size=30
).flatmap(lambda table: st.permutations([(*key, far) for key, far in table.items()]))  # fmt: skip

# a small release with pairs of all categories, in no order
CROWD = [
    (2, 9, True), (0, 7, False), (1, 7, False), (0, 8, False), (1, 8, True), (1, 9, True), (2, 7, True),
    (0, 5, True), (2, 6, False), (4, 5, True), (4, 7, False), (4, 8, False), (0, 9, True), (4, 3, True),
]  # fmt: skip


def sampler(rows, admit=None, known=None):
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    labels = Labels(table[:, 1].copy(), table[:, 2].astype(bool), np.unique(table[:, 1]))
    return PairSampler(table[:, 0].copy(), labels, admit=admit, known=known)


def ordered(pairs):
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


def unordered(pairs):
    return sorted(tuple(sorted(pair)) for pair in ordered(pairs))


def rng(seed=0):
    return np.random.default_rng(seed)


@given(tables, st.sampled_from(CATEGORIES))
def test_all_identical_pairs_come_once(rows, category):
    ref = naive.identical_pairs(rows, category)
    comp = sampler(rows)
    assert comp.count(category) == len(ref)
    assert unordered(comp.identical(category, 10**6, rng())) == ref


@given(tables, st.sampled_from(CATEGORIES), st.integers(0, 8))
def test_no_pair_comes_twice(rows, category, most):
    drawn = unordered(sampler(rows).identical(category, most, rng()))
    ref = naive.identical_pairs(rows, category)
    assert len(drawn) == len(set(drawn)) == min(most, len(ref))
    assert set(drawn) <= set(ref)


@given(tables, st.data())
def test_only_admitted_rows_are_drawn(rows, data):
    admit = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), dtype=bool)
    left_out = [
        row if kept else (100 + k, 100 + k, False) for k, (row, kept) in enumerate(zip(rows, admit, strict=True))
    ]
    comp = sampler(rows, admit)
    assert unordered(comp.identical("complete", 10**6, rng())) == naive.identical_pairs(left_out, "complete")
    for protocol in PROTOCOLS if admit.any() else ():
        try:
            pairs = comp.different(protocol, "complete", 5, rng())
        except SampleError:
            continue
        assert admit[pairs.left].all()
        assert admit[pairs.right].all()


@pytest.mark.parametrize("category", CATEGORIES)
def test_identical_pairs_are_drawn_uniformly(category):
    comp, ref = sampler(CROWD), naive.identical_pairs(CROWD, category)
    chance = rng(1)
    drawn = Counter(pair for _ in range(600) for pair in ordered(comp.identical(category, 1, chance)))
    assert_follows(drawn, {pair: 1 for p, q in ref for pair in ((p, q), (q, p))})  # sides are shuffled


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_protocols_have_the_chances_they_promise(protocol, category):
    pairs = sampler(CROWD).different(protocol, category, 60_000, rng(2))
    assert len(pairs) == 60_000
    chances = naive.different_chances(CROWD, protocol, category)
    assert_follows(Counter(ordered(pairs)), chances)


@given(tables, st.sampled_from(PROTOCOLS), st.sampled_from(CATEGORIES))
def test_non_identical_pairs_are_of_two_people_in_two_subgraphs(rows, protocol, category):
    try:
        pairs = ordered(sampler(rows).different(protocol, category, 20, rng()))
    except SampleError:
        pairs = []
    assert set(pairs) <= set(naive.different_chances(rows, protocol, category))
    for p, q in pairs:
        assert rows[p][0] != rows[q][0]
        assert rows[p][1] != rows[q][1]


@given(tables, st.integers(0, 4))
def test_each_person_has_pairs_of_their_own(rows, most):
    ref, drawn = Counter(), Counter()
    for p, _ in naive.identical_pairs(rows, "complete"):
        ref[rows[p][1]] += 1
    pairs = sampler(rows).of_each_person(most, rng())
    for p, q in ordered(pairs):
        assert rows[p][1] == rows[q][1]
        drawn[rows[p][1]] += 1
    assert drawn == Counter({person: min(most, count) for person, count in ref.items()}) - Counter()
    assert pairs.count_distinct() == len(pairs)


@given(tables, st.sets(st.integers(0, 6)))
def test_who_knows_some_people_learns_from_them_and_is_asked_about_the_others(rows, people):
    known = np.array([person in people for _, person, _ in rows])
    whole = sampler(rows)
    learned, asked = whole.part(known)
    every = naive.identical_pairs(rows, "complete")
    assert unordered(learned.identical("complete", 10**6, rng())) == [pair for pair in every if known[pair[0]]]
    assert unordered(asked.identical("complete", 10**6, rng())) == [pair for pair in every if not known[pair[0]]]
    assert asked.appearances.tolist() == np.flatnonzero(~known).tolist()
    linkable = {rows[p][1] for p, _ in every}
    assert set(whole.linkable().tolist()) == linkable
    assert set(asked.linkable().tolist()) == linkable - people


@given(tables)
def test_company_is_somebody_of_the_same_sub_graph_and_class(rows):
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    labels = Labels(table[:, 1].copy(), table[:, 2].astype(bool), np.unique(table[:, 1]))
    places = Counter((subgraph, far) for subgraph, _, far in rows)
    comp = has_company(table[:, 0].copy(), labels)
    assert comp.tolist() == [places[subgraph, far] > 1 for subgraph, _, far in rows]


def test_a_question_has_a_category_and_a_protocol():
    assert Question() == Question("complete", "matched") == ("complete", "matched")
    nobody = np.empty(0, dtype=np.int32)
    assert categories_of(Labels(nobody, nobody.astype(bool), nobody)) == CATEGORIES
    assert categories_of(Labels(nobody, nobody.astype(bool), nobody, has_hops=False)) == ("complete",)


@given(st.lists(st.integers(0, 4), max_size=20))
def test_pairs_of_equal_numbers_are_counted(groups):
    ref = sum(a == b for k, a in enumerate(groups) for b in groups[:k])
    assert count_pairs(np.array(groups, dtype=np.int32)) == ref


def test_pairs_without_others_in_either_order():
    pairs = Pairs(np.array([1, 2, 3, 3]), np.array([2, 3, 1, 1]))
    left = pairs.without(Pairs(np.array([3, 2, 9]), np.array([2, 9, 1])))
    assert (left.left.tolist(), left.right.tolist()) == ([1, 3, 3], [2, 1, 1])
    assert pairs.without(NO_PAIRS).count_distinct() == 3


def test_matched_pairs_replace_one_side():
    for category in CATEGORIES:
        for p, q in ordered(sampler(CROWD).different("matched", category, 200, rng(3))):
            true = [
                pair for pair in naive.identical_pairs(CROWD, category)
                for one, other in ((p, q), (q, p))
                if one in pair and CROWD[sum(pair) - one][::2] == CROWD[other][::2]
            ]  # fmt: skip
            assert true  # the row that stood there is of the same sub-graph and hop class


def test_the_seed_decides():
    comp = sampler(CROWD)
    for protocol in PROTOCOLS:
        one, two, other = (ordered(comp.different(protocol, "complete", 50, rng(seed))) for seed in (1, 1, 2))
        assert one == two != other


@given(tables)
def test_means_over_subgraphs(rows):
    comp = sampler(rows)
    sizes = list(Counter(row[0] for row in rows).values())
    products = [a * b for k, a in enumerate(sizes) for b in sizes[:k]]
    assert comp.mean_appearances() == pytest.approx(len(rows) / max(1, len(sizes)))
    assert comp.mean_pairs() == pytest.approx(sum(products) / max(1, len(products)))
    shared = len(naive.identical_pairs(rows, "complete"))
    assert comp.mean_shared() == pytest.approx(shared / max(1, len(products)))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_distinct_pairs_have_no_order(pairs):
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    comp = Pairs(left, right)
    assert comp.count_distinct() == len({frozenset(pair) for pair in pairs})
    assert ordered(comp.distinct()) == sorted({tuple(sorted(pair)) for pair in pairs})


def test_sides_are_shuffled_pair_by_pair():
    pairs = Pairs(np.zeros(4000, dtype=np.int64), np.ones(4000, dtype=np.int64)).shuffled_sides(rng())
    assert (pairs.left + pairs.right == 1).all()
    assert abs(pairs.left.mean() - 0.5) < 4 * 0.5 / np.sqrt(4000)


@given(st.integers(2, 2**31), st.integers(-2, 2))
def test_numbers_turn_into_pairs_exactly(j, offset):
    numbers = np.array([max(0, j * (j - 1) // 2 + offset)], dtype=np.int64)
    assert tuple(int(side[0]) for side in _triangle(numbers)) == naive.triangle(int(numbers[0]))


def test_numbers_where_floats_run_out():
    near = 2**52 + np.arange(-1000, 1000)
    whole = int((1 + np.sqrt(1 + 8 * 2.0**52)) / 2)
    edges = np.array([k * (k - 1) // 2 + d for k in range(whole - 200, whole + 200) for d in (-1, 0, 1)])
    for numbers in (near, edges, np.arange(5000), np.array([2**60, 2**61 + 12345])):
        comp = np.column_stack(_triangle(numbers)).tolist()
        assert comp == [list(naive.triangle(n)) for n in numbers.tolist()]


def test_empty_tables():
    nobody = sampler([])
    assert [nobody.count(category) for category in CATEGORIES] == [0] * 4
    assert len(nobody.identical("complete", 5, rng())) == 0
    assert (nobody.mean_appearances(), nobody.mean_pairs(), nobody.mean_shared()) == (0, 0, 0)
    for protocol in PROTOCOLS:
        with pytest.raises(SampleError, match="fewer than two sub-graphs have anybody to compare"):
            nobody.different(protocol, "complete", 5, rng())


def test_nothing_to_match():
    strangers = sampler([(0, 1, False), (1, 2, False)])
    with pytest.raises(SampleError, match="no identical pairs of category 2-hop to match others to"):
        strangers.different("matched", "2-hop", 5, rng())


def test_fewer_come_where_there_are_no_others():
    alone = [(0, 1, False), (1, 1, False)]  # the same person twice: nobody to be taken for
    for protocol in PROTOCOLS:
        assert len(sampler(alone).different(protocol, "1-hop", 5, rng())) == 0


def test_unknown_names_are_named():
    comp = sampler(CROWD)
    with pytest.raises(InputError, match="unknown category '3-hop': choose one of 1-hop; 1,2-hop; 2-hop; complete"):
        comp.count("3-hop")
    with pytest.raises(InputError, match="unknown category '3-hop'"):
        comp.different("matched", "3-hop", 5, rng())
    with pytest.raises(InputError, match="unknown protocol 'fair': known are paper, uniform, matched"):
        comp.different("fair", "1-hop", 5, rng())
