"""The rounds: links join sub-graphs into a larger graph, and what is known of it finds more links.

Round 0 has no links yet: it looks at well-connected rows of about the same degree. Every later round looks again at the
likelier of those, and at rows that know the same linked people. All links are made anew in each round from
what the last one said, so that a wrong one can be taken back; keeping old links would keep old mistakes.

What to accept is learned by going through the same rounds on the training release, round by round. The
release under attack gives nothing but its view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Attack
from thinveil.errors import InputError
from thinveil.features import RowTruth, View, kept_neighbors
from thinveil.pairs import NO_PAIRS, Pairs
from thinveil.stitching.anchors import look_alike, pairs_alike, ratios_to_try
from thinveil.stitching.evidence import Candidates, Judge, learn_judge, look_around
from thinveil.stitching.merging import merge
from thinveil.stitching.support import Acquaintances, count_support, find_partners

_UNLIKELY = 0.02


@dataclass(frozen=True, eq=False)
class Round:
    """What the attacker has after a round: the links, and the merged person of every row (-1 for none)."""

    candidates: int
    links: Pairs
    person: NDArray[np.int32]


class Stitcher:
    """Learns how to join sub-graphs from a training release, then joins those of another.

    Parameters
    ----------
    attack
        A trained attack.
    precision
        Share of right links that the thresholds are set for.
    rounds
        Rounds after the first, at most.
    per_row
        Candidate pairs per row and kind that are looked at.
    threads
        Number of threads; it does not change the result.
    """

    def __init__(
        self, attack: Attack, *, precision: float = 0.95, rounds: int = 8, per_row: int = 20, threads: int | None = None
    ) -> None:
        if not 0 < precision <= 1:
            raise InputError(f"precision = {precision}: give a share above 0, and 1 at most")
        if rounds < 0 or per_row < 1:
            raise InputError(f"{rounds} rounds of {per_row} pairs per row: give 0 or more, and 1 or more")
        self.attack, self.precision, self.rounds, self.per_row = attack, precision, rounds, per_row
        self._threads = threads

    def fit(self, view: View, truth: RowTruth, identical: Pairs) -> Stitcher:
        """Learn from a training release: its rows, who they are, and some identical pairs.

        Learned are what to accept in each round; how many rounds to play, up to the one with most links; and how
        near the degrees of the first candidates must be, whichever way gives more links.
        """
        judges: list[Sequence[Judge]] = []

        def judge(found: Sequence[Candidates]) -> Sequence[Judge]:
            sides = ((truth.person[kind.pairs.left], truth.person[kind.pairs.right]) for kind in found)
            judges.append(
                [learn_judge(kind, *who, view.subgraph, self.precision) for kind, who in zip(found, sides, strict=True)]
            )
            return judges[-1]

        def first_links(ratio: float) -> int:
            return len(next(self._play(view, ratio, 1, judge)).links)

        self._ratio = max(ratios_to_try(view.degree, identical), key=first_links)
        judges.clear()
        most, useful = 0, 1
        for number, done in enumerate(self._play(view, self._ratio, self.rounds + 1, judge)):
            if len(done.links) > most:
                most, useful = len(done.links), number + 1
            if not len(done.links):
                break
        self._judges = judges[:useful]
        return self

    def stitch(self, view: View) -> tuple[Round, ...]:
        """Return the rounds on a release under attack, of which only the view is known."""
        judges = iter(self._judges)
        return tuple(self._play(view, self._ratio, len(self._judges), lambda found: next(judges)))

    def _play(
        self, view: View, ratio: float, rounds: int, judge: Callable[[Sequence[Candidates]], Sequence[Judge]]
    ) -> Iterator[Round]:
        neighbors = kept_neighbors(view)
        pairs = pairs_alike(view.degree, view.subgraph, ratio=ratio, most=self.per_row * len(view))
        found = [Candidates(pairs, look_alike(view, self.attack, pairs, threads=self._threads))]
        judges = judge(found)
        likely = judges[0].likely(found[0], _UNLIKELY)
        last = _link(view, found, judges)
        yield last
        for _ in range(1, rounds):
            known = Acquaintances.of(neighbors, last.person)
            found = [self._look(view, known, kind) for kind in (likely, self._partners(view, known))]
            last = _link(view, found, judge(found))
            yield last

    def _look(self, view: View, known: Acquaintances, pairs: Pairs) -> Candidates:
        alone = look_alike(view, self.attack, pairs, threads=self._threads)
        return Candidates(pairs, np.hstack((alone, look_around(known, pairs, view.subgraph, threads=self._threads))))

    def _partners(self, view: View, known: Acquaintances) -> Pairs:
        """Return the rows that know the same people, the best supported first."""
        pairs = find_partners(kept_neighbors(view), known, view.subgraph, view.degree, threads=self._threads)
        support = count_support(known, pairs, threads=self._threads)
        best = at_least_as_good(support.shared + support.cosine, self.per_row * len(view))
        return Pairs(pairs.left[best], pairs.right[best])


def at_least_as_good(value: NDArray[np.float64], most: int) -> NDArray[np.bool_]:
    """Return which are among the ``most`` best; equals go together, so that the order of the rows decides nothing.

    Equals of the last are in if that makes no more than twice as many, and out otherwise.
    """
    if value.size <= most:
        return np.ones(value.size, dtype=bool)
    last = np.partition(value, value.size - most)[value.size - most]
    best = value >= last
    return np.asarray(best if np.count_nonzero(best) <= 2 * most else value > last)


def _link(view: View, found: Sequence[Candidates], judges: Sequence[Judge]) -> Round:
    """Accept, then merge the surest first."""
    accepted = [judge.accept(kind, view.subgraph) for judge, kind in zip(judges, found, strict=False)]
    sure = np.concatenate([np.empty(0), *(sure for _, sure in accepted)])
    left, right = (
        np.concatenate([NO_PAIRS.left, *(getattr(links, side) for links, _ in accepted)]) for side in ("left", "right")
    )
    order = np.argsort(-sure, kind="stable")
    person, kept = merge(Pairs(left[order], right[order]), sure[order], view.subgraph)
    links = Pairs(left[order][kept], right[order][kept]).distinct()
    return Round(sum(len(kind.pairs) for kind in found), links, person)
