"""Anonymization schemes: from a graph to a release of published sub-graphs."""

from __future__ import annotations

from thinveil.errors import InputError
from thinveil.runtime.registry import Registry
from thinveil.schemes.add_delete import AddDelete
from thinveil.schemes.base import NOBODY, Parts, Promise, Published, Release, Scheme, Secret, told_apart
from thinveil.schemes.chain import Chain, split_steps
from thinveil.schemes.clusters import Clusters
from thinveil.schemes.dp_degrees import DpDegrees
from thinveil.schemes.drop_hubs import DropHubs
from thinveil.schemes.egonets import D4D1, D4D2, Egonets
from thinveil.schemes.egos import detect_ego
from thinveil.schemes.external.command import Command
from thinveil.schemes.external.imported import Imported
from thinveil.schemes.foreign.elsewhere import Elsewhere
from thinveil.schemes.foreign.opening import read_release
from thinveil.schemes.k_degree import KDegree
from thinveil.schemes.layout import REPEATABLE
from thinveil.schemes.priv_graph import PrivGraph
from thinveil.schemes.pseudonyms import Pseudonyms
from thinveil.schemes.random_graph import RandomGraph
from thinveil.schemes.random_walk import RandomWalk
from thinveil.schemes.sealing import seal
from thinveil.schemes.sparsify import Sparsify
from thinveil.schemes.switch import Switch
from thinveil.schemes.tmf import TopMFilter
from thinveil.schemes.uncertain import Uncertain
from thinveil.schemes.writing import check_release_places, write_release

SCHEMES: Registry[Scheme] = Registry(
    "scheme",
    (
        D4D1,
        D4D2,
        Pseudonyms,
        Sparsify,
        AddDelete,
        Switch,
        RandomWalk,
        KDegree,
        Clusters,
        RandomGraph,
        DropHubs,
        DpDegrees,
        TopMFilter,
        PrivGraph,
        Uncertain,
    ),
    forms=(Chain, Command, Imported, Elsewhere),
    group="thinveil.schemes",
)
"""The schemes that can be chosen by name: a line each."""

__all__ = [
    "D4D1",
    "D4D2",
    "NOBODY",
    "REPEATABLE",
    "SCHEMES",
    "Command",
    "Egonets",
    "Elsewhere",
    "Imported",
    "Parts",
    "Promise",
    "Pseudonyms",
    "Published",
    "Release",
    "Scheme",
    "Secret",
    "check_release_places",
    "detect_ego",
    "make_scheme",
    "read_release",
    "register_scheme",
    "scheme_of_release",
    "seal",
    "told_apart",
    "write_release",
]


_OWN = frozenset(SCHEMES)
"""Schemes that come with thinveil, and run no code of anybody else."""


def scheme_of_release(word: str) -> Scheme | None:
    """Return the scheme that a release says it was made by; None where it is not known.

    A stranger wrote the release: of words with parameters only those of thinveil's own schemes are followed.
    """
    if word in set(SCHEMES):
        return SCHEMES.make(word)
    try:
        steps = split_steps(word, set(SCHEMES))
        return SCHEMES.make(word) if all(step.partition(":")[0] in _OWN for step in steps) else None
    except InputError:
        return None


register_scheme = SCHEMES.add
"""Make a scheme of one's own known by its name: ``register_scheme(MyScheme)``, or as a decorator."""


def make_scheme(word: str) -> Scheme:
    """Return the scheme that a word names.

    Examples
    --------
    >>> make_scheme("d4d-2:egonets=10")
    D4D2(egonets=10, min_size=400, most_nodes=0)
    """
    return SCHEMES.make(word)
