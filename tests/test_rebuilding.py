"""Rebuilding end to end: what decides the numbers, and what must not."""

from dataclasses import dataclass

import numpy as np
import pytest

from thinveil.auditing.rebuilding import rebuild
from thinveil.errors import InputError, SampleError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.schemes import make_scheme
from thinveil.schemes.base import Published, Secret

CHOICES = {"attack": "signature", "rounds": 1, "seed": 3}


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(1500, seed=3)


@dataclass
class Lying:
    """A scheme whose second release comes with a wrong truth."""

    inner: object
    name = "lying"

    def settings(self):
        return self.inner.settings()

    def draw(self, graph, *, releases, seed):
        first, second = self.inner.draw(graph, releases=releases, seed=seed)
        rng = np.random.default_rng(0)
        return first, [Published(public, Secret(rng.permutation(s.people), s.hops)) for public, s in second]


def test_the_truth_of_the_release_under_attack_changes_no_link(graph):
    scheme = make_scheme("d4d-1", egonets=30, min_size=50)
    (honest,), (lied,) = (rebuild(graph, one, seeds=0, **CHOICES).rounds for one in (scheme, Lying(scheme)))
    assert [(one.links, one.merged, one.subgraphs) for one in honest] == [
        (one.links, one.merged, one.subgraphs) for one in lied
    ]
    assert honest[-1].right > 5 * lied[-1].right


def test_the_seed_decides(graph):
    sizes = {"egonets": 6, "min_size": 50}
    one, two, other = (
        rebuild(graph, "d4d-1", **sizes, **{**CHOICES, "rounds": 0, "seed": seed}).to_dict() for seed in (1, 1, 2)
    )
    assert one.pop("seconds").keys() == {"learn", "seeds", "stitch"}
    two.pop("seconds")
    assert one == two
    assert one["rounds"] != other["rounds"]
    assert len(one["seeds"]) == len(one["rounds"]) == 1


def test_bad_input_is_named(graph, ring):
    with pytest.raises(InputError, match="is not a graph"):
        rebuild("graph.csv")
    with pytest.raises(InputError, match="links at least 0 probable"):
        rebuild(graph, sure=0)
    with pytest.raises(SampleError, match="no two training sub-graphs share anybody"):
        rebuild(ring, egonets=2, min_size=3, min_degree=3)
