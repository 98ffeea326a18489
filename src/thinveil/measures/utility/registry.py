"""The measures that there are, and which of them a user means."""

from __future__ import annotations

from collections.abc import Iterable

from thinveil.errors import InputError
from thinveil.measures.utility.base import About, Family
from thinveil.measures.utility.families.clustering import CLUSTERING
from thinveil.measures.utility.families.communities import COMMUNITIES
from thinveil.measures.utility.families.contacts import CONTACTS
from thinveil.measures.utility.families.cores import CORES
from thinveil.measures.utility.families.degrees import DEGREES
from thinveil.measures.utility.families.eigenvalues import EIGENVALUES
from thinveil.measures.utility.families.paths import PATHS
from thinveil.measures.utility.families.ranks import RANKS
from thinveil.measures.utility.families.size import SIZE
from thinveil.measures.utility.families.triangles import TRIANGLES
from thinveil.runtime.parameters import suggest

FAMILIES: tuple[Family, ...] = (
    SIZE,
    DEGREES,
    CLUSTERING,
    TRIANGLES,
    PATHS,
    CORES,
    EIGENVALUES,
    RANKS,
    COMMUNITIES,
    CONTACTS,
)
"""The families of measures, in the order in which they are told: a line each."""


def choose(names: str | Iterable[str] | None) -> dict[Family, tuple[About, ...]]:
    """Return the measures that are meant, by family; or say which name is unknown."""
    every = {family: family.measures for family in FAMILIES}
    if names is None:
        return every
    asked = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    known = {name for family in FAMILIES for name in (family.name, *(about.name for about in family.measures))}
    for name in asked:
        if name not in known:
            raise InputError(f"unknown measure of utility {name!r}: {suggest(name, sorted(known))}")
    chosen = {
        family: tuple(about for about in abouts if family.name in asked or about.name in asked)
        for family, abouts in every.items()
    }
    return {family: abouts for family, abouts in chosen.items() if abouts}
