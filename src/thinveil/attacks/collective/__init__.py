"""Collective linkage: sure links merge rows into people, and what these know of each other gives more links."""

from thinveil.attacks.collective.played import LinkedView, Played
from thinveil.attacks.collective.rounds import Linkage

__all__ = ["Linkage", "LinkedView", "Played"]
