"""Attacks that judge pairs one by one: what they learn, what they say, and what they keep."""

import numpy as np
import pytest

from thinveil.attacks import ATTACKS, Examples, ForestAttack, Known, Lesson, PairSession, SignatureAttack, make_attack
from thinveil.attacks.base import best_known, question_key, read_question
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, Needs, TwoHopHistogram, label, observe
from thinveil.features.pairs import CATEGORIES, NO_PAIRS, PROTOCOLS, PairSampler, Question
from thinveil.graph.reading import read_graph
from thinveil.learners.forest import PairForest
from thinveil.measures.rates import auc
from thinveil.runtime.streams import Seeds
from thinveil.schemes import D4D1

ASKED = Question("complete", "matched")
FOREST = ForestAttack(trees=30, bag_size=100, features=("degrees", "two-hop"), bins=6, bin_size=4)
CHANNELS = (DegreeHistogram(6, 4), TwoHopHistogram(6, 4))
NAMES = [channel.name for channel in CHANNELS]
SEEDS = Seeds(1)


@pytest.fixture(scope="module")
def sides(crowd):
    """Views and labelled pairs of a training and a test release."""
    made, releases = [], []
    for _ in range(2):
        releases.append(D4D1(egonets=15, min_size=60).publish(crowd, seed=4, avoid=releases))
        view = observe(releases[-1].public, FOREST.needs.join(SignatureAttack().needs), min_degree=3)
        labels = label(releases[-1].secret, view)
        sampler, rng = PairSampler(view.subgraph, labels), np.random.default_rng(0)
        pairs = sampler.identical("complete", 800, rng), sampler.different("matched", "complete", 800, rng)
        made.append(Known(view, labels.person, {ASKED: Examples(*pairs)}))
    return made


@pytest.fixture(scope="module")
def model(sides):
    return FOREST.fit(sides[0], seeds=SEEDS)


@pytest.fixture(scope="module")
def session(model, sides):
    return model.enter(sides[1].view)


def asked(side):
    return side.examples[ASKED]


def test_people_are_found_again(session, sides):
    scores = [session.score(pairs, ASKED) for pairs in asked(sides[1])]
    assert [values.size for values in scores] == [len(pairs) for pairs in asked(sides[1])]
    assert all(((values >= 0) & (values <= 1)).all() for values in scores)
    assert auc(*scores) > 0.6
    assert isinstance(session, PairSession)
    assert session.rounds == ()


def test_scores_are_the_forests(model, session, sides):
    identical, _ = asked(sides[1])
    X = np.hstack([sides[1].view.vectors(*NAMES)[side] for side in (identical.left, identical.right)])
    assert (session.score(identical, ASKED) == model.forests[ASKED].predict_proba(X)[:, 1]).all()


def test_training_is_the_forests(model, sides):
    identical, different = asked(sides[0])
    left, right = (np.append(getattr(identical, s), getattr(different, s)) for s in ("left", "right"))
    forest = PairForest(trees=30, bag_size=100, seed=SEEDS("forest complete"), widths=(6, 6))
    X = np.hstack([sides[0].view.vectors(*NAMES)[side] for side in (left, right)])
    forest.fit(X, np.arange(left.size) < len(identical))
    assert (forest.grown_.nodes == model.forests[ASKED].grown_.nodes).all()


def test_channels_of_the_view_are_kept_apart(model):
    assert model.forests[ASKED].widths_ == (6, 6)
    nodes = model.forests[ASKED].grown_.nodes
    assert ((nodes[:, 0] < 6) == (nodes[:, 1] < 6)).all()


def test_the_seed_decides(session, sides):
    identical, _ = asked(sides[1])
    again, other = (FOREST.fit(sides[0], seeds=Seeds(seed)).enter(sides[1].view) for seed in (1, 2))
    assert (again.score(identical, ASKED) == session.score(identical, ASKED)).all()
    assert (other.score(identical, ASKED) != session.score(identical, ASKED)).any()


def test_every_question_has_a_forest_of_its_own(sides):
    identical, different = asked(sides[0])
    swapped = Examples(different, identical)
    known = Known(sides[0].view, sides[0].person, {ASKED: asked(sides[0]), Question("1-hop", "paper"): swapped})
    session = FOREST.fit(known, seeds=SEEDS).enter(sides[1].view)
    right, wrong = (auc(*(session.score(p, q) for p in asked(sides[1]))) for q in known.examples)
    assert wrong < 0.45 < 0.6 < right


def test_an_attack_that_was_never_asked_takes_the_nearest_question(session, sides):
    identical, _ = asked(sides[1])
    assert (session.score(identical, Question("1-hop", "paper")) == session.score(identical, ASKED)).all()
    known = {Question(c, p): None for c in ("complete", "1-hop") for p in ("paper", "matched")}
    assert all(best_known(question, known) == question for question in known)
    assert best_known(Question("2-hop", "matched"), known) == Question("complete", "matched")
    assert best_known(Question("1-hop", "uniform"), known).category == "1-hop"
    with pytest.raises(ValueError, match="nothing was learned"):
        best_known(ASKED, {})


def test_questions_are_keys_of_files():
    every = [Question(category, protocol) for category in CATEGORIES for protocol in PROTOCOLS]
    assert [read_question(question_key(question)) for question in every] == every
    assert len({question_key(question) for question in every}) == len(every)


@pytest.mark.parametrize("attack", [FOREST, SignatureAttack(large=3)])
def test_what_was_learned_comes_back_from_plain_data(attack, sides):
    model = attack.fit(sides[0], seeds=SEEDS)
    again = attack.restore(model.pack())
    for pairs in asked(sides[1]):
        one, two = (fitted.enter(sides[1].view).score(pairs, ASKED) for fitted in (model, again))
        assert (one == two).all()
    assert again.lesson(ASKED) == model.lesson(ASKED)


def test_forests_of_other_parameters_are_not_restored(model):
    packed = model.pack()
    with pytest.raises(ValueError, match="something else than the parameters say"):
        ForestAttack(bins=7).restore(packed)
    with pytest.raises(ValueError, match="something else than the parameters say"):
        FOREST.restore(packed._replace(arrays={}))
    damaged = {key: part[: part.size // 2] for key, part in packed.arrays.items()}
    with pytest.raises(ValueError, match="matched complete"):  # it names the question whose forest is broken
        FOREST.restore(packed._replace(arrays=damaged))


def test_bad_parameters_are_named():
    with pytest.raises(InputError, match="forest: trees = 0: give a whole number from 1"):
        ForestAttack(trees=0)
    with pytest.raises(
        InputError, match=r"forest: features = degree: did you mean 'degrees'\? choose among degrees, two-hop"
    ):
        make_attack("forest:features=degree")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tree'"):
        ForestAttack(tree=5)


@pytest.mark.parametrize("name", list(ATTACKS))
def test_every_attack_says_what_it_is(name):
    attack = ATTACKS.make(name)
    assert attack.title
    assert attack.describe().endswith(".")
    assert isinstance(attack.learns, bool)
    assert isinstance(attack.needs, Needs)
    assert all(other in ATTACKS for other in attack.beside)


def test_the_lesson_of_a_forest(model):
    lesson = model.lesson(ASKED)
    assert 0 < len(lesson.important) <= 12
    assert lesson.tree.startswith("δ(v1[")
    for (i, j, share), (left, right, same) in zip(lesson.important, lesson.compared, strict=True):
        words = [CHANNELS[place // 6].words(place % 6) for place in (i, j)]
        assert ([left, right], same) == (words, share)
    assert lesson.tree_words.startswith("v[0] to v[5]: from contacts with 1 to 4 contacts")
    assert model.lesson(Question("1-hop", "paper")) == Lesson()


def test_signatures_link_everybody_near_both_egos_under_scheme_1(crowd):
    """Section 2.3: the 1-hop network of the ego's friends is preserved, so their signatures match exactly."""
    release = D4D1(egonets=15, min_size=60).publish(crowd, seed=4)
    session, sampler = by_signature(release, SignatureAttack(large=1), min_degree=0)
    rng = np.random.default_rng(0)
    assert sampler.count("1-hop") > 20
    assert (session.score(sampler.identical("1-hop", 10**6, rng), Question("1-hop")) == 1).all()
    assert session.score(sampler.different("matched", "1-hop", 5_000, rng), Question("1-hop")).mean() < 0.5


def by_signature(release, attack, min_degree=5):
    """A session of an attack that needs nothing to learn from, and what can be asked."""
    view = observe(release.public, attack.needs, min_degree=min_degree)
    labels = label(release.secret, view)
    session = attack.fit(Known(view, labels.person, {}), seeds=SEEDS).enter(view)
    return session, PairSampler(view.subgraph, labels)


def test_small_signatures_are_not_trusted(sides):
    model = SignatureAttack(large=10**6).fit(sides[0], seeds=SEEDS)
    assert (model.enter(sides[0].view).score(asked(sides[0]).identical, ASKED) == 0).all()
    assert model.lesson(ASKED) == Lesson()
    assert (model.enter(sides[0].view).links().cluster == -1).all()


def test_signatures_that_stand_once_in_a_sub_graph_are_clusters(crowd):
    release = D4D1(egonets=15, min_size=60).publish(crowd, seed=4)
    session, _ = by_signature(release, SignatureAttack(large=4), min_degree=3)
    signatures = [tuple(line) for line in session.view.vectors("signature").tolist()]
    places = list(zip(session.view.subgraph.tolist(), signatures, strict=True))
    links = session.links()
    groups = {}
    for appearance, signature in enumerate(signatures):
        groups.setdefault(signature, []).append(appearance)
    expected = {
        frozenset(group) for signature, group in groups.items()
        if len(group) > 1 and signature[0] >= 4 and all(places.count(places[a]) == 1 for a in group)
    }  # fmt: skip
    found = {frozenset(np.flatnonzero(links.cluster == k).tolist()) for k in range(links.cluster.max() + 1)}
    assert found == expected != set()
    assert ((links.probability == 1) == (links.cluster >= 0)).all()


def test_who_is_known_may_be_everybody_or_some(sides):
    assert sides[0].is_whole
    some = np.where(np.arange(sides[0].person.size) < 5, sides[0].person, -1)
    assert not Known(sides[0].view, some, {}).is_whole
    assert asked(sides[0]).suffice
    assert not asked(sides[0])._replace(identical=NO_PAIRS).suffice


def test_the_papers_ad_hoc_attack_on_its_own_graph(data_dir):
    """Table 1 of the paper: 100% of identical and 99.98% of non-identical pairs right."""
    graph = read_graph(data_dir / "soc-Epinions1.txt.gz")
    session, sampler = by_signature(D4D1().publish(graph, seed=0), SignatureAttack())
    rng, near = np.random.default_rng(0), Question("1-hop", "paper")
    assert session.score(sampler.identical("1-hop", 10**6, rng), near).mean() == 1
    assert session.score(sampler.different("paper", "1-hop", 100_000, rng), near).mean() <= 0.0005
