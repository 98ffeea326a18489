"""The attack in slots of time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from tests.naive import events as naive
from thinveil.attacks import Examples, Known, Lesson, make_attack
from thinveil.attacks.slots import JOINS, join_slots
from thinveil.auditing.audit import audit
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, EventHistogram, label, observe
from thinveil.features.pairs import NO_PAIRS, Pairs, PairSampler, Question
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.measures.rates import auc
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1

CHANNELS = (DegreeHistogram(6, 4), EventHistogram("contacts"))
SLOTS = 4
ASKED = Question("complete", "matched")
SHAPE = "egonets=12,min_size=60"
FOREST = "forest:trees=20,bins=6,bin_size=4"
QUICK = {"protocol": "paper", "min_degree": 3, "test_negatives": 3000}


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
    """What is known of a training and of a test release, and the labelled pairs of both."""
    made, releases, graph = [], [], cut_time(mails, SLOTS)
    needs = make().needs.join(make_attack(f"signature:slots={SLOTS}").needs)
    for _ in range(2):
        releases.append(D4D1(egonets=15, min_size=60).publish(graph, seed=4, avoid=releases))
        view = observe(releases[-1].public, needs, min_degree=3)
        labels = label(releases[-1].secret, view)
        sampler, rng = PairSampler(view.subgraph, labels), np.random.default_rng(0)
        pairs = sampler.identical("complete", 800, rng), sampler.different("matched", "complete", 800, rng)
        made.append(Known(view, labels.person, {ASKED: Examples(*pairs)}))
    return made


def make(join="log-odds"):
    features = "features=degrees+contacts,bins=6,bin_size=4"
    return make_attack(f"forest:trees=30,bag_size=100,{features},slots={SLOTS},join={join}")


def learn(attack, side):
    return attack.fit(side, seeds=Seeds(1))


@pytest.mark.parametrize("join", JOINS)
def test_people_are_found_again(sides, join):
    model = learn(make(join), sides[0])
    session, (identical, different) = model.enter(sides[1].view), sides[1].examples[ASKED]
    scores = [session.score(pairs, ASKED) for pairs in (identical, different)]
    assert all(((values >= 0) & (values <= 1)).all() for values in scores)
    assert auc(*scores) > 0.7
    assert model.lesson(ASKED) == model.learner.lesson(ASKED) != Lesson()
    # whichever pairs are asked for together, each gets its own score
    assert (session.score(Pairs(identical.left[::-1], identical.right[::-1]), ASKED)[::-1] == scores[0]).all()


def test_what_was_learned_in_slots_comes_back_from_plain_data(sides):
    attack = make("majority")
    model = learn(attack, sides[0])
    again, (identical, _) = attack.restore(model.pack()), sides[1].examples[ASKED]
    one, two = (fitted.enter(sides[1].view).score(identical, ASKED) for fitted in (model, again))
    assert (one == two).all()
    assert again.lesson(ASKED) == model.lesson(ASKED)


def test_a_pair_is_what_its_slots_say(sides):
    model = learn(make(), sides[0])
    view, (pairs, _) = sides[1].view, sides[1].examples[ASKED]
    degrees = view.channels[f"degree, in {SLOTS} slots"]
    tables = [view.channels[f"{c.name}, in {SLOTS} slots"].reshape(len(view), SLOTS, c.width) for c in CHANNELS]
    vectors = np.concatenate(tables, axis=2)
    comp = model.enter(view).score(pairs, ASKED)
    for k in range(0, len(pairs), 40):
        left, right = pairs.left[k], pairs.right[k]
        both = np.flatnonzero((degrees[left] > 0) & (degrees[right] > 0))
        if not both.size:
            assert comp[k] == 0.5
            continue
        forest, ends = model.learner.forests[ASKED], [vectors[left, both], vectors[right, both]]
        scores = forest.predict_proba(np.hstack(ends))[:, 1]
        (log_odds,) = naive.join(scores.tolist(), "log-odds")
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
    identical, _ = sides[0].examples[ASKED]
    attack = make()
    model = learn(attack, Known(sides[0].view, sides[0].person, {ASKED: Examples(identical, NO_PAIRS)}))
    for fitted in (model, attack.restore(model.pack())):
        assert (fitted.enter(sides[0].view).score(identical, ASKED) == 0.5).all()
        assert fitted.lesson(ASKED) == Lesson()


def test_any_attack_can_be_made_in_slots(sides):
    session = learn(make_attack(f"signature:slots={SLOTS},join=majority,large=1"), sides[0]).enter(sides[1].view)
    assert auc(*(session.score(pairs, ASKED) for pairs in sides[1].examples[ASKED])) > 0.5


@pytest.mark.parametrize("name", ["forest", "signature"])
def test_bad_parameters_are_named(name):
    with pytest.raises(InputError, match=f"{name}: slots = 0: give a whole number from 1 to 1,000"):
        make_attack(f"{name}:slots=0")
    with pytest.raises(InputError, match=f"{name}: join = vote: choose one of log-odds, summed-log-odds, majority"):
        make_attack(f"{name}:slots=4,join=vote")


def test_what_is_seen_in_slots_is_said():
    assert make_attack("forest").needs.slots == 1
    assert make().needs.slots == SLOTS
    assert "slots" not in make_attack("forest").describe()
    assert "The time was cut into 4 equal slots" in make("majority").describe()
    assert make("majority").describe().endswith("joined by majority.")


def test_an_audit_in_slots(mails):
    attack = f"{FOREST},features=degrees+contacts+contacts-out+weight-in,slots=3,join=majority"
    one, two = (audit(mails, f"d4d-2:{SHAPE}", attack=attack, threads=t, **QUICK) for t in (1, 2))
    assert [rate.hits for rate in one.rates] == [rate.hits for rate in two.rates]
    assert one.plan.attack.slots == 3
    assert one.auc["1-hop"].mean > 0.8


def test_degrees_do_not_care_for_events(mails, crowd):
    """Without slots and channels of events, the same audit with and without events gives the same digits."""
    bare, told = (audit(graph, f"d4d-1:{SHAPE}", attack=FOREST, **QUICK) for graph in (crowd, mails))
    assert [rate.hits for rate in bare.rates] == [rate.hits for rate in told.rates]
    assert bare.graph.digest == told.graph.digest


def test_moving_and_stretching_time_changes_nothing(mails):
    columns = {**mails.rows.columns, "time": 60 * mails.rows.columns["time"] + 10**6}
    moved = Graph.from_edges(mails.rows.source, mails.rows.target, columns=columns)
    one, two = (audit(graph, f"d4d-2:{SHAPE}", attack=f"{FOREST},slots=5", **QUICK) for graph in (mails, moved))
    assert [rate.hits for rate in one.rates] == [rate.hits for rate in two.rates]


def test_an_audit_without_the_columns(crowd, mails):
    with pytest.raises(InputError, match="feature contacts needs the events behind the edges, and there are none"):
        audit(crowd, f"d4d-2:{SHAPE}", attack=f"{FOREST},features=contacts", **QUICK)
    with pytest.raises(InputError, match="time in slots needs the events behind the edges"):
        audit(crowd, f"d4d-2:{SHAPE}", attack=f"{FOREST},slots=2", **QUICK)
    with pytest.raises(InputError, match="join = vote: choose one of log-odds, summed-log-odds, majority"):
        audit(mails, attack="forest:slots=2,join=vote", **QUICK)
    with pytest.raises(InputError, match="attacks in 1 and 2 slots of time see different releases"):
        audit(mails, f"d4d-2:{SHAPE}", attack=f"{FOREST},slots=2", beside=("signature",), **QUICK)
