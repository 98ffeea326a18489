import numpy as np
import pytest

from thinveil.attacks import ForestAttack, Lesson, SignatureAttack
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, Signature, TwoHopHistogram, observe
from thinveil.features.pairs import PairSampler
from thinveil.graph.reading import read_graph
from thinveil.measures.rates import auc
from thinveil.schemes import d4d_1

PARAMETERS = {"trees": 30, "bag_size": 100, "seed": 1}
CHANNELS = (DegreeHistogram(6, 4), TwoHopHistogram(3, 9))
NAMES = [channel.name for channel in CHANNELS]


@pytest.fixture(scope="module")
def sides(crowd):
    """Views, truths and labelled pairs of a training and a test release."""
    made = []
    for release in d4d_1(egonets=15, min_size=60).draw(crowd, releases=2, seed=4):
        view, truth = observe(release, [*CHANNELS, Signature()], min_degree=3)
        sampler, rng = PairSampler(view.subgraph, truth), np.random.default_rng(0)
        identical = sampler.identical("complete", 800, rng)
        made.append((view, identical, sampler.different("matched", "complete", 800, rng)))
    return made


@pytest.fixture(scope="module")
def attack(sides):
    attack = ForestAttack(*CHANNELS, **PARAMETERS)
    attack.fit(*sides[0])
    return attack


def test_people_are_found_again(attack, sides):
    view, identical, different = sides[1]
    scores = [attack.score(view, pairs) for pairs in (identical, different)]
    assert [values.size for values in scores] == [len(identical), len(different)]
    assert all(((values >= 0) & (values <= 1)).all() for values in scores)
    assert auc(*scores) > 0.6


def test_scores_are_the_forests(attack, sides):
    view, identical, _ = sides[1]
    X = np.hstack([view.vectors(*NAMES)[side] for side in (identical.left, identical.right)])
    assert (attack.score(view, identical) == attack.forest.predict_proba(X)[:, 1]).all()


def test_training_is_the_forests(attack, sides):
    view, identical, different = sides[0]
    left, right = (np.append(getattr(identical, s), getattr(different, s)) for s in ("left", "right"))
    forest = attack.forest.__class__(**PARAMETERS, widths=(6, 3))
    forest.fit(np.hstack([view.vectors(*NAMES)[side] for side in (left, right)]), np.arange(left.size) < len(identical))
    assert (forest.grown_.nodes == attack.forest.grown_.nodes).all()


def test_channels_of_the_view_are_kept_apart(attack):
    assert attack.forest.widths_ == (6, 3)
    nodes = attack.forest.grown_.nodes
    assert ((nodes[:, 0] < 6) == (nodes[:, 1] < 6)).all()


def test_the_seed_decides(attack, sides):
    again, other = ForestAttack(*CHANNELS, **PARAMETERS), ForestAttack(*CHANNELS, **{**PARAMETERS, "seed": 2})
    for one in (again, other):
        one.fit(*sides[0])
    view, identical, _ = sides[1]
    assert (again.score(view, identical) == attack.score(view, identical)).all()
    assert (other.score(view, identical) != attack.score(view, identical)).any()


def test_bad_parameters_are_named(sides):
    with pytest.raises(InputError, match="trees = 0: give a whole number from 1"):
        ForestAttack(*CHANNELS, trees=0).fit(*sides[0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'tree'"):
        ForestAttack(tree=5)


def test_the_lesson_of_a_forest(attack):
    lesson = attack.lesson()
    assert 0 < len(lesson.important) <= 12
    assert lesson.tree.startswith("δ(v1[")


def test_signatures_link_everybody_near_both_egos_under_scheme_1(crowd):
    """Section 2.3: the 1-hop network of the ego's friends is preserved, so their signatures match exactly."""
    (release,) = d4d_1(egonets=15, min_size=60).draw(crowd, releases=1, seed=4)
    attack = SignatureAttack(large=1)
    view, truth = observe(release, attack.channels, min_degree=0)
    sampler, rng = PairSampler(view.subgraph, truth), np.random.default_rng(0)
    assert sampler.count("1-hop") > 20
    assert (attack.score(view, sampler.identical("1-hop", 10**6, rng)) == 1).all()
    assert attack.score(view, sampler.different("matched", "1-hop", 5_000, rng)).mean() < 0.5


def test_small_signatures_are_not_trusted(sides):
    view, identical, different = sides[0]
    attack = SignatureAttack(large=10**6)
    attack.fit(view, identical, different)
    assert (attack.score(view, identical) == 0).all()
    assert attack.lesson() == Lesson()


def test_the_papers_ad_hoc_attack_on_its_own_graph(data_dir):
    """Table 1 of the paper: 100% of identical and 99.98% of non-identical pairs right."""
    graph = read_graph(data_dir / "soc-Epinions1.txt.gz")
    (release,) = d4d_1().draw(graph, releases=1, seed=0)
    attack = SignatureAttack()
    view, truth = observe(release, attack.channels)
    sampler, rng = PairSampler(view.subgraph, truth), np.random.default_rng(0)
    assert attack.score(view, sampler.identical("1-hop", 10**6, rng)).mean() == 1
    assert attack.score(view, sampler.different("paper", "1-hop", 100_000, rng)).mean() <= 0.0005
