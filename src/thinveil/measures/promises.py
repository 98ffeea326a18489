"""Promises put to the test: what was counted, beside what a scheme states.

*k* is counted: the smallest group of people who share what the promise names. *epsilon* is bounded from below by
guesses in one run (Steinke, Nasr & Jagielski 2023): of guesses about independent coins, an epsilon-private scheme lets
no more than a share of e^epsilon / (1 + e^epsilon) come true, but for chance. Nothing here is worked out from how many
people were linked: that is another game, which bounds no epsilon.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv

from thinveil.graph import Graph
from thinveil.measures.uniqueness import TRAITS, share_trait

CONFIDENCE = 0.95

_TRAITS = {"degree": TRAITS[0], "degree and neighbours' degrees": TRAITS[2]}
"""What a promise names, and what that is called where people are counted who are alone with it."""


@dataclass(frozen=True)
class PromiseTest:
    """What a test of a promise found.

    ``found`` is the smallest group (k), or the largest epsilon that is refuted with ``confidence``: the scheme's own
    cannot be smaller. ``is_broken`` says whether that contradicts what was ``promised``. Of ``canaries`` so many
    ``guesses`` were made and came ``right``; ``ceiling`` is the largest epsilon that so many guesses could refute, were
    all right. Where nothing could be tested ``found`` is None, and ``why`` says why.
    """

    kind: str
    promised: float
    unit: str
    found: float | None = None
    is_broken: bool = False
    canaries: int = 0
    guesses: int = 0
    right: int = 0
    ceiling: float | None = None
    confidence: float = CONFIDENCE
    why: str = ""


def count_sharing(public: Iterable[Graph], promised: float, unit: str) -> PromiseTest:
    """Count the smallest group of people who share what a promise of k names.

    Examples
    --------
    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> [count_sharing([graph], 2, "degree").is_broken for graph in (ring, star)]
    [False, True]
    """
    if unit not in _TRAITS:
        return PromiseTest("k", promised, unit, why=f"nobody has told how to count who shares the same {unit}")
    sizes = [int(share_trait(graph, _TRAITS[unit]).min()) for graph in public if graph.node_count]
    if not sizes:
        return PromiseTest("k", promised, unit, why="nobody was published")
    return PromiseTest("k", promised, unit, float(min(sizes)), min(sizes) < promised)


def bound_epsilon(promised: float, unit: str, *, canaries: int, guesses: int, right: int) -> PromiseTest:
    """Return which epsilon so many right guesses refute.

    Examples
    --------
    >>> found = bound_epsilon(1.0, "edge", canaries=1000, guesses=1000, right=950)
    >>> round(found.found, 2), found.is_broken, bound_epsilon(1.0, "edge", canaries=9, guesses=9, right=6).is_broken
    (2.7, True, False)
    """
    found = refuted_epsilon(guesses, right)
    return PromiseTest(
        "epsilon", promised, unit, found, found > promised, canaries, guesses, right, refuted_epsilon(guesses, guesses)
    )


def refuted_epsilon(guesses: int, right: int) -> float:
    """Return the largest epsilon under which so many right guesses are less probable than 1 in 20."""
    if not right:
        return 0.0
    share = float(betaincinv(right, guesses - right + 1, 1 - CONFIDENCE))
    return max(0.0, float(np.log(share / (1 - share))))
