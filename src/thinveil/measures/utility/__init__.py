"""Utility: what a release keeps of the original, measure by measure.

A new measure is one file in ``families``, and one line in ``registry.FAMILIES``.
"""

from thinveil.measures.utility.base import Family, Measure
from thinveil.measures.utility.measuring import Utility, utility
from thinveil.measures.utility.registry import FAMILIES, choose

__all__ = ["FAMILIES", "Family", "Measure", "Utility", "choose", "utility"]
