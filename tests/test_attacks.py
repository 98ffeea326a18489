import numpy as np
import pytest

from thinveil.attacks import ForestAttack
from thinveil.errors import InputError
from thinveil.features import DegreeHistogram, observe
from thinveil.metrics import auc
from thinveil.pairs import PairSampler
from thinveil.schemes import d4d_1

PARAMETERS = {"trees": 30, "bag_size": 100, "seed": 1}


@pytest.fixture(scope="module")
def sides(crowd):
    """Views, truths and labelled pairs of a training and a test release."""
    made = []
    for release in d4d_1(egonets=15, min_size=60).draw(crowd, releases=2, seed=4):
        view, truth = observe(release, [DegreeHistogram(6, 4), DegreeHistogram(3, 9)], min_degree=3)
        sampler, rng = PairSampler(view.subgraph, truth), np.random.default_rng(0)
        identical = sampler.identical("complete", 800, rng)
        made.append((view, identical, sampler.different("matched", "complete", 800, rng)))
    return made


@pytest.fixture(scope="module")
def attack(sides):
    attack = ForestAttack(**PARAMETERS)
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
    X = np.hstack([view.vectors[identical.left], view.vectors[identical.right]])
    assert (attack.score(view, identical) == attack.forest.predict_proba(X)[:, 1]).all()


def test_training_is_the_forests(attack, sides):
    view, identical, different = sides[0]
    left, right = (np.append(getattr(identical, s), getattr(different, s)) for s in ("left", "right"))
    forest = attack.forest.__class__(**PARAMETERS, widths=view.widths)
    forest.fit(np.hstack([view.vectors[left], view.vectors[right]]), np.arange(left.size) < len(identical))
    assert (forest.grown_.nodes == attack.forest.grown_.nodes).all()


def test_channels_of_the_view_are_kept_apart(attack):
    assert attack.forest.widths_ == (6, 3)
    nodes = attack.forest.grown_.nodes
    assert ((nodes[:, 0] < 6) == (nodes[:, 1] < 6)).all()


def test_the_seed_decides(attack, sides):
    again, other = ForestAttack(**PARAMETERS), ForestAttack(**{**PARAMETERS, "seed": 2})
    for one in (again, other):
        one.fit(*sides[0])
    view, identical, _ = sides[1]
    assert (again.score(view, identical) == attack.score(view, identical)).all()
    assert (other.score(view, identical) != attack.score(view, identical)).any()


def test_bad_parameters_are_named(sides):
    with pytest.raises(InputError, match="trees = 0: give a whole number from 1"):
        ForestAttack(trees=0).fit(*sides[0])
    with pytest.raises(TypeError, match="unexpected keyword argument 'tree'"):
        ForestAttack(tree=5)


def test_the_attack_has_a_name(attack):
    assert attack.name == "forest"
