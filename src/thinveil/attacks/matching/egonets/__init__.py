"""Naming the people of a release of many sub-graphs, each cut around one person."""

from thinveil.attacks.matching.egonets.matching import match_egonets

__all__ = ["match_egonets"]
