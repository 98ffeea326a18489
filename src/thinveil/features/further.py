"""What of the events is compared besides the network: histograms, what slots of time say of them, and exact ties.

The columns of a comparison that stand behind those of ``comparison.Seen``, in this order::

    for each channel               ChannelSeen
    and where it is in slots       SlotSeen
    where ties are compared        TieSeen
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numba
import numpy as np

from thinveil.features.channels.slots import InSlots
from thinveil.features.coincidences import Marks
from thinveil.features.columns import Columns
from thinveil.features.likeness import (
    COSINE,
    COUNT,
    DIFFER,
    F32,
    I32,
    I64,
    MARKS_COSINE,
    MARKS_SHARE,
    WORTH,
    Bins,
    Marked,
    compare_bins,
    compare_marks,
)
from thinveil.features.ties import TieKeys
from thinveil.features.views import Channel, View

_TIES = "exact sums of events with each contact"


class ChannelSeen(Columns):
    """The columns that each channel adds; the report calls them by the channel's name."""

    DIFFER = DIFFER, "channel"
    COSINE = COSINE, "channel"
    TOTALS_RATIO = "smaller sum over the larger", "channel"
    EQUAL = "whether all components are equal", "channel"


class SlotSeen(Columns):
    """The columns that a channel in slots adds besides: one slot after the other, and how active the two are in each.

    A slot says something of what the two do in it if both have a contact there.
    """

    BOTH = "share of the slots in which both have a contact", "channel"
    ONE = "share of the slots in which one of them has a contact", "channel"
    ACTIVITY_DIFFER = "difference of their numbers of contacts, slot by slot, as a share of both", "channel"
    ACTIVITY_COSINE = "cosine of their numbers of contacts over the slots", "channel"
    LEAST_DIFFER = "the least difference of the histograms of one slot", "channel"
    MEAN_DIFFER = "the mean of these differences", "channel"
    MOST_DIFFER = "the largest of them", "channel"


class TieSeen(Columns):
    """The columns that exact sums of events with each contact add."""

    NUMBER = COUNT, _TIES
    WORTH = WORTH, _TIES
    COSINE = MARKS_COSINE, _TIES
    SHARE = MARKS_SHARE, _TIES


class Further(NamedTuple):
    """What is compared besides the network."""

    channels: tuple[Channel, ...] = ()
    ties: TieKeys | None = None

    @classmethod
    def of(cls, channels: Sequence[Channel], slots: int = 1) -> Further:
        """Compare channels of events, in slots where there are several, and all that they sum up tie by tie."""
        if not channels:
            return cls()
        seen = tuple(channels) if slots == 1 else tuple(InSlots(channel, slots) for channel in channels)
        return cls(seen, TieKeys(tuple(channel.name for channel in channels), slots))

    @property
    def words(self) -> tuple[str, ...]:
        """What each column looks at, in words for the report."""
        channels = [name for channel in self.channels for name in [channel.name] * _width(channel)]
        return (*channels, *(() if self.ties is None else TieSeen.all_words()))

    def marks(self, view: View) -> Marks | None:
        """Return the keys of ties in a view as marks; None where they are not compared."""
        return None if self.ties is None else Marks.of(*view.ties[self.ties.name])

    def fill(self, view: View, ties: Marks | None, left: I64, right: I64, lines: F32) -> None:
        """Write the columns of each pair."""
        start = 0
        for channel in self.channels:
            _compare_channel(view.channels[channel.name], left, right, lines, start)
            if isinstance(channel, InSlots):
                compare_slots(view.channels[channel.name], channel.slots, left, right, lines, start + len(ChannelSeen))
            start += _width(channel)
        if ties is not None:
            at = Marked(*(start + int(column) for column in TieSeen))
            compare_marks(ties.starts, ties.marks, ties.rarity, ties.totals, left, right, lines, at)


NOTHING = Further()
"""The network alone is compared."""


def _width(channel: Channel) -> int:
    return len(ChannelSeen) + (len(SlotSeen) if isinstance(channel, InSlots) else 0)


def _compare_channel(vectors: I32, left: I64, right: I64, lines: F32, start: int) -> None:
    bins = Bins(0, vectors.shape[1], start + int(ChannelSeen.DIFFER), start + int(ChannelSeen.COSINE))
    compare_bins(vectors, bins, left, right, lines)
    totals = np.sort(np.stack((vectors[left].sum(axis=1), vectors[right].sum(axis=1))), axis=0)
    lines[:, start + ChannelSeen.TOTALS_RATIO] = totals[0] / np.maximum(totals[1], 1)
    lines[:, start + ChannelSeen.EQUAL] = (vectors[left] == vectors[right]).all(axis=1)


@numba.njit(cache=True, nogil=True)
def compare_slots(rows: I32, slots: int, left: I64, right: I64, lines: F32, start: int) -> None:
    """Write what the slots say, in which histograms stand side by side; nothing in common is a difference of 1."""
    width = rows.shape[1] // slots
    for k in range(left.size):
        both, either, least, most, total = 0, 0, 1.0, 0.0, 0.0
        apart, together, product, one, two = 0.0, 0.0, 0.0, 0.0, 0.0
        for slot in range(slots):
            x, y, differ = 0.0, 0.0, 0.0
            for b in range(slot * width, slot * width + width):
                x += rows[left[k], b]
                y += rows[right[k], b]
                differ += abs(rows[left[k], b] - rows[right[k], b])
            either += (x > 0) != (y > 0)
            apart, together, product = apart + abs(x - y), together + x + y, product + x * y
            one, two = one + x * x, two + y * y
            if x > 0 and y > 0:
                both, share = both + 1, differ / (x + y)
                least, most, total = min(least, share), max(most, share), total + share
        line = lines[k, start:]
        line[SlotSeen.BOTH], line[SlotSeen.ONE] = both / slots, either / slots
        line[SlotSeen.ACTIVITY_DIFFER] = apart / max(together, 1.0)
        line[SlotSeen.ACTIVITY_COSINE] = product / np.sqrt(max(one * two, 1.0))
        line[SlotSeen.LEAST_DIFFER] = least
        line[SlotSeen.MEAN_DIFFER] = total / both if both else 1.0
        line[SlotSeen.MOST_DIFFER] = most if both else 1.0
