"""Collective linkage: sure links merge appearances into clusters, and the contacts of clusters give more links."""

from thinveil.attacks.collective.links import Links
from thinveil.attacks.collective.played import Played
from thinveil.attacks.collective.rounds import Linker

__all__ = ["Linker", "Links", "Played"]
