"""What the links of the last round say about any two rows.

Row p is weighed against the figure of row q, and q against the figure of p. A comparison holds, for every piece of
evidence, the smaller and the larger of the two, so that the order of the pair does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks.collective.candidates import find_candidates
from thinveil.attacks.collective.evidence import COLUMNS, Anchors, make_scratch, weigh_pairs
from thinveil.attacks.collective.figures import F64, I32, I64, Figures, Rows
from thinveil.attacks.collective.margins import Best, values_of
from thinveil.runtime.threads import map_threads

F32 = NDArray[np.float32]
Judge = Callable[[I64, F32], F64]
"""How probable it is that rows are figures, by the evidence."""

_CONTACTS, _TIES, _LEAD = "contacts already linked", "shared contacts with linked contacts", "lead over the next best"
_CROWD, _GUESSED, _SPREAD, _MISSING = (
    "place among the inner nodes",
    "contacts that are linked or guessed",
    "how far links have spread",
    "linked contacts that are missing",
)
_USED = (*range(12), 14, 15, *range(17, len(COLUMNS)))
_SIDE = (
    *(_CONTACTS,) * 12, *("appearances already linked",) * 2, *(_CONTACTS,) * 3,
    "likeness of the two by themselves", *(_TIES,) * 4, *(_CROWD,) * 4, *(_GUESSED,) * 5, *(_SPREAD,) * 3,
    *(_MISSING,) * 6, _CONTACTS, *(_LEAD,) * 6, "probability of the link", *(_LEAD,) * 2,
)  # fmt: skip
WORDS = (*_SIDE, *_SIDE, "both linked to one person")
"""What each column of a comparison of linked rows looks at."""


@dataclass(frozen=True, eq=False)
class Links:
    """The figures after the last round, and the best candidates of every row and figure."""

    rows: Rows
    figures: Figures
    anchors: Anchors
    judge: Judge
    by_row: tuple[Best, ...]
    by_figure: tuple[Best, ...]

    @classmethod
    def of(cls, rows: Rows, figures: Figures, anchors: Anchors, judge: Judge, *, threads: int | None = None) -> Links:
        """Look once more for the candidates of all rows, to know who leads."""

        def look(subgraph: int) -> tuple[I64, I64, F64]:
            found = find_candidates((int(starts[subgraph]), int(starts[subgraph + 1])), rows, figures, anchors)
            values = np.stack((*values_of(found.evidence), judge(found.row, found.evidence)))
            return found.row, subgraph * figures.rows.size + found.figure.astype(np.int64), values

        starts = rows.starts()
        parts = map_threads(look, range(starts.size - 1), threads)
        row, figure = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        values = np.hstack([part[2] for part in parts])
        return cls(
            rows, figures, anchors, judge, tuple(Best.of(row, value) for value in values),
            tuple(Best.of(figure, value) for value in values),
        )  # fmt: skip

    def compare(self, left: I64, right: I64, *, threads: int | None = None) -> F32:
        """Return what the links say about pairs of rows, a line for each."""
        ends = ((left, right), (right, left))
        one, two = map_threads(lambda pair: self._weigh(*pair, threads), ends, threads)
        person = self.figures.person
        same = (person[left] == person[right]) & (person[left] >= 0)
        return np.column_stack((np.minimum(one, two), np.maximum(one, two), same)).astype(np.float32)

    def _weigh(self, row: I64, other: I64, threads: int | None) -> F32:
        """Weigh each row against the figure of another."""
        figure = self.figures.figure[other]
        evidence = self._evidence(row, figure, threads)
        keys = (row, self.rows.subgraph[row] * np.int64(self.figures.rows.size) + figure)
        groups = (self.by_row, self.by_figure)
        leads = [
            group[k].margin(key, value)
            for k, value in enumerate(values_of(evidence))
            for group, key in zip(groups, keys, strict=True)
        ]
        sure = self.judge(row, np.column_stack((evidence, *leads)).astype(np.float32))
        last = [group[3].margin(key, sure) for group, key in zip(groups, keys, strict=True)]
        return np.column_stack((evidence[:, _USED], *leads, sure, *last)).astype(np.float32)

    def _evidence(self, row: I64, figure: I32, threads: int | None) -> F32:
        starts = self.rows.starts()
        order = np.argsort(row, kind="stable")
        sorted_row, sorted_figure = row[order], figure[order]
        lines = np.empty((row.size, len(COLUMNS)), dtype=np.float32)
        cuts = np.searchsorted(sorted_row, starts)

        def weigh(subgraph: int) -> None:
            part = slice(cuts[subgraph], cuts[subgraph + 1])
            span = (int(starts[subgraph]), int(starts[subgraph + 1]))
            scratch = make_scratch(self.figures.persons)
            weigh_pairs(
                span, sorted_row[part], sorted_figure[part], self.rows, self.figures, self.anchors, scratch, lines[part]
            )

        map_threads(weigh, np.flatnonzero(np.diff(cuts)).tolist(), threads)
        table = np.empty_like(lines)
        table[order] = lines
        return table
