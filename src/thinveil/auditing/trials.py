"""What a draw gives: the scores of its test pairs, and what was counted beside them. All of it can be pickled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Lesson
from thinveil.attacks.matching import Verdict
from thinveil.auditing.results import Egos, LinkRound
from thinveil.auditing.seeing import Seen
from thinveil.features.pairs import CATEGORIES
from thinveil.measures.agreement import Clusters
from thinveil.measures.mistakes import Overlaps
from thinveil.measures.naming import Judged
from thinveil.measures.people import PeopleTable
from thinveil.measures.rates import Curve, allowed_false_positives, most_after_failures, roc_curve, threshold_at


@dataclass(frozen=True, eq=False)
class Trial:
    """One category of one draw: the scores of its test pairs.

    ``distinct`` counts the different ones among the negatives; ``people``, ``subgraphs`` and ``degrees`` hold the
    person, a number for the two sub-graphs and the smaller degree of each positive pair; ``crowd`` is the mean number
    of appearances among which a person is looked for. Where that was worked out, ``overlaps`` says of some pairs how
    far their neighbourhoods overlap, ``table`` how often each person was linked, and ``rounds`` what was linked round
    by round. ``failed`` says that the attack knew that its start had failed, which all of its scores hang on, and
    ``shared`` that all draws attack one release that was there already.
    """

    category: str
    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]
    distinct: int
    people: NDArray[np.int32]
    subgraphs: NDArray[np.int64]
    degrees: NDArray[np.int32]
    crowd: float
    lesson: Lesson
    overlaps: Overlaps | None = None
    table: PeopleTable | None = None
    rounds: tuple[LinkRound, ...] = ()
    failed: bool = False
    shared: bool = False

    @cached_property
    def clusters(self) -> Clusters:
        """What positive pairs share: people, and sub-graphs."""
        return Clusters(self.people, self.subgraphs)

    @cached_property
    def curve(self) -> Curve:
        """The ROC curve of the trial."""
        return roc_curve(self.positives, self.negatives)

    def threshold(self, fpr: float) -> float | None:
        """Return the threshold for a false-positive rate, or None where the negatives cannot support it."""
        return threshold_at(self.negatives, fpr) if allowed_false_positives(fpr, self.distinct) else None

    def share_per_person(self, found: NDArray[np.bool_]) -> float:
        """Return the mean over people of the share of their pairs that are found."""
        _, who = np.unique(self.people, return_inverse=True)
        return float((np.bincount(who, weights=found) / np.bincount(who)).mean())


def most_left_open(trials: Sequence[Trial]) -> float:
    """Return the largest share that trials leave open in some of which the attack failed; 0 where it never did."""
    return most_after_failures(len(trials), sum(trial.failed for trial in trials))


@dataclass(frozen=True, eq=False)
class Trials:
    """The trials of an attack under a protocol, category by category."""

    attack: str
    protocol: str
    trials: tuple[Trial, ...]

    @property
    def rounds(self) -> tuple[LinkRound, ...]:
        """What was linked round by round."""
        return next((trial.rounds for trial in self.trials if trial.rounds), ())


@dataclass(frozen=True, eq=False)
class Draw:
    """One draw of new releases: its trials, and the means over two sub-graphs of its test release.

    ``appearances`` is the mean number of appearances in a sub-graph; ``pairs`` and ``shared`` the mean number of pairs
    of appearances of two sub-graphs and of people who are in both; ``categories`` are those of the release that were
    asked for. ``beside`` are other attacks on the same releases, ``rounds`` what the attack linked round by round, if
    it does; ``seconds`` says what took how long, in all and by category. Where the attack gives names, ``judged`` puts
    them beside the truth, and ``verdict`` says whether the attacker believes them. ``seen`` is what can be seen of the
    attacked release without an attack; it is looked at in the first draw only.
    """

    trials: tuple[Trial, ...]
    appearances: float
    pairs: float
    shared: float
    egos: Egos
    categories: tuple[str, ...] = CATEGORIES
    beside: tuple[Trials, ...] = ()
    rounds: tuple[LinkRound, ...] = ()
    judged: Judged | None = None
    verdict: Verdict | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    category_seconds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seen: Seen | None = None
