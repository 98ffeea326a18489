"""What an audit will take is told before it starts, and the largest egonets can be left out."""

from itertools import combinations

import numpy as np
import pytest

from thinveil import Plan, audit, synthetic_graph
from thinveil.auditing import forecast
from thinveil.auditing.forecast import Costs, Forecast, Size
from thinveil.errors import InputError
from thinveil.runtime.streams import Seeds
from thinveil.schemes import make_scheme

FEW = {"test_negatives": 2_000, "train_negatives": 2_000, "beside": ()}


@pytest.fixture(scope="module")
def town():
    return synthetic_graph(2000, seed=3)


def test_the_size_of_a_small_release_is_its_size(town):
    plan = Plan.make("d4d-2:egonets=8,min_size=50")
    release = plan.scheme.publish(town, seed=Seeds(plan.seed, (0,))("releases"))
    graphs, people = ([half[k] for k in range(8)] for half in (release.public, release.secret))
    pairs = sum(np.intersect1d(a.people, b.people).size for a, b in combinations(people, 2))
    entries = sum(graph.indices.size for graph in graphs)
    size = Size.of(plan, town)
    assert (size.appearances, size.entries, size.pairs) == (sum(g.node_count for g in graphs), entries, pairs)


def test_the_size_of_a_larger_release_is_near_what_it_is(town):
    plan = Plan.make("d4d-1:egonets=100,min_size=50")
    release = plan.scheme.publish(town, seed=5)
    nodes = sum(release.public[k].node_count for k in range(100))
    people = np.concatenate([release.secret[k].people for k in range(100)])
    counts = np.bincount(people)
    size = Size.of(plan, town)
    assert 0.5 < size.appearances / nodes < 2
    assert 0.3 < size.pairs / (counts * (counts - 1) // 2).sum() < 3


@pytest.mark.parametrize("scheme", ["sparsify:share=0.5", "pseudonyms"])
def test_nothing_is_told_of_what_was_not_measured(town, scheme):
    threat = "identification" if scheme == "pseudonyms" else None
    assert Forecast.of(Plan.make(scheme, threat=threat), town) is None
    assert Forecast.of(Plan.make("d4d-2:egonets=8,min_size=50", "forest"), town) is None


def test_measured_costs_grow_with_the_release(town):
    small, large = (Forecast.of(Plan.make(f"d4d-2:egonets={count},min_size=50"), town) for count in (20, 200))
    assert 0 < small.seconds < large.seconds
    assert 0 < small.memory < large.memory
    assert Forecast.of(Plan.make("d4d-2:egonets=20,min_size=50", repeats=5), town).seconds == 5 * small.seconds


@pytest.mark.parametrize(("costs", "words"), [(100.0, "min of processor time"), (1.0, None)])
def test_a_long_audit_is_told_of_in_one_line(town, costs, words, monkeypatch, caplog):
    monkeypatch.setattr(forecast, "SECONDS", Costs(costs, 0, 0, 0, 0))
    audit(town, "d4d-2:egonets=6,min_size=50", min_degree=5, **FEW)
    told = [line for line in caplog.messages if "processor time" in line]
    assert len(told) == (words is not None)
    assert all(words in line and "may not fit" not in line for line in told)


def test_what_may_not_fit_is_told_with_what_to_do(town, monkeypatch, caplog):
    monkeypatch.setattr(forecast, "MEMORY", Costs(2.0**60, 0, 0, 0, 0))
    audit(town, "d4d-2:egonets=6,min_size=50", min_degree=5, **FEW)
    (line,) = (line for line in caplog.messages if "may not fit" in line)
    assert "--most-nodes" in line


@pytest.mark.parametrize("scheme", ["d4d-1", "d4d-2"])
def test_egonets_of_more_people_are_left_out(town, scheme):
    release = make_scheme(f"{scheme}:egonets=10,min_size=50,most_nodes=120").publish(town, seed=1)
    assert all(50 < release.public[k].node_count <= 120 for k in range(10))
    with pytest.raises(InputError, match="at most 51, and 500 are needed"):
        make_scheme(f"{scheme}:egonets=500,min_size=50,most_nodes=51").publish(town, seed=1)
    with pytest.raises(InputError, match="and 10 are needed"):
        make_scheme(f"{scheme}:egonets=10,min_size=50,most_nodes=40").publish(town, seed=1)


def test_most_nodes_is_short_for_a_parameter_of_the_scheme():
    from thinveil.cli.options import plan_words

    assert plan_words({"most_nodes": 90}) == {"scheme": "d4d-2:most_nodes=90"}
    assert plan_words({"most_nodes": 90, "scheme": "d4d-1:egonets=5"}) == {"scheme": "d4d-1:egonets=5,most_nodes=90"}
