"""Putting a release beside the original: who stands behind which node, and the same order of people in both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph, trusted_graph
from thinveil.graph.thinning import are_edges, thin
from thinveil.measures.fakes import Known
from thinveil.measures.utility.base import Comparison, Side
from thinveil.runtime.streams import stream
from thinveil.schemes import NOBODY, Release, Secret

I32 = NDArray[np.int32]

_NO_TRUTH = "nobody is aligned: the truth was not given"
_NOBODY = "nobody is aligned: nobody stands behind the nodes alone"
_NOT_TOLD = "\0"  # in front of the name of a person who is not told


@dataclass(frozen=True, eq=False)
class Aligner:
    """The original, and for each person of the release their number in it; -1 for whoever is not told."""

    graph: Graph
    number: I32 | None
    lots: NDArray[np.uint64]
    seed: int
    sources: int

    @classmethod
    def of(cls, graph: Graph, release: Release, *, seed: int, sources: int) -> Aligner:
        """Return what puts sub-graphs of a release beside a graph, or say that its people are others."""
        number = None if release.secret is None else _numbers(graph, release)
        lots = stream(seed, "utility", "lots").integers(2**64, size=graph.node_count, dtype=np.uint64)
        return cls(trusted_graph(graph.indptr, graph.indices), number, lots, seed, sources)

    def compare_whole(self, public: Graph, secret: Secret | None) -> Comparison:
        """Put a published graph beside the whole original."""
        return self._compare(np.arange(self.graph.node_count, dtype=np.int32), self.graph, public, secret)

    def compare_part(self, public: Graph, secret: Secret) -> Comparison:
        """Put a published sub-graph beside the original's own among the same people."""
        people = self._people(secret.everybody)
        people = np.sort(people[people != NOBODY])
        return self._compare(people, thin(self.graph, people, 0.0, 0), public, secret)

    def known(self, public: Graph, secret: Secret) -> Known:
        """Return a published graph, and who its nodes are in the original."""
        return Known(public, self._people(secret.people), ~secret.is_one & (secret.people != NOBODY))

    def _people(self, people: I32) -> I32:
        """Return the numbers that people of the release have in the original."""
        if self.number is None:
            return people
        return np.append(self.number, np.int32(NOBODY))[people]

    def _compare(self, people: I32, original: Graph, public: Graph, secret: Secret | None) -> Comparison:
        nodes = public.node_count
        person = np.full(nodes, NOBODY, dtype=np.int32)
        if secret is not None:
            person = np.where(secret.is_one, self._people(secret.people), np.int32(NOBODY))
        # people in the order of the original, and behind them the nodes of nobody and of several
        order = np.argsort(np.where(person == NOBODY, np.int64(2**31), person), kind="stable").astype(np.int32)
        released = thin(trusted_graph(public.indptr, public.indices), order, 0.0, 0)
        known = person[order][: np.count_nonzero(person != NOBODY)]
        aligned = np.stack((np.searchsorted(people, known).astype(np.int32), np.arange(known.size, dtype=np.int32)))
        why = "" if known.size else _NO_TRUTH if secret is None else _NOBODY
        lots = self._lots(nodes, known, is_plain=secret is None)
        sides = Side(original, self.lots[people]), Side(released, lots)
        return Comparison(*sides, aligned, why, self.seed, self.sources)

    def _lots(self, nodes: int, known: I32, *, is_plain: bool) -> NDArray[np.uint64]:
        """Return the lots of published nodes: those of people whom we know are their own."""
        lots = stream(self.seed, "utility", "lots of nobody").integers(2**64, size=nodes, dtype=np.uint64)
        if is_plain:  # a graph beside itself has the same lots
            known = np.arange(min(nodes, self.lots.size), dtype=np.int32)
        lots[: known.size] = self.lots[known]
        return lots


def _numbers(graph: Graph, release: Release) -> I32 | None:
    """Return for each person of a release their number in the graph; None where it is the same."""
    if release.names is None or release.names is graph.labels:
        _check_numbers(graph, release)
        return None
    called = np.arange(graph.node_count) if graph.labels is None else graph.labels
    place = {str(name): k for k, name in enumerate(called.tolist())}
    numbers = np.array([place.get(str(name), NOBODY) for name in release.names.tolist()], dtype=np.int32)
    strange = [str(name) for name in release.names[numbers == NOBODY].tolist() if str(name)[:1] != _NOT_TOLD]
    if strange:
        raise InputError(
            f"the truth names person {strange[0]!r}, whom the graph does not have: give the graph that was published"
        )
    return numbers


def _check_numbers(graph: Graph, release: Release) -> None:
    for k, secret in enumerate(release.secret or ()):
        largest = int(secret.everybody.max(initial=NOBODY))
        if largest >= graph.node_count:
            raise InputError(f"sub-graph {k} of the release has person {largest}, whom the graph does not have")


def shared_edges(given: Comparison) -> NDArray[np.bool_]:
    """Return which edges of the release are between two people who are in contact in the original too."""
    person = np.full(given.release.graph.node_count, NOBODY, dtype=np.int32)
    person[given.aligned[1]] = given.aligned[0]
    first, second = (person[end] for end in given.release.edges)
    original = given.original.graph
    return np.asarray(are_edges(first, second, original.indptr, original.indices))
