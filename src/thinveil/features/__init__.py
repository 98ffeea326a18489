"""Features: from published sub-graphs to one table of numbers about their nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from thinveil.errors import InputError
from thinveil.features.base import Channel, RowTruth, View, kept_neighbors, observe
from thinveil.features.degrees import DegreeHistogram
from thinveil.features.neighbors import Neighbors
from thinveil.features.signatures import Signature

FEATURES: dict[str, Callable[[int, int], Channel]] = {"degrees": DegreeHistogram}
"""The channels that a user can choose by name, made from the number of bins and their size."""

__all__ = [
    "FEATURES",
    "Channel",
    "DegreeHistogram",
    "Neighbors",
    "RowTruth",
    "Signature",
    "View",
    "kept_neighbors",
    "make_channels",
    "observe",
]


def make_channels(names: Iterable[str], *, bins: int, bin_size: int) -> tuple[Channel, ...]:
    """Return the channels of those names.

    Examples
    --------
    >>> make_channels(["degrees"], bins=70, bin_size=15)
    (DegreeHistogram(bins=70, bin_size=15),)
    """
    unknown = sorted(set(names) - set(FEATURES))
    if unknown:
        raise InputError(f"unknown feature {unknown[0]!r}: choose among {', '.join(FEATURES)}")
    return tuple(FEATURES[name](bins, bin_size) for name in names)
