"""Collective linkage: sure links merge rows into people, and what these know of each other gives more links."""

from thinveil.linkage.counting import Rebuilt, count_links, count_pairs, count_rebuilt
from thinveil.linkage.played import LinkedView, Played
from thinveil.linkage.rounds import Linkage

__all__ = ["Linkage", "LinkedView", "Played", "Rebuilt", "count_links", "count_pairs", "count_rebuilt"]
