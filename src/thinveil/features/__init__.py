"""Features: from published sub-graphs to one table of numbers about their nodes."""

from thinveil.features.base import Channel, RowTruth, View, observe
from thinveil.features.degrees import DegreeHistogram
from thinveil.features.signatures import Signature

__all__ = ["Channel", "DegreeHistogram", "RowTruth", "Signature", "View", "observe"]
