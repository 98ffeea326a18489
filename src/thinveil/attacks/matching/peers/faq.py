"""FAQ: two graphs laid on each other as a whole, by the fast approximate quadratic assignment of scipy.

Reference: J. T. Vogelstein et al., "Fast Approximate Quadratic Programming for Graph Matching", PLOS ONE 10(4), 2015.
It needs no known people, and matrices of people times people. The smaller graph is filled up with nobodies: an edge
counts 1, no edge -1, a nobody 0, so that people are not drawn to them. Everybody is given to somebody; pairs without a
single contact in common are left out here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from thinveil.attacks.matching.base import F64, I32, Held
from thinveil.attacks.matching.peers.peer import Peer
from thinveil.attacks.matching.peers.sides import Found, Rows, Sides, count_witnesses
from thinveil.errors import InputError
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import Seeds


@dataclass(frozen=True)
class Faq(Peer):
    """Lay both graphs on each other so that most contacts agree, by scipy's FAQ; for small graphs (Vogelstein 2015)."""

    name: ClassVar[str] = "faq"
    title: ClassVar[str] = "FAQ (Vogelstein et al. 2015)"
    evidence: ClassVar[str] = "their number of contacts that have fitting names in the end"
    needs_known: ClassVar[bool] = False

    people: int = parameter(2_000, "people that a graph may have: time grows with the third power", low=1, high=20_000)
    iterations: int = parameter(30, "steps towards the best assignment, at most", low=1, high=10_000)

    def __post_init__(self) -> None:
        check_parameters(self)

    def check(self, held: Held, nodes: int) -> None:
        """Refuse graphs that are too large."""
        super().check(held, nodes)
        if (largest := max(held.auxiliary.node_count, nodes)) > self.people:
            raise InputError(
                f"attack {self.name} is for graphs of up to {self.people:,} people, and one has {largest:,}: "
                "choose another attack"
            )

    def find(self, sides: Sides, seeds: Seeds) -> Found:
        """Ask scipy."""
        from scipy.optimize import quadratic_assignment  # late: it takes a while to import

        size = max(sides.known.size, sides.nodes.indptr.size - 1)
        known = np.flatnonzero(sides.known >= 0)
        options = {
            "maximize": True, "maxiter": self.iterations, "rng": seeds.stream("peers", self.name, "start"),
            "partial_match": np.column_stack((known, sides.known[known])) if known.size else None,
        }  # fmt: skip
        tables = _fill(sides.people, size), _fill(sides.nodes, size)
        given = quadratic_assignment(*tables, method="faq", options=options).col_ind if size else np.empty(0)
        image = given[: sides.known.size].astype(np.int32)
        return _keep_agreeing(sides, np.where(image < sides.nodes.indptr.size - 1, image, -1).astype(np.int32))


def _fill(rows: Rows, size: int) -> F64:
    """Return the matrix of a graph: 1 for an edge, -1 for none, 0 for nobodies."""
    count = rows.indptr.size - 1
    table = np.zeros((size, size))
    table[:count, :count] = -1
    table[np.repeat(np.arange(count), np.diff(rows.indptr)), rows.indices] = 1
    np.fill_diagonal(table, 0)
    return table


def _keep_agreeing(sides: Sides, image: I32) -> Found:
    """Drop the pairs that no contact speaks for."""
    witnesses = count_witnesses(sides.people, sides.nodes, image)
    image = np.where((witnesses > 0) | (sides.known >= 0), image, -1).astype(np.int32)
    return Found(image, witnesses, {"contacts that agree": float(witnesses.sum() / 2)})
