"""What the rounds have left: who was who after each, and what the links of one say about pairs of rows."""

from __future__ import annotations

from dataclasses import dataclass

from thinveil.attacks.collective.evidence import Anchors
from thinveil.attacks.collective.figures import I32, Rows, list_figures
from thinveil.attacks.collective.links import Judge, Links
from thinveil.attacks.collective.merging import Merged
from thinveil.features import View
from thinveil.features.comparison import Comparer
from thinveil.runtime.streams import stream


@dataclass(frozen=True, eq=False)
class LinkedView(View):
    """A view, what is needed to compare its rows, and the links among them.

    ``links`` is None where no link was made; ``rounds`` holds the person of every row after each round. The view of a
    training release also has its ``early`` links: releases in which links spread badly stay like that.
    """

    comparer: Comparer | None = None
    links: Links | None = None
    rounds: tuple[I32, ...] = ()
    early: Links | None = None


@dataclass(frozen=True, eq=False)
class Played:
    """The rounds that a release has seen, and the judge of the last; None where nothing was learned."""

    view: View
    comparer: Comparer
    rows: Rows
    anchors: Anchors
    made: tuple[Merged, ...]
    judge: Judge | None
    seed: int
    threads: int | None

    @property
    def rounds(self) -> tuple[I32, ...]:
        """The person of every row after each round, -1 for none."""
        return tuple(merged.person for merged in self.made)

    def linked(self, *, early: bool = False) -> LinkedView:
        """Return the view with the links of the last round and, to learn from, those of the first."""
        view = self.view
        shown = (view.channels, view.subgraph, view.node, view.degree, view.neighbors)
        before = self._look_back(1) if early and len(self.made) > 2 else None
        return LinkedView(*shown, self.comparer, self._look_back(-1), self.rounds, before)

    def _look_back(self, number: int) -> Links | None:
        """Return what a round's links say; None where nothing was learned."""
        if self.judge is None:
            return None
        figures = list_figures(self.rows, self.made[number], stream(self.seed, "round", 0))
        return Links.of(self.rows, figures, self.anchors, self.judge, threads=self.threads)
