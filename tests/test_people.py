"""Each person's risk: counted rightly, told without pointing at anybody, and kept apart from the report."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.auditing import SMALL, small
from tests.naive import people as naive
from thinveil.auditing.audit import audit
from thinveil.features import Labels
from thinveil.features.pairs import PairSampler, choose_numbers
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.people import PeopleTable, degree_ranges, risk_of_people, tabulate
from thinveil.measures.rates import rate
from thinveil.report.files import result_json


def make_truth(person, is_far):
    return Labels(np.array(person, dtype=np.int32), np.array(is_far, dtype=bool), np.unique(person))


def make_table(rows, degree, hops, looked, linked):
    columns = (rows, degree, hops, looked, linked)
    return PeopleTable(np.arange(len(rows), dtype=np.int32), *(np.array(c, dtype=np.int64) for c in columns))


rows = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=60)


@given(rows, st.integers(1, 12), st.integers(0, 99))
def test_pairs_of_each_person(rows, most, seed):
    person, is_far = (list(column) for column in zip(*rows, strict=True))
    sampler = PairSampler(np.arange(len(rows), dtype=np.int32), make_truth(person, is_far))
    pairs = sampler.of_each_person(most, np.random.default_rng(seed))
    assert [person[k] for k in pairs.left] == [person[k] for k in pairs.right]
    assert pairs.count_distinct() == len(pairs)
    assert (pairs.left != pairs.right).all()
    for who in set(person):
        count = person.count(who)
        assert sum(person[k] == who for k in pairs.left) == min(most, count * (count - 1) // 2)


def test_every_pair_of_a_person_is_as_likely():
    totals = np.full(30_000, 12)
    owner, numbers = choose_numbers(totals, 4, np.random.default_rng(1))
    assert (np.bincount(owner) == 4).all()
    counts = np.bincount(numbers, minlength=12)
    assert counts == pytest.approx(np.full(12, 10_000), abs=5 * np.sqrt(10_000))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(6, 40), st.booleans()), min_size=1, max_size=40),
    st.lists(st.booleans(), min_size=1, max_size=40),
    st.booleans(),
)
def test_tables_equal_the_plain_twins(rows, linked, has_egos):
    person, degree, is_far = (list(column) for column in zip(*rows, strict=True))
    asked = [person[k % len(person)] for k in range(len(linked))]
    far = is_far if has_egos else None
    table = tabulate(
        np.array(person, dtype=np.int32), np.array(degree), None if far is None else np.array(far),
        np.array(asked, dtype=np.int32), np.array(linked),
    )  # fmt: skip
    hops = [None] * len(table) if table.hops is None else table.hops.tolist()
    columns = (table.person, table.appearances, table.degree, hops, table.looked, table.linked)
    plain = naive.tabulate(person, degree, far, asked, linked)
    assert list(zip(*columns, strict=True)) == plain
    risks = risk_of_people([table], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
    assert (risks.never, list(risks.bins)) == naive.histogram(plain)
    assert risks.relinked == pytest.approx(sum(line[-1] / line[-2] for line in plain))
    assert risks.low <= risks.relinked + 1e-9
    assert risks.relinked <= risks.high + 1e-9
    # never surer than so many people who are re-linked or not
    exact = [rate(end, len(plain)) for end in (math.floor(risks.relinked + 1e-9), math.ceil(risks.relinked - 1e-9))]
    assert risks.low <= exact[0].low * len(plain) + 1e-9
    assert risks.high >= exact[1].high * len(plain) - 1e-9
    assert risks.ever + risks.never == risks.people == len(plain)


def test_small_groups_join_or_are_not_told():
    table = make_table([2] * 100, [8] * 60 + [15] * 19 + [700] * 21, [1] * 90 + [2] * 10, [1] * 100, [0] * 100)
    risks = risk_of_people([table], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
    assert [(g.lowest, g.highest, g.people) for g in risks.by_degree] == [(6, 10, 60), (11, None, 40)]
    assert risks.by_hops == ()
    few = make_table([2] * 5, [8] * 5, [1] * 5, [1] * 5, [1] * 5)
    assert risk_of_people([few], fpr=0.001, min_degree=5, chance=np.random.default_rng(0)).by_degree == ()


@pytest.mark.parametrize(("linked", "low", "high"), [(0, 0.0, 0.0740), (1, 0.9260, 1.0)])
def test_a_few_people_are_never_sure(linked, low, high):
    table = make_table([2] * 48, [8] * 48, [1] * 24 + [2] * 24, [1] * 48, [linked] * 48)
    risks = risk_of_people([table], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
    assert (risks.low / 48, risks.high / 48) == pytest.approx((low, high), abs=1e-4)
    for group in (*risks.by_hops, *risks.by_degree):
        exact = rate(linked * int(group.people), int(group.people))
        assert (group.low, group.high) == (exact.low, exact.high)


def test_the_same_people_in_every_draw_count_once():
    table = make_table([2] * 48, [8] * 48, [1] * 24 + [2] * 24, [1] * 48, [0] * 48)
    others = replace(table, person=table.person + 48)
    same, new = (
        risk_of_people([table, *more], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
        for more in ([table] * 3, [others])
    )
    assert (same.independent, new.independent) == (48, 96)
    assert same.high / same.people == pytest.approx(rate(0, 48).high)
    assert new.high / new.people == pytest.approx(rate(0, 96).high)
    assert [group.independent for group in same.by_hops] == [24, 24]


@pytest.mark.parametrize(
    ("people", "mean", "spread", "draws"),
    [(48, 0.002, 0.3, 1), (48, 0.02, 0.3, 3), (30, 0.02, None, 1), (30, 0.1, 0.3, 1), (20, 0.5, 3.0, 2)],
)
def test_the_interval_over_people_holds_what_it_says(people, mean, spread, draws):
    """Few people, each with a risk of their own: about 95 of 100 intervals, or more, hold the mean risk."""
    rng, held, runs = np.random.default_rng(4), 0, 150
    for _ in range(runs):
        own = np.full(people, mean) if spread is None else rng.beta(mean * spread, (1 - mean) * spread, size=people)
        looked = 1 if spread is None else 10
        tables = [
            make_table([5] * people, [8] * people, [1] * people, [looked] * people, rng.binomial(looked, own))
            for _ in range(draws)
        ]
        risks = risk_of_people(tables, fpr=0.001, min_degree=5, chance=rng)
        held += risks.low <= mean * people <= risks.high
    assert held >= 0.95 * runs - 2 * np.sqrt(0.95 * 0.05 * runs)


def test_draws_are_averaged():
    one = make_table([2] * 40, [8] * 40, [1] * 40, [1] * 40, [1] * 40)
    two = make_table([3] * 20, [9] * 20, [2] * 20, [3] * 20, [0] * 20)
    risks = risk_of_people([one, two], fpr=0.001, min_degree=5, chance=np.random.default_rng(0))
    assert (risks.people, risks.relinked, risks.draws, risks.never) == (30, 20, (40, 0), 10)
    assert risks.shares == (1, 0)
    assert risks.sd == pytest.approx(np.std([40, 0], ddof=1))
    assert [group.people for group in risks.by_degree] == [30]
    pooled = PeopleTable.pool([one, two])
    assert (pooled.appearances[:20] == 5).all()
    assert (pooled.degree[:20] == 9).all()
    assert (pooled.hops == 1).all()
    assert pooled.risk[[0, 39]].tolist() == [0.25, 1.0]


def test_degree_ranges_leave_no_small_group():
    degrees = np.repeat([7, 15, 30], [30, 10, 25])
    assert list(degree_ranges(degrees, 5)) == [(5, 10), (10, None)]
    assert list(degree_ranges(degrees, 5, smallest=40)) == [(5, None)]


def test_an_audit_compares_everybody(town_audit):
    table, risk = town_audit.people, town_audit.risk
    assert len(table) == risk.people > 500
    assert (table.looked == np.minimum(10, table.appearances * (table.appearances - 1) // 2)).all()
    assert (table.linked <= table.looked).all()
    assert risk.relinked == pytest.approx(table.risk.sum())
    assert sum(risk.bins) == risk.ever
    assert sum(group.people for group in risk.by_degree) == risk.people
    near, far = risk.by_hops
    assert near.risk > far.risk
    # the same share that the rate has over people, but for the choice of pairs
    assert risk.relinked / risk.people == pytest.approx(town_audit.rate("complete", 0.001).per_person, abs=0.05)


def test_risks_repeat_to_the_digit(town, town_audit):
    again = audit(town, small("d4d-1"), protocol="paper", seed=1, threads=1, **SMALL)
    assert again.risk == town_audit.risk
    assert again.people.linked.tolist() == town_audit.people.linked.tolist()


def test_nobody_is_named_in_the_files(town_audit):
    told = json.loads(result_json(town_audit))
    assert "people" not in told
    assert told["risk"]["people"] == town_audit.risk.people
    assert str(town_audit.people.person.tolist())[1:-1][:30] not in result_json(town_audit)
    assert "PeopleTable" not in repr(town_audit)


def test_no_threshold_no_risks():
    result = audit(synthetic_graph(3000, seed=1), small("d4d-1"), seed=1, **{**SMALL, "test_negatives": 900})
    assert (result.risk, result.people) == (None, None)
    assert result.to_dict()["risk"] is None
