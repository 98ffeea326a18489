"""Anonymization schemes: from a graph to a release of published sub-graphs."""

from __future__ import annotations

from thinveil.runtime.registry import Registry
from thinveil.schemes.base import NOBODY, Parts, Published, Release, Scheme, Secret, told_apart
from thinveil.schemes.egonets import D4D1, D4D2, Egonets
from thinveil.schemes.egos import detect_ego
from thinveil.schemes.external.command import Command
from thinveil.schemes.external.imported import Imported
from thinveil.schemes.foreign.elsewhere import Elsewhere
from thinveil.schemes.foreign.opening import read_release
from thinveil.schemes.layout import REPEATABLE
from thinveil.schemes.pseudonyms import Pseudonyms
from thinveil.schemes.sealing import seal
from thinveil.schemes.writing import check_release_places, write_release

SCHEMES: Registry[Scheme] = Registry(
    "scheme",
    (D4D1, D4D2, Pseudonyms),
    forms=(Command, Imported, Elsewhere),
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
    "seal",
    "told_apart",
    "write_release",
]


register_scheme = SCHEMES.add
"""Make a scheme of one's own known by its name: ``register_scheme(MyScheme)``, or as a decorator."""


def make_scheme(word: str) -> Scheme:
    """Return the scheme that a word names.

    Examples
    --------
    >>> make_scheme("d4d-2:egonets=10")
    D4D2(egonets=10, min_size=400)
    """
    return SCHEMES.make(word)
