"""Matching: published appearances against people who have names."""

from thinveil.attacks.matching.matcher import FAR, NEAR, UNKNOWN, Matcher, Matches
from thinveil.attacks.matching.ratios import Ratios
from thinveil.attacks.matching.sightings import Sightings, gather

__all__ = ["FAR", "NEAR", "UNKNOWN", "Matcher", "Matches", "Ratios", "Sightings", "gather"]
