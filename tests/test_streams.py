import numpy as np
import pytest

from thinveil.errors import InputError
from thinveil.runtime.streams import Seeds, check_seed, stream


def draws(*path):
    return stream(*path).integers(2**62, size=4).tolist()


def test_a_name_is_a_stream():
    assert draws(3, "egos", 1) == draws(3, "egos", 1)


def test_the_order_of_asking_does_not_matter():
    names = [(0, "a"), (0, "b"), (0, "a", 1), (1, "a"), (0, "a", 1, 1), (2**63 - 1, "a")]
    forward = {name: draws(*name) for name in names}
    backward = {name: draws(*name) for name in reversed(names)}
    assert forward == backward
    assert len({tuple(numbers) for numbers in forward.values()}) == len(names)


def test_a_longer_path_is_another_stream():
    assert draws(0, "pseudonyms") != draws(0, "pseudonyms", 0)
    assert draws(0, "pseudonyms", 0) != draws(0, "pseudonyms", 0, 0)


def test_streams_are_unrelated():
    table = np.array([stream(0, "pseudonyms", 0, k).random(200) for k in range(1, 40)])
    correlations = np.corrcoef(table)[np.triu_indices(39, 1)]
    assert abs(correlations).max() < 5 / np.sqrt(200)
    assert abs(correlations.mean()) < 0.01


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, "1", None, True, float("nan")])
def test_bad_seeds_are_named(seed):
    with pytest.raises(InputError, match=r"seed .* is not allowed: give a whole number from 0 to 2\^63 - 1"):
        stream(seed, "egos")


def test_numpy_seeds_become_plain():
    assert type(check_seed(np.int32(5))) is int
    assert draws(np.int64(5), "a") == draws(5, "a")


def test_seeds_of_a_draw_go_by_purpose():
    first, second = Seeds(7, (0,)), Seeds(7, (1,))
    names = ("releases", "training release", "forest complete")
    forward = [first(name) for name in names]
    assert forward == [Seeds(7, (0,))(name) for name in reversed(names)][::-1]
    assert len({*forward, *(second(name) for name in names), *(Seeds(8, (0,))(name) for name in names)}) == 9
    assert all(check_seed(seed) == seed for seed in forward)


def test_seeds_are_streams_by_name():
    """The names of the streams are part of what a seed means: a digit must not change with the code."""
    seeds = Seeds(7, (3,))
    assert seeds("releases") == stream(7, "releases", 3).integers(2**62)
    assert seeds.stream("test pairs", "1-hop").random() == stream(7, "test pairs", 3, "1-hop").random()
    assert Seeds(7)("releases") == stream(7, "releases").integers(2**62)
    assert Seeds(7)("releases") != Seeds(7, (0,))("releases")


def test_the_first_numbers_of_a_stream_never_change():
    """Frozen: results of earlier versions can be repeated only while these stand."""
    assert stream(0, "egos").integers(1000, size=4).tolist() == [413, 396, 948, 130]
    assert Seeds(7, (0,))("releases") == 560708071822161520
