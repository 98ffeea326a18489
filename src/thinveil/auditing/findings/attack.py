"""What the attack learned, what it linked round by round, and how often it can tell the ego."""

from __future__ import annotations

from thinveil.attacks import Lesson
from thinveil.auditing.findings.pooled import Pooled
from thinveil.auditing.results import Egos, LinkRound


def find_lesson(pooled: Pooled) -> Lesson:
    """Return what was learned in the first draw."""
    return pooled.complete[0].lesson if pooled.complete else Lesson()


def find_rounds(pooled: Pooled) -> tuple[tuple[LinkRound, ...], ...]:
    """Return the links of each draw, round by round; nothing for attacks without rounds."""
    rounds = tuple(draw.rounds for draw in pooled.draws)
    return rounds if any(rounds) else ()


def find_egos(pooled: Pooled) -> Egos:
    """Return how often the ego of a test sub-graph can be told, over all draws."""
    return Egos(
        *(sum(getattr(draw.egos, name) for draw in pooled.draws) for name in ("subgraphs", "detected", "right"))
    )
