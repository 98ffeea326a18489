"""Attack in every slot of time and join what the slots say (proposed in Section 5.2 of the paper).

Pseudonyms persist over slots, so a pair of appearances can be judged once in each slot. Only slots in which both have a
contact say anything. One learner is trained for all slots, on (pair, slot) examples: appearance a of the view in slot s
is appearance a * slots + s of the view that the learner sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.base import Examples, Fitted, Known, Lesson, Packed, PairModel, question_key, read_question
from thinveil.features import Channel, Degree, InSlots, Needs, View
from thinveil.features.pairs import Pairs, Question
from thinveil.runtime.parameters import parameter
from thinveil.runtime.streams import Seeds

F64 = NDArray[np.float64]
JOINS = ("log-odds", "summed-log-odds", "majority")
"""How what the slots say can be joined."""
_JOIN_WORDS = {
    "log-odds": "by the mean of their log odds",
    "summed-log-odds": "by the sum of their log odds",
    "majority": "by majority",
}
_CLIP = 0.01  # a slot alone is never sure


@dataclass(frozen=True)
class SlotParameters:
    """The parameters of an attack that can be made in slots of time.

    ``log-odds`` joins by their mean over the slots that say something; ``summed-log-odds`` by their sum, so that
    several slots say more than one; ``majority`` by the share of slots whose score is above one half, where pairs of
    equal share are told apart by their mean score. A pair about which no slot says anything scores one half.
    """

    slots: int = parameter(1, "equal spans of time, each attacked apart", low=1, high=1_000)
    join: str = parameter("log-odds", "how what the slots say is joined", choices=JOINS)

    def slots_words(self) -> str:
        """Say how the time was cut, with a space before; empty where it was not."""
        if self.slots == 1:
            return ""
        return (
            f" The time was cut into {self.slots:,} equal slots: each pair was judged in every slot in which both have "
            f"a contact, and the judgements were joined {_JOIN_WORDS[self.join]}."
        )


def needs_in_slots(needs: Needs, slots: int) -> Needs:
    """Return what an attack must see of every slot."""
    if slots == 1:
        return needs
    return Needs((*(InSlots(channel, slots) for channel in needs.channels), InSlots(Degree(), slots)), slots=slots)


def fit_in_slots(attack: SlotParameters, learner: Any, known: Known, *, seeds: Seeds) -> Fitted:
    """Train the learner on all slots that say something; it learns nothing where none does."""
    model = SlotModel(None, learner.needs.channels, attack.slots, attack.join, frozenset())
    examples = {
        question: Examples(*(model.in_slots(known.view, pairs)[0] for pairs in given))
        for question, given in known.examples.items()
    }
    enough = {question: given for question, given in examples.items() if given.suffice}
    told = Known(model.slot_view(known.view), np.repeat(known.person, attack.slots), enough)
    fitted = learner.fit(told, seeds=seeds)
    return SlotModel(fitted, learner.needs.channels, attack.slots, attack.join, frozenset(enough))


def restore_in_slots(attack: SlotParameters, learner: Any, packed: Packed) -> Fitted:
    """Make what was learned in slots again."""
    learned = frozenset(map(read_question, packed.facts["learned in slots"]))
    fitted = learner.restore(packed) if learned else None
    return SlotModel(fitted, learner.needs.channels, attack.slots, attack.join, learned)


@dataclass(frozen=True, eq=False)
class SlotModel(PairModel):
    """Judge each pair in every slot, and join the judgements."""

    learner: Fitted | None
    channels: tuple[Channel, ...]
    slots: int
    join: str
    learned: frozenset[Question]

    def score(self, view: View, pairs: Pairs, question: Question) -> F64:
        """Return for each pair what its slots say together."""
        # what was learned of the category under another protocol will do; of another category it would not
        known = {one: None for one in self.learned if one.category == question.category}
        if self.learner is None or not known:
            return np.full(len(pairs), 0.5)
        asked, pair = self.in_slots(view, pairs)
        scores = self.learner.enter(self.slot_view(view)).score(asked, question)
        return join_slots(scores, pair, len(pairs), self.slots, self.join)

    def lesson(self, question: Question) -> Lesson:
        """Return what the learner learned."""
        return Lesson() if self.learner is None else self.learner.lesson(question)

    def pack(self) -> Packed:
        """Return what the learner learned, and of which questions."""
        packed = Packed({}, {}) if self.learner is None else self.learner.pack()
        return Packed({**packed.facts, "learned in slots": sorted(map(question_key, self.learned))}, packed.arrays)

    def in_slots(self, view: View, pairs: Pairs) -> tuple[Pairs, NDArray[np.int64]]:
        """Return the pairs in each slot in which both have a contact, and the number of the pair."""
        is_there = view.channels[self._presence.name] > 0
        pair, slot = np.nonzero(is_there[pairs.left] & is_there[pairs.right])
        return Pairs(pairs.left[pair] * self.slots + slot, pairs.right[pair] * self.slots + slot), pair

    def slot_view(self, view: View) -> View:
        """Return the view whose appearances are appearances in slots."""
        parts = [InSlots(channel, self.slots) for channel in self.channels]
        tables = {part.channel.name: view.channels[part.name].reshape(-1, part.channel.width) for part in parts}
        return View(
            channels=tables,
            subgraph=np.repeat(view.subgraph, self.slots),
            node=np.repeat(view.node, self.slots),
            degree=view.channels[self._presence.name].ravel(),
        )

    @property
    def _presence(self) -> InSlots:
        return InSlots(Degree(), self.slots)


def join_slots(scores: F64, pair: NDArray[np.int64], pairs: int, slots: int, join: str) -> F64:
    """Return a score for each pair: ``scores[k]`` is that of pair ``pair[k]`` in one slot.

    Examples
    --------
    >>> scores, pair = np.array([0.9, 0.6, 0.2, 0.3]), np.array([0, 0, 0, 1])
    >>> join_slots(scores, pair, 3, slots=4, join="log-odds").round(2).tolist()
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
    return np.asarray(1 / (1 + np.exp(-odds if join == "log-odds" else -odds * count / slots)))
