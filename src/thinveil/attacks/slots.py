"""Attack in every slot of time and join what the slots say (proposed in Section 5.2 of the paper).

Pseudonyms persist over slots, so a pair of rows can be judged once in each slot. Only slots in which both have a
contact say anything. One learner is trained for all slots, on (pair, slot) examples: row r of the view in slot s is row
r * slots + s of the view that the learner sees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Attack, Lesson
from thinveil.errors import InputError
from thinveil.features import Channel, Degree, InSlots, View
from thinveil.features.pairs import Pairs

F64 = NDArray[np.float64]
JOINS = ("log odds", "summed log odds", "majority")
"""How what the slots say can be joined."""
_CLIP = 0.01  # a slot alone is never sure


class SlotAttack:
    """Judge each pair in every slot, and join the judgements.

    Parameters
    ----------
    learner
        The attack that judges a slot.
    slots
        Number of slots.
    join
        ``log odds``: their mean over the slots that say something; ``summed log odds``: their sum, so that several
        slots say more than one; ``majority``: the share of slots whose score is above one half, where pairs of equal
        share are told apart by their mean score. A pair about which no slot says anything scores one half.
    """

    def __init__(self, learner: Attack, *, slots: int, join: str = "log odds") -> None:
        if slots < 2 or join not in JOINS:
            raise InputError(f"{slots} slots joined by {join!r}: give 2 or more, and one of {', '.join(JOINS)}")
        self.learner, self.slots, self.join = learner, slots, join
        self._presence = InSlots(Degree(), slots)
        self._parts = [InSlots(channel, slots) for channel in learner.channels]
        self.channels: tuple[Channel, ...] = (*self._parts, self._presence)
        self._has_learned = False

    def fit(self, view: View, identical: Pairs, different: Pairs) -> None:
        """Train the learner on all slots that say something; it learns nothing where none does."""
        examples = [self._in_slots(view, pairs)[0] for pairs in (identical, different)]
        self._has_learned = all(map(len, examples))
        if self._has_learned:
            self.learner.fit(self._slot_view(view), *examples)

    def score(self, view: View, pairs: Pairs) -> F64:
        """Return for each pair what its slots say together."""
        asked, pair = self._in_slots(view, pairs)
        if not self._has_learned:
            return np.full(len(pairs), 0.5)
        return join_slots(self.learner.score(self._slot_view(view), asked), pair, len(pairs), self.slots, self.join)

    def lesson(self) -> Lesson:
        """Return what the learner learned."""
        return self.learner.lesson() if self._has_learned else Lesson()

    def _in_slots(self, view: View, pairs: Pairs) -> tuple[Pairs, NDArray[np.int64]]:
        """Return the pairs in each slot in which both have a contact, and the number of the pair."""
        is_there = view.channels[self._presence.name] > 0
        pair, slot = np.nonzero(is_there[pairs.left] & is_there[pairs.right])
        return Pairs(pairs.left[pair] * self.slots + slot, pairs.right[pair] * self.slots + slot), pair

    def _slot_view(self, view: View) -> View:
        """Return the view whose rows are rows in slots."""
        tables = {p.channel.name: view.channels[p.name].reshape(-1, p.channel.width) for p in self._parts}
        return View(
            channels=tables,
            subgraph=np.repeat(view.subgraph, self.slots),
            node=np.repeat(view.node, self.slots),
            degree=view.channels[self._presence.name].ravel(),
        )


def join_slots(scores: F64, pair: NDArray[np.int64], pairs: int, slots: int, join: str) -> F64:
    """Return a score for each pair: ``scores[k]`` is that of pair ``pair[k]`` in one slot.

    Examples
    --------
    >>> scores, pair = np.array([0.9, 0.6, 0.2, 0.3]), np.array([0, 0, 0, 1])
    >>> join_slots(scores, pair, 3, slots=4, join="log odds").round(2).tolist()
    [0.6, 0.3, 0.5]
    """
    count = np.bincount(pair, minlength=pairs)

    def mean(values: F64) -> F64:
        return np.asarray(np.bincount(pair, weights=values, minlength=pairs) / np.maximum(count, 1))

    if join == "majority":
        # two different shares lie at least 1 / slots^2 apart: half of that is left to the mean score
        weight = 0.5 / slots**2
        joined = (1 - weight) * mean((scores > 0.5).astype(np.float64)) + weight * mean(scores)
        return np.where(count > 0, joined, 0.5)
    clipped = np.clip(scores, _CLIP, 1 - _CLIP)
    odds = mean(np.log(clipped / (1 - clipped)))
    # a sum orders pairs as its share of all slots does, and does not run into 1
    return np.asarray(1 / (1 + np.exp(-odds if join == "log odds" else -odds * count / slots)))
