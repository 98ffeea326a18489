"""Features: from published sub-graphs to one table of numbers about their nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from thinveil.errors import InputError
from thinveil.features.channels.degrees import DegreeHistogram
from thinveil.features.channels.events import KINDS, EventHistogram
from thinveil.features.channels.signatures import Signature
from thinveil.features.channels.slots import Degree, InSlots
from thinveil.features.channels.surroundings import Surroundings
from thinveil.features.channels.twohop import TwoHopHistogram
from thinveil.features.neighbors import Neighbors
from thinveil.features.views import Channel, RowTruth, View, kept_neighbors, observe


def _make_events(kind: str, bins: int, bin_size: int) -> Channel:
    return EventHistogram(kind)


FEATURES: dict[str, Callable[[int, int], Channel]] = {
    "degrees": DegreeHistogram,
    "two-hop": TwoHopHistogram,
    **{kind: partial(_make_events, kind) for kind in KINDS},
}
"""The channels that a user can choose by name, made from the number of bins and their size."""

__all__ = [
    "FEATURES",
    "Channel",
    "Degree",
    "DegreeHistogram",
    "EventHistogram",
    "InSlots",
    "Neighbors",
    "RowTruth",
    "Signature",
    "Surroundings",
    "TwoHopHistogram",
    "View",
    "find_component",
    "join_channels",
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


def join_channels(*groups: Iterable[Channel]) -> tuple[Channel, ...]:
    """Return the channels of all groups, each once."""
    return tuple({channel.name: channel for group in groups for channel in group}.values())


def find_component(component: int, channels: Sequence[Channel]) -> tuple[int, int]:
    """Return which channel a component of a whole vector belongs to, and its place there.

    Examples
    --------
    >>> find_component(72, make_channels(["degrees", "contacts"], bins=70, bin_size=15))
    (1, 2)
    """
    place = component
    for number, channel in enumerate(channels):
        if place < channel.width:
            return number, place
        place -= channel.width
    raise InputError(f"component {component}: the channels have {component - place} components, counted from 0")
