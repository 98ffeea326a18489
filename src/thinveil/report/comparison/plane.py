"""The plane of risk and utility as a drawing: a point for each scheme, its interval, the frontier, floor and ceiling.

It is plain SVG, so that each point can be pointed at, reached by the keyboard, and printed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from thinveil.auditing.comparison import Assessment, Comparison
from thinveil.auditing.comparison.grid import CEILING, FLOOR

WIDTH, HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 20, 52
_LINE = 14  # height of a name
_LETTER = 6.6  # width of a letter, about


class Axis(NamedTuple):
    """From values to places: ``first`` and ``last`` are the places of 0 and of ``most``."""

    most: float
    first: float
    last: float

    def place(self, value: float) -> float:
        """Return where a value stands."""
        return round(self.first + (self.last - self.first) * min(value / self.most, 1.0), 1)

    def ticks(self) -> list[tuple[float, float]]:
        """Return round values along the axis, and their places."""
        step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if self.most / step <= 6 or step == 0.2)
        return [(k * step, self.place(k * step)) for k in range(int(self.most / step + 1e-9) + 1)]


def lay_out(comparison: Comparison) -> dict[str, Any] | None:
    """Return all places in the plane; None where there is nothing to draw."""
    points, frontier = comparison.points, comparison.frontier
    if not points:
        return None
    highs = [comparison[point.scheme].worst.high for point in points]  # type: ignore[union-attr]
    across = Axis(_round_up(max(point.distance for point in points)), _LEFT, WIDTH - _RIGHT)
    up = Axis(_round_up(max(highs)), HEIGHT - _BOTTOM, _TOP)
    drawn = [_point(comparison[point.scheme], point.distance, across, up, frontier) for point in points]
    limits = _limits(comparison, up)
    _name_points(drawn, frontier, limits)
    best = [(one["x"], one["y"]) for word in frontier for one in drawn if one["scheme"] == word]
    return {
        "width": WIDTH, "height": HEIGHT, "left": _LEFT, "right": WIDTH - _RIGHT, "top": _TOP,
        "bottom": HEIGHT - _BOTTOM, "points": drawn, "frontier": _steps(best), "across": across.ticks(),
        "up": up.ticks(), "limits": limits,
    }  # fmt: skip


def _steps(places: list[tuple[float, float]]) -> str:
    """Return the line of the best risk that can be had for a cost: it falls where the next scheme stands."""
    corners = places[:1]
    for (_, before), (x, y) in pairwise(places):
        corners += [(x, before), (x, y)]
    return " ".join(f"{x},{y}" for x, y in corners)


def _round_up(value: float) -> float:
    """Return the end of an axis: a little above the largest value, and round."""
    step = 0.05 if value <= 0.25 else 0.1
    return float(min(max(math.ceil(1.05 * value / step) * step, step), 1.0)) if value < 0.95 else 1.0


def _point(one: Assessment, distance: float, across: Axis, up: Axis, frontier: list[str]) -> dict[str, Any]:
    risk = one.worst
    assert risk is not None
    assert risk.share is not None
    return {
        "scheme": one.scheme, "x": across.place(distance), "y": up.place(risk.share), "low": up.place(risk.low),
        "high": up.place(risk.high), "is_best": one.scheme in frontier, "has_failed": bool(risk.failed),
        "threat": risk.threat, "name": None,
    }  # fmt: skip


def _name_points(points: list[dict[str, Any]], frontier: list[str], limits: list[tuple[str, float]]) -> None:
    """Write names beside the points that are worth a choice first, and beside others where there is room."""
    taken = [(point["x"] - 5, point["y"] - 5, point["x"] + 5, point["y"] + 5) for point in points]
    taken += [(WIDTH - _RIGHT - _LETTER * len(words), y - 5 - _LINE + 3, WIDTH - _RIGHT, y - 2) for words, y in limits]
    for point in sorted(points, key=lambda one: (one["scheme"] not in frontier, one["x"])):
        width = _LETTER * len(point["scheme"])
        for x, anchor in ((point["x"] + 9, "start"), (point["x"] - 9, "end")):
            left = x if anchor == "start" else x - width
            for dy in (-8, 16):
                box = (left - 3, point["y"] + dy - _LINE + 3, left + width + 3, point["y"] + dy + 3)
                inside = box[0] >= _LEFT + 2 and box[2] <= WIDTH and box[1] >= 2 and box[3] <= HEIGHT - _BOTTOM
                if inside and point["name"] is None and not any(_meet(box, other) for other in taken):
                    point["name"] = {"x": x, "y": point["y"] + dy, "anchor": anchor}
                    taken.append(box)


def _meet(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _limits(comparison: Comparison, up: Axis) -> list[tuple[str, float]]:
    """Return where floor and ceiling lie, as far as they were compared; where one hides the other, as one line."""
    found = list(_each_limit(comparison, up))
    if len(found) == 2 and abs(found[0][1] - found[1][1]) < _LINE:
        return [(f"{found[0][0]}; {found[1][0]}", found[0][1])]
    return found


def _each_limit(comparison: Comparison, up: Axis) -> Iterator[tuple[str, float]]:
    for word, words in ((CEILING, "ceiling: names removed, nothing else"), (FLOOR, "floor: a random graph")):
        for one in comparison.assessments:
            if one.scheme == word and one.worst is not None and one.worst.share is not None:
                yield words, up.place(one.worst.share)
