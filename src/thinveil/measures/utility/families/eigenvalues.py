"""The largest eigenvalues: how fast something spreads."""

from __future__ import annotations

import numpy as np

from thinveil.measures.utility.base import About, Answers, Comparison, Family, Said
from thinveil.measures.utility.spectrum import COUNT

_DIGITS = 9


def compare(given: Comparison) -> Answers:
    """Compare the largest eigenvalues by size, one after the other."""
    first, second = (side.spectrum[0] for side in given.sides)
    larger = float(np.maximum(first, second).sum())
    distance = round(float(np.abs(first - second).sum()) / larger, _DIGITS) if larger else 0.0
    return {"eigenvalues": Said(float(first[0]), float(second[0]), distance)}


EIGENVALUES = Family(
    "eigenvalues",
    (
        About(
            "eigenvalues",
            "the largest eigenvalue of the graph",
            f"0: the {COUNT} largest eigenvalues are the same in size; 1: one of the two graphs has none but 0",
        ),
    ),
    compare,
)
