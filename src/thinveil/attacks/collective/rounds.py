"""Collective linkage: links support each other, round by round.

The first links are anchors: inner appearances that look alike. Each round then asks of every appearance to which
cluster it may belong, given the links of the round before, and makes *all* links anew, so that a wrong one can be taken
back. What to believe is learned by playing the same rounds on the training release, whose people are known. The release
under attack gives nothing but its view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.anchors import AnchorModel, Anchors, first_clusters
from thinveil.attacks.collective.appearances import I32, Appearances
from thinveil.attacks.collective.assignment import make_links
from thinveil.attacks.collective.candidates import Judge
from thinveil.attacks.collective.columns import Evidence, Lead
from thinveil.attacks.collective.lessons import Rules, Truth, teach
from thinveil.attacks.collective.played import Played, list_round, still_grows
from thinveil.errors import InputError
from thinveil.features import Channel, Signature, Surroundings, View
from thinveil.features.comparison import Comparer
from thinveil.learners.boosting import CrossFitted
from thinveil.learners.boosting.packing import Arrays, Facts, check_facts, pick, prefix
from thinveil.runtime.progress import part, steps
from thinveil.runtime.streams import check_seed, stream

_LESSONS, _SPARSE_LESSONS = 120_000, 40_000
_SPARSE_SHARE = 0.3  # of the time to learn
_KEPT = ("rounds", "sure", "seed", "anchors", "model")
_MOST_ROUNDS = 100
_PATIENCE = 3  # rounds of the attack for each of training: there is nothing to be learned in them, and they are cheap


@dataclass(frozen=True, eq=False)
class Linker:
    """Links the appearances of any release; it was learned from a release whose people are known.

    Parameters
    ----------
    anchors, model
        What makes the first links, and what judges the candidates of every round; None where nothing was learned.
    rounds
        Rounds after the first links in training, at most, and three times as many in the attack: it stops when the
        number of links does not grow any more.
    sure
        A link must be at least so probable.
    seed
        Decides what is random.
    """

    anchors: AnchorModel | None
    model: CrossFitted | None
    rounds: int = 6
    sure: float = 0.5
    seed: int = 0

    channels: ClassVar[tuple[Channel, ...]] = (Surroundings(), Signature())
    """What it must see of every appearance, besides the neighbours."""

    def __post_init__(self) -> None:
        if self.rounds < 0 or not 0 < self.sure < 1:
            raise InputError(
                f"{self.rounds} rounds of links at least {self.sure} probable: give 0 or more, and between 0 and 1"
            )

    @classmethod
    def learn(
        cls, view: View, person: I32, comparer: Comparer, *, rounds: int = 6, sure: float = 0.5, seed: int = 0
    ) -> tuple[Linker, Played]:
        """Learn from a release whose people are known; return its rounds too, judged by models that had not seen them.

        The rounds are played with half of the sub-graphs first: the release under attack may be a sparser one, in
        which links spread badly, and what to believe there is a lesson too.
        """
        cls(None, None, rounds, sure, seed)  # refuse at once what would be refused after minutes
        rules = Rules(rounds, sure, seed)
        half = stream(seed, "halves").integers(2, size=int(person.max()) + 1, dtype=np.int8)
        subgraphs = stream(seed, "sparser").permutation(int(view.subgraph.max(initial=0)) + 1)
        sparse, kept = view.part(subgraphs[: (subgraphs.size + 1) // 2])
        with part(_SPARSE_SHARE):
            few = teach(
                sparse, Truth(person[kept], half), Comparer.of(sparse, comparer.further), rules, most=_SPARSE_LESSONS
            )
        with part(1 - _SPARSE_SHARE):
            taught = teach(view, Truth(person, half), comparer, rules, most=_LESSONS, before=few.lessons)
        return cls(taught.anchors, taught.model, *rules), taught.played

    def link(self, view: View, comparer: Comparer) -> Played:
        """Link a release of which only the view is known."""
        seen = Appearances.of(view)
        if self.anchors is None:
            return Played.nothing(seen, self.seed)
        pairs, sure = self.anchors.judge(seen, comparer)
        anchors = Anchors.of(pairs, sure, len(view))
        made = [first_clusters(pairs, sure, view.subgraph, self.sure)]
        judge, step = self._judge(), steps(self.rounds + 1)
        while judge is not None and len(made) <= _PATIENCE * self.rounds and still_grows(made):
            clusters = list_round(seen, made, self.seed)
            made.append(make_links(seen, clusters, anchors, judge, self.sure))
            step()
        return Played(seen, anchors, tuple(made), judge, self.seed)

    def _judge(self) -> Judge | None:
        model = self.model
        return None if model is None else lambda appearance, evidence: model.predict(evidence)

    def pack(self) -> tuple[Facts, Arrays]:
        """Return all that must be kept: facts for JSON, and plain arrays."""
        facts: Facts = {"rounds": self.rounds, "sure": self.sure, "seed": self.seed}
        arrays: Arrays = {}
        for name in ("anchors", "model"):
            part = getattr(self, name)
            told, held = (None, {}) if part is None else part.pack()
            facts[name] = told
            arrays |= prefix(name, held)
        return facts, arrays

    @classmethod
    def unpack(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Linker:
        """Return the linker that was packed; a ``ValueError`` says why these are none."""
        rounds, sure, seed, anchors, model = map(check_facts(facts).get, _KEPT)
        if type(rounds) is not int or not isinstance(sure, float) or type(seed) is not int or rounds > _MOST_ROUNDS:
            raise ValueError("the linker lacks its rounds, its threshold or its seed")
        linker = cls(
            None if anchors is None else AnchorModel.unpack(anchors, pick("anchors", arrays)),
            None if model is None else CrossFitted.unpack(model, pick("model", arrays)),
            rounds, sure, check_seed(seed),
        )  # fmt: skip
        columns = len(Evidence) + len(Lead)
        if linker.model is not None and linker.model.column_count != columns:
            raise ValueError(f"the linker judges {linker.model.column_count} columns of evidence: there are {columns}")
        return linker
