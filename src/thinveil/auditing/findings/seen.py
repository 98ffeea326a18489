"""What everybody can see without an attack, in the first draw."""

from __future__ import annotations

from thinveil.auditing.findings.pooled import Pooled
from thinveil.measures.fakes import FakeEdges
from thinveil.measures.uniqueness import Uniqueness


def find_alone(pooled: Pooled) -> Uniqueness | None:
    """Return how many people are alone with what is easily known of them."""
    seen = pooled.draws[0].seen
    return None if seen is None else seen.uniqueness


def find_made_up(pooled: Pooled) -> FakeEdges | None:
    """Return how well made-up edges can be told; None where none were made up."""
    seen = pooled.draws[0].seen
    return seen.fakes if seen is not None and seen.fakes is not None and seen.fakes.fake else None
