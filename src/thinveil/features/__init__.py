"""Features: from published sub-graphs to one table of numbers about their nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from thinveil.errors import InputError
from thinveil.features.channels.degrees import DegreeHistogram
from thinveil.features.channels.events import KINDS, EventHistogram
from thinveil.features.channels.signatures import Signature
from thinveil.features.channels.slots import Degree, InSlots
from thinveil.features.channels.surroundings import Surroundings
from thinveil.features.channels.twohop import TwoHopHistogram
from thinveil.features.neighbors import Neighbors
from thinveil.features.views import Channel, Labels, Needs, View, kept_neighbors, label, observe
from thinveil.runtime.parameters import suggest


class Feature(NamedTuple):
    """A channel that a user can choose by name: how to make it from bins and their size, and what it compares."""

    make: Callable[[int, int], Channel]
    words: str


FEATURES: dict[str, Feature] = {
    "degrees": Feature(DegreeHistogram, "the numbers of contacts that a person's contacts have"),
    "two-hop": Feature(TwoHopHistogram, "those of everybody within two hops"),
    **{kind: Feature(lambda bins, size, kind=kind: EventHistogram(kind), words) for kind, words in KINDS.items()},  # type: ignore[misc]
}
"""The channels that can be chosen by name: a line each."""

__all__ = [
    "FEATURES",
    "Channel",
    "Degree",
    "DegreeHistogram",
    "EventHistogram",
    "Feature",
    "InSlots",
    "Labels",
    "Needs",
    "Neighbors",
    "Signature",
    "Surroundings",
    "TwoHopHistogram",
    "View",
    "component_words",
    "feature_words",
    "kept_neighbors",
    "label",
    "make_channels",
    "observe",
    "vector_words",
]


def make_channels(names: Iterable[str], *, bins: int = 70, bin_size: int = 15) -> tuple[Channel, ...]:
    """Return the channels of those names.

    Examples
    --------
    >>> make_channels(["degrees"])
    (DegreeHistogram(bins=70, bin_size=15),)
    """
    names = list(names)
    unknown = sorted(set(names) - set(FEATURES))
    if unknown:
        raise InputError(f"unknown feature {unknown[0]!r}: {suggest(unknown[0], FEATURES)}")
    return tuple(FEATURES[name].make(bins, bin_size) for name in names)


def feature_words(names: Iterable[str]) -> str:
    """Say what is compared.

    Examples
    --------
    >>> feature_words(["degrees"])
    "the numbers of contacts that a person's contacts have"
    """
    *most, last = (FEATURES[name].words for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def component_words(component: int, channels: Sequence[Channel]) -> str:
    """Say what a component of a vector, in which channels stand side by side, counts.

    Examples
    --------
    >>> component_words(72, make_channels(["degrees", "contacts"]))
    'contacts with 2 to 3 events'
    """
    place = component
    for channel in channels:
        if place < channel.width:
            return channel.words(place)
        place -= channel.width
    raise InputError(f"component {component}: the channels have {component - place} components, counted from 0")


def vector_words(channels: Sequence[Channel]) -> str:
    """Say which components of a vector, in which channels stand side by side, count what."""
    parts, first = [], 0
    for channel in channels:
        span = f"v[{first}] to v[{first + channel.width - 1}]"
        parts.append(f"{span}: from {channel.words(0)} to {channel.words(channel.width - 1)}")
        first += channel.width
    return "; ".join(parts)
