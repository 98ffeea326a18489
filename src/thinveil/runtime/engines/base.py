"""What every engine can do: call a function for many jobs.

A job is small and can be pickled; what all jobs need in common (a graph, a plan) is *given* to each worker once. The
results come as they are finished, in no order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol


class Outcome(NamedTuple):
    """A job and what it gave."""

    job: Any
    value: Any


class Engine(Protocol):
    """Anything that can run jobs."""

    def map(
        self, function: Callable[..., Any], jobs: Iterable[Any], *, given: tuple[Any, ...] = ()
    ) -> Iterator[Outcome]:
        """Call ``function(*given, job)`` for every job, and yield the outcomes as they come."""
