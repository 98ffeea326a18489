"""A plan decides every number of an audit: it is made from words, checked, and comes back from its tables."""

import json
import pickle
import tomllib
from dataclasses import asdict, replace

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from thinveil.attacks import ATTACKS, ForestAttack, SignatureAttack, StrongAttack
from thinveil.attacks.matching import NamesAttack
from thinveil.auditing.plan import Plan, Sampling
from thinveil.errors import InputError
from thinveil.features.pairs import CATEGORIES, PROTOCOLS, Question
from thinveil.schemes import D4D1, D4D2, SCHEMES, Pseudonyms
from thinveil.threats import THREATS, Identification, Linkage

schemes = st.one_of(
    st.builds(D4D1, egonets=st.integers(2, 500), min_size=st.integers(0, 10**6)), st.just(D4D2()), st.just(Pseudonyms())
)
attacks = st.one_of(
    st.builds(
        ForestAttack,
        trees=st.integers(1, 1000),
        smallest=st.floats(0.01, 1) | st.just(1),
        features=st.lists(st.sampled_from(["degrees", "two-hop", "weight-in"]), unique=True).map(tuple),
        slots=st.integers(1, 9),
        join=st.sampled_from(["log-odds", "majority"]),
    ),
    st.builds(StrongAttack, rounds=st.integers(0, 9), sure=st.floats(0.01, 0.99)),
    st.builds(SignatureAttack, large=st.integers(0, 99)),
)
threats = st.one_of(
    st.builds(Linkage, known=st.integers(0, 99), unseen=st.booleans()),
    st.builds(Identification, node_overlap=st.floats(0.01, 1), known=st.none() | st.integers(0, 99)),
)
samplings = st.builds(
    Sampling,
    protocol=st.sampled_from(PROTOCOLS),
    categories=st.sets(st.sampled_from(CATEGORIES[:3])).map(lambda chosen: (*sorted(chosen), "complete")),
    min_degree=st.integers(0, 99),
    test_pairs=st.integers(1, 10**8),
    people=st.none() | st.integers(1, 10**9),
)
plans = st.builds(
    Plan,
    threats,
    schemes,
    attacks,
    st.lists(attacks, max_size=2).map(tuple),
    samplings,
    repeats=st.integers(1, 99),
    seed=st.integers(0, 2**63 - 1),
)


def test_defaults_are_the_papers():
    """All but the protocol, which is the honest question, the attack, and more test pairs."""
    paper = {
        "scheme": {"egonets": 100, "min_size": 400, "most_nodes": 0},  # Section 4.1, Epinions
        "forest": {
            "bins": 70, "bin_size": 15,  # Section 3.3
            "trees": 400, "bag_size": 600,  # Section 4.1
            "candidates": 0.05, "thresholds": 21, "smallest": 0.1,  # Section 3.4: 5%, steps of 0.05, 10%
        },
        "sampling": {"min_degree": 5, "people": None, "categories": CATEGORIES, "protocol": "matched"},
    }  # fmt: skip
    plan = Plan.make()
    held = {"scheme": plan.scheme, "forest": plan.beside[0], "sampling": plan.sampling}
    for name, values in paper.items():
        defaults = asdict(held[name])
        assert {key: defaults[key] for key in values} == values
    assert (plan.threat, plan.scheme, plan.attack) == (Linkage(known=0, unseen=False), D4D2(), StrongAttack())
    assert plan.beside == (ForestAttack(), SignatureAttack())
    assert (plan.repeats, plan.seed) == (1, 0)


@few
@given(plans)
def test_tables_make_the_same_plan_again(plan):
    tables = plan.tables()
    assert Plan.from_tables(tables) == plan
    assert Plan.from_tables(tomllib.loads(tomli_w.dumps(tables))) == plan  # what settings.toml holds
    assert Plan.from_tables(json.loads(json.dumps(tables))) == plan  # what result.json holds
    assert pickle.loads(pickle.dumps(plan)) == plan  # what a worker gets


@few
@given(plans)
def test_words_make_the_same_plan_again(plan):
    words = SCHEMES.word(plan.scheme), ATTACKS.word(plan.attack)
    beside = [ATTACKS.word(one) for one in plan.beside]
    single = {**asdict(plan.sampling), "repeats": plan.repeats, "seed": plan.seed}
    assert Plan.make(*words, threat=THREATS.word(plan.threat), beside=beside, **single) == plan


@few
@given(plans)
def test_a_plan_starts_from_another(plan):
    assert Plan.make(base=plan) == plan
    changed = Plan.make(base=plan, scheme="d4d-2:egonets=7", seed=5, min_degree=2)
    assert changed == replace(plan, scheme=D4D2(egonets=7), seed=5, sampling=replace(plan.sampling, min_degree=2))
    # another attack comes with those that it names, and not with those of the plan before
    assert Plan.make(base=plan, attack="forest").beside == ()
    assert Plan.make(base=plan, attack="strong").beside == (ForestAttack(), SignatureAttack())


def test_a_table_may_leave_out_what_is_the_default():
    assert Plan.from_tables({}) == Plan.make(beside=())
    short = {"plan": {"seed": 3}, "scheme": {"name": "d4d-1"}, "sampling": {"protocol": "paper"}}
    assert Plan.from_tables(short) == Plan.make("d4d-1", beside=(), seed=3, protocol="paper")


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"plan": {"sead": 1}}, r"unknown setting 'sead' in \[plan\]: did you mean 'seed'. known are repeats, seed"),
        ({"plan": {"seed": "1"}}, "seed '1' is not allowed"),
        ({"plan": {"repeats": 0}}, "repeats = 0: give a whole number from 1"),
        ({"plan": 3}, r"plan = 3 is not a table \[plan\]"),
        ({"attack": "forest"}, r"attack = 'forest' is not a table \[attack\]"),
        ({"scheme": {"egonets": 5}}, "the table of the scheme has no name"),
        ({"scheme": {"name": "d4d-2", "egonet": 5}}, "d4d-2: no parameter is called 'egonet': .*egonets, min_size"),
        ({"scheme": {"name": "d4d-2", "egonets": "5"}}, "d4d-2: egonets = 5: give a whole number"),
        ({"attack": {"name": "forrest"}}, "unknown attack 'forrest': did you mean 'forest'"),
        ({"threat": {"name": "linkage", "known": -1}}, "linkage: known = -1: give a whole number from 0"),
        ({"beside": [{"name": "x"}]}, "unknown attack 'x'"),
        ({"sampling": {"protocols": "paper"}}, "no parameter is called 'protocols': .*protocol, categories"),
        ({"sampling": {"categories": ["1-hop"]}}, "categories = 1-hop: complete must be among them"),
    ],
)
def test_tables_that_are_wrong_are_refused_in_one_line(tables, message):
    with pytest.raises(InputError, match=message) as caught:
        Plan.from_tables(tables)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"protocol": "fair"}, "protocol = fair: choose one of paper, uniform, matched"),
        ({"repeats": 0}, "repeats = 0: give a whole number from 1"),
        ({"repeats": True}, "repeats = yes: give a whole number"),
        ({"test_negatives": -5}, "test_negatives = -5: give a whole number from 1"),
        ({"test_negatives": 1.5}, r"test_negatives = 1\.5: give a whole number"),
        ({"min_degree": -1}, "min_degree = -1: give a whole number from 0"),
        ({"min_degree": "5"}, "min_degree = 5: give a whole number"),
        ({"people": 0}, "people = 0: give a whole number from 1"),
        ({"people": 0.5}, r"people = 0\.5: give a whole number"),
        ({"people": True}, "people = yes: give a whole number"),
        ({"categories": ("complete", "3-hop")}, r"complete\+3-hop: did you mean '.-hop'. choose among 1-hop"),
        ({"categories": ("1-hop",)}, "categories = 1-hop: complete must be among them"),
        ({"seed": -1}, "seed -1 is not allowed"),
        ({"seed": 1.0}, r"seed 1\.0 is not allowed"),
        ({"min_degre": 3}, "unknown setting 'min_degre': did you mean 'min_degree'. known are categories, min_degree"),
        ({"trees": 3}, "unknown setting 'trees': .*known are categories, min_degree"),
        ({"scheme": "d4d_2"}, "unknown scheme 'd4d_2': did you mean 'd4d-2'. known are d4d-1, d4d-2, pseudonyms"),
        ({"attack": "strongest"}, "unknown attack 'strongest': did you mean 'strong'"),
        ({"threat": "link"}, "unknown threat 'link': did you mean 'linkage'"),
        ({"beside": ("forset",)}, "unknown attack 'forset': did you mean 'forest'"),
    ],
)
def test_what_is_not_allowed_is_named(changes, message):
    with pytest.raises(InputError, match=message) as caught:
        Plan.make(**changes)
    assert "\n" not in str(caught.value)


def test_plans_are_frozen():
    plan = Plan.make()
    for owner, name in ((plan, "seed"), (plan.sampling, "protocol"), (plan.scheme, "egonets"), (plan.attack, "sure")):
        with pytest.raises(AttributeError):
            setattr(owner, name, 5)


def test_what_stands_beside_what():
    def kinds(plan):
        return [(one.attack.name, one.protocol) for one in plan.measured]

    others = [(attack, protocol) for attack in ("forest", "signature") for protocol in ("paper", "matched")]
    assert kinds(Plan.make(protocol="paper")) == [("strong", "paper"), ("strong", "matched"), *others]
    assert kinds(Plan.make()) == [("strong", "matched"), ("strong", "paper"), *others]
    assert len(kinds(Plan.make(protocol="uniform"))) == 7
    assert kinds(Plan.make(beside=())) == [("strong", "matched")]
    for alone in ("forest", "signature"):
        assert kinds(Plan.make(attack=alone)) == [(alone, "matched")]


def test_the_questions_of_an_attack():
    plan = Plan.make(beside=("signature",), protocol="uniform")
    strong, signature = plan.attack, plan.beside[0]
    asked = plan.questions(strong, ("1-hop", "complete"))
    assert [one.protocol for one in asked[::2]] == ["uniform", "paper", "matched"]
    assert asked[:2] == (Question("1-hop", "uniform"), Question("complete", "uniform"))
    assert {one.protocol for one in plan.questions(signature, ("complete",))} == {"paper", "matched"}


def test_all_attacks_see_the_release_once():
    plan = Plan.make(beside=("forest", "signature"))
    names = [channel.name for channel in plan.needs.channels]
    assert len(set(names)) == len(names)
    assert {channel.name for one in (plan.attack, *plan.beside) for channel in one.needs.channels} == set(names)
    assert plan.needs.neighbors
    with pytest.raises(InputError, match="attacks in 1 and 3 slots of time see different releases"):
        _ = Plan.make(beside=("forest:slots=3",)).needs
    # those that an attack names itself look at as many slots as it does
    assert [one.slots for one in Plan.make(attack="strong:slots=3").beside] == [3, 3]
    assert Plan.make(attack="strong:slots=3").needs.slots == 3


@pytest.mark.parametrize(
    ("threat", "other_graph", "known", "features"),
    [
        ("identification", False, 50, ("degrees", "two-hop")),
        ("identification", True, 0, ("degrees", "two-hop")),
        ("identification:known=7", False, 7, ("degrees", "two-hop")),
        ("identification:known=0", False, 0, ("degrees", "two-hop")),
        ("linkage", False, 0, ("degrees",)),
        ("linkage", True, 0, ("degrees",)),
        ("linkage:known=7", False, 7, ("degrees",)),
    ],
)
def test_the_threat_decides_what_nobody_else_did(threat, other_graph, known, features):
    plan = Plan.make(attack="forest", threat=threat).resolved(other_graph=other_graph)
    assert (plan.threat.known, plan.attack.features) == (known, features)
    assert plan.resolved(other_graph=other_graph) == plan
    chosen = Plan.make(attack="forest:features=contacts", threat=threat).resolved(other_graph=other_graph)
    assert chosen.attack.features == ("contacts",)
    # the strong attack compares the network anyhow, and no histograms of degrees
    assert Plan.make(attack="strong", threat=threat).resolved(other_graph=other_graph).attack == StrongAttack()


@pytest.mark.parametrize(
    ("threat", "scheme", "attack"),
    [("linkage", D4D2(), StrongAttack()), ("identification", Pseudonyms(), NamesAttack())],
)
def test_a_threat_has_its_own_defaults(threat, scheme, attack):
    plan = Plan.make(threat=threat)
    assert (plan.scheme, plan.attack) == (scheme, attack)


@pytest.mark.parametrize(
    ("threat", "other_graph", "message"),
    [
        ("linkage:known=5", True, "known = 5 are people of the attacked graph: leave --train-on out, or known"),
        ("identification:known=5", True, "known = 5 are people of the attacked graph: leave --train-on out, or known"),
        ("linkage:known=5,unseen=yes", False, "known = 5 people come from the attacked release.*: leave unseen out"),
        ("linkage:unseen=yes", True, "unseen people cannot be told apart across two graphs"),
    ],
)
def test_what_does_not_go_together_is_said(threat, other_graph, message):
    plan = Plan.make(threat=threat)
    with pytest.raises(InputError, match=message):
        plan.resolved(other_graph=other_graph)
