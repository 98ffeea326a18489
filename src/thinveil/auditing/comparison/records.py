"""What is said of one scheme in a comparison; all of it goes through JSON and comes back the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from thinveil.measures.utility import Measure


@dataclass(frozen=True)
class Risk:
    """What an attacker found under one threat.

    ``share`` is the share of people who are named rightly (identification), or of pairs of appearances of one person
    that are linked at a false-positive rate of 1 in 1,000 (linkage), with its 95% interval; ``trials`` are the people
    or pairs behind it, and ``draws`` the shares found in each draw. ``wrong`` is the share named wrongly, between
    ``wrong_low`` and ``wrong_high``.
    ``failed`` are the draws in which the attack knew that it had failed, and named nobody: of another draw these say
    little, and the interval counts each as a single trial.
    Where nothing can be said ``share`` is None, and ``why`` says why.
    """

    threat: str
    share: float | None = None
    low: float = 0.0
    high: float = 1.0
    trials: int = 0
    wrong: float | None = None
    draws: tuple[float, ...] = ()
    failed: int = 0
    why: str = ""
    wrong_low: float | None = None
    wrong_high: float | None = None


MEASURED, UNDEFINED, FAILED = "measured", "undefined", "failed"


@dataclass(frozen=True)
class Assessment:
    """One scheme of a comparison: its risks under each threat, and its utility.

    ``scheme`` is its word and ``says`` what it publishes. ``alone`` is the share of published nodes that are the only
    one with their number of contacts, ``fakes`` how well made-up edges can be told from real ones (AUC). ``status`` is
    ``measured``, ``undefined`` where nobody stands behind the nodes, or ``failed``; ``why`` says why.
    """

    scheme: str
    says: str = ""
    risks: tuple[Risk, ...] = ()
    utility: tuple[Measure, ...] = ()
    basis: str = ""
    alone: float | None = None
    fakes: float | None = None
    status: str = MEASURED
    why: str = ""
    seconds: float = 0.0

    @property
    def worst(self) -> Risk | None:
        """The threat under which the most is found; None where nothing can be said."""
        told = [risk for risk in self.risks if risk.share is not None]
        return max(told, key=lambda risk: risk.share or 0.0, default=None)

    def distance(self, names: tuple[str, ...]) -> float | None:
        """Return the mean distance from the original by some measures; None where one of them cannot be said."""
        found = {one.name: one.distance for one in self.utility}
        told = [found.get(name) for name in names]
        known = [one for one in told if one is not None]
        return sum(known) / len(known) if names and len(known) == len(names) else None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return asdict(self)

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Assessment:
        """Make it again."""
        known = {one.name: table[one.name] for one in fields(cls)}
        risks = tuple(Risk(**{**risk, "draws": tuple(risk["draws"])}) for risk in table["risks"])
        return cls(**{**known, "risks": risks, "utility": tuple(Measure(**one) for one in table["utility"])})


class Point(NamedTuple):
    """A scheme in the plane of risk and utility; less is better of both."""

    scheme: str
    distance: float
    risk: float


def find_frontier(points: list[Point]) -> list[str]:
    """Return the schemes of which no other is as good in both and better in one, from little distance to much.

    Examples
    --------
    >>> find_frontier([Point("a", 0.0, 0.9), Point("b", 0.2, 0.3), Point("c", 0.3, 0.3), Point("d", 0.2, 0.3)])
    ['a', 'b', 'd']
    """
    kept: list[Point] = []
    for point in sorted(points, key=lambda one: (one.distance, one.risk, one.scheme)):
        if not kept or point.risk < kept[-1].risk or point[1:] == kept[-1][1:]:
            kept.append(point)
    return [point.scheme for point in kept]
