"""Stitching: links join sub-graphs into a larger graph, which is attacked again (Section 5.1 of the paper)."""

from thinveil.stitching.counting import Rebuilt, count_rebuilt
from thinveil.stitching.rounds import Round, Stitcher

__all__ = ["Rebuilt", "Round", "Stitcher", "count_rebuilt"]
