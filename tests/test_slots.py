"""The attack in slots of time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from tests.naive import events as naive
from thinveil.attacks import ForestAttack, Lesson, SignatureAttack, SlotAttack, make_attack
from thinveil.attacks.slots import JOINS, join_slots
from thinveil.auditing.audit import audit
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, EventHistogram, Signature, observe
from thinveil.features.pairs import NO_PAIRS, Pairs, PairSampler
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.measures.rates import auc
from thinveil.schemes import d4d_1

CHANNELS = (DegreeHistogram(6, 4), EventHistogram("contacts"))
SLOTS = 4
QUICK = {
    "attack": "forest",
    "egonets": 12,
    "min_size": 60,
    "min_degree": 3,
    "trees": 20,
    "test_negatives": 3000,
    "bins": 6,
    "bin_size": 4,
}


@pytest.fixture(scope="module")
def mails(crowd):
    """The small social graph with one to twelve mails on each edge, at any time of 1,000."""
    rng = np.random.default_rng(3)
    source = np.repeat(np.arange(crowd.node_count), crowd.degrees)
    edges = np.flatnonzero(source < crowd.indices)
    events = np.repeat(edges, rng.integers(1, 13, size=edges.size))
    ends = np.where(rng.random(events.size) < 0.5, [source[events], crowd.indices[events]],
                    [crowd.indices[events], source[events]])  # fmt: skip
    columns = {
        "time": rng.integers(1000, size=events.size),
        "direction": np.ones(events.size, dtype=np.int8),
        "weight": rng.integers(-1, 300, size=events.size),
    }
    return Graph.from_edges(*ends, columns=columns)


@pytest.fixture(scope="module")
def sides(mails):
    made = []
    attack = SlotAttack(ForestAttack(*CHANNELS), slots=SLOTS)
    channels = [*CHANNELS, *attack.channels, *SlotAttack(SignatureAttack(), slots=SLOTS).channels[:1], Signature()]
    for release in d4d_1(egonets=15, min_size=60).draw(cut_time(mails, SLOTS), releases=2, seed=4):
        view, truth = observe(release, channels, min_degree=3)
        sampler, rng = PairSampler(view.subgraph, truth), np.random.default_rng(0)
        made.append((view, sampler.identical("complete", 800, rng), sampler.different("matched", "complete", 800, rng)))
    return made


def make(join="log odds", **changes):
    return SlotAttack(
        ForestAttack(*CHANNELS, **{"trees": 30, "bag_size": 100, "seed": 1} | changes), slots=SLOTS, join=join
    )


@pytest.mark.parametrize("join", JOINS)
def test_people_are_found_again(sides, join):
    attack = make(join)
    attack.fit(*sides[0])
    view, identical, different = sides[1]
    scores = [attack.score(view, pairs) for pairs in (identical, different)]
    assert all(((values >= 0) & (values <= 1)).all() for values in scores)
    assert auc(*scores) > 0.7
    assert attack.lesson() == attack.learner.lesson()
    # whichever pairs are asked for together, each gets its own score
    assert (attack.score(view, Pairs(identical.left[::-1], identical.right[::-1]))[::-1] == scores[0]).all()


def test_a_pair_is_what_its_slots_say(sides):
    attack = make()
    attack.fit(*sides[0])
    view, pairs, _ = sides[1]
    degrees = view.channels[f"degree, in {SLOTS} slots"]
    tables = [view.channels[f"{c.name}, in {SLOTS} slots"].reshape(len(view), SLOTS, c.width) for c in CHANNELS]
    vectors = np.concatenate(tables, axis=2)
    comp = attack.score(view, pairs)
    for k in range(0, len(pairs), 40):
        left, right = pairs.left[k], pairs.right[k]
        both = np.flatnonzero((degrees[left] > 0) & (degrees[right] > 0))
        if not both.size:
            assert comp[k] == 0.5
            continue
        scores = attack.learner.forest.predict_proba(np.hstack([vectors[left, both], vectors[right, both]]))[:, 1]
        (log_odds,) = naive.join(scores.tolist(), "log odds")
        assert comp[k] == pytest.approx(1 / (1 + np.exp(-log_odds)))


@few
@given(st.lists(st.lists(st.sampled_from([0.0, 0.2, 0.5, 0.51, 0.9, 1.0]), max_size=SLOTS), min_size=1, max_size=12))
@pytest.mark.parametrize("join", JOINS)
def test_joins_order_pairs_as_plain_twins_do(join, slots_of_pair):
    scores = np.array([p for scores in slots_of_pair for p in scores])
    pair = np.repeat(np.arange(len(slots_of_pair)), [len(scores) for scores in slots_of_pair])
    comp = join_slots(scores, pair, len(slots_of_pair), SLOTS, join)
    told = [(naive.join(scores, join), comp[k]) for k, scores in enumerate(slots_of_pair) if scores]
    assert all(comp[k] == 0.5 for k, scores in enumerate(slots_of_pair) if not scores)
    for one, two in ((a, b) for a in told for b in told):
        first = next((x - y for x, y in zip(one[0], two[0], strict=True) if abs(x - y) > 1e-9), 0)
        assert np.sign(first) == np.sign(round(one[1] - two[1], 12))


def test_nobody_in_the_same_slot(sides):
    view, identical, _ = sides[0]
    attack = make()
    attack.fit(view, identical, NO_PAIRS)
    assert (attack.score(view, identical) == 0.5).all()
    assert attack.lesson() == Lesson()


def test_any_attack_can_be_made_in_slots(sides):
    attack = make_attack("signature", (), slots=SLOTS, join="majority", large=1)
    attack.fit(*sides[0])
    scores = [attack.score(sides[1][0], pairs) for pairs in sides[1][1:]]
    assert auc(*scores) > 0.5


@pytest.mark.parametrize(("slots", "join"), [(1, "majority"), (4, "vote")])
def test_bad_parameters_are_named(slots, join):
    with pytest.raises(InputError, match=f"{slots} slots joined by '{join}': give 2 or more, and one of log odds"):
        SlotAttack(SignatureAttack(), slots=slots, join=join)


def test_an_audit_in_slots(mails):
    features = ("degrees", "contacts", "contacts-out", "weight-in")
    one, two = (audit(mails, "d4d-2", features=features, slots=3, join="majority", threads=t, **QUICK) for t in (1, 2))
    assert [rate.hits for rate in one.rates] == [rate.hits for rate in two.rates]
    assert one.settings.slots == 3
    assert one.auc["1-hop"].mean > 0.8


def test_degrees_do_not_care_for_events(mails, crowd):
    """Without slots and channels of events, the same audit with and without events gives the same digits."""
    bare, told = (audit(graph, "d4d-1", **QUICK) for graph in (crowd, mails))
    assert [rate.hits for rate in bare.rates] == [rate.hits for rate in told.rates]
    assert bare.graph.digest == told.graph.digest


def test_moving_and_stretching_time_changes_nothing(mails):
    columns = {**mails.rows.columns, "time": 60 * mails.rows.columns["time"] + 10**6}
    moved = Graph.from_edges(mails.rows.source, mails.rows.target, columns=columns)
    one, two = (audit(graph, "d4d-2", slots=5, **QUICK) for graph in (mails, moved))
    assert [rate.hits for rate in one.rates] == [rate.hits for rate in two.rates]


def test_an_audit_without_the_columns(crowd, mails):
    with pytest.raises(InputError, match="feature contacts needs the events behind the edges, and there are none"):
        audit(crowd, features=("contacts",), **QUICK)
    with pytest.raises(InputError, match="an audit in time slots needs the events behind the edges"):
        audit(crowd, slots=2, **QUICK)
    with pytest.raises(InputError, match="unknown join 'vote': choose one of log odds, summed log odds, majority"):
        audit(mails, slots=2, join="vote", **QUICK)
    with pytest.raises(InputError, match="slots = 0: give a number from 1 to 1,000"):
        audit(mails, slots=0, **QUICK)
