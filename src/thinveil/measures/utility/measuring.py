"""The utility of a release: all measures that were asked for, of a whole graph or of sub-graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.measures.fakes import FakeEdges, find_fakes
from thinveil.measures.utility.alignment import Aligner
from thinveil.measures.utility.base import Comparison, Family, Measure, Said
from thinveil.measures.utility.joining import join_answers
from thinveil.measures.utility.registry import choose
from thinveil.runtime.parameters import suggest
from thinveil.runtime.progress import Progress, report_nothing
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Parts, Release
from thinveil.schemes.given import ReleaseLike, as_published

_NO_NODES = "one of the two graphs has no nodes"
_LEAST = 32  # people from whom paths are followed: with fewer, the error cannot be told


@dataclass(frozen=True)
class Utility:
    """What a release keeps of the original.

    ``basis`` says in words what was compared with what; of the release's ``subgraphs`` so many were ``compared``.
    ``fakes`` says how well edges that were made up can be told from real ones.
    """

    measures: tuple[Measure, ...]
    fakes: FakeEdges
    basis: str
    subgraphs: int
    compared: int

    def __getitem__(self, name: str) -> Measure:
        """Return a measure by its name."""
        for one in self.measures:
            if one.name == name:
                return one
        raise InputError(f"unknown measure {name!r}: {suggest(name, [one.name for one in self.measures])}")

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return asdict(self)


def utility(
    graph: GraphLike,
    release: ReleaseLike | GraphLike,
    *,
    measures: str | Iterable[str] | None = None,
    seed: int = 0,
    sources: int = 128,
    subgraphs: int = 20,
    threads: int | None = None,
    on_progress: Progress = report_nothing,
) -> Utility:
    """Measure what a release keeps of the graph that it was made from.

    Parameters
    ----------
    graph
        The original.
    release
        What was published of it; with its secret, where that is at hand: measures that are about single people, and
        all measures of a release of sub-graphs, need it. A published graph of which nothing is known will do.
    measures
        Names of measures or of families of them, such as ``"clustering,paths"``; all by default.
    seed
        Decides who is in the samples.
    sources
        People from whom paths are followed, where there are more: in sub-graphs, a quarter of them in each.
    subgraphs
        Sub-graphs that are compared, where there are more.
    threads
        Number of threads; it does not change the result.
    on_progress
        Called with stage, steps done and steps in all.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> graph = synthetic_graph(2000)
    >>> found = utility(graph, make_scheme("pseudonyms").publish(graph, seed=0), measures="degrees,pagerank")
    >>> [(one.name, one.distance) for one in found.measures]
    [('degrees', 0.0), ('joint-degrees', 0.0), ('assortativity', 0.0), ('pagerank', 0.0)]
    """
    wanted, original = choose(measures), as_graph(graph)
    published = _check(as_published(release, "release"), sources, subgraphs)
    is_whole = _is_whole(published)
    aligner = Aligner.of(original, published, seed=seed, sources=sources if is_whole else max(_LEAST, sources // 4))
    drawn = _draw(published, subgraphs, seed, is_whole)
    with limit_threads(threads):
        answers = [_answer(one, wanted, lambda done, k=k: on_progress("compare", *_steps(k, done, drawn, wanted)))
                   for k, one in enumerate(_comparisons(aligner, published, drawn, is_whole))]  # fmt: skip
        fakes = _find_fakes(aligner, published, drawn)
    found = tuple(
        join_answers(family, about, [one[about.name] for one in answers], len(published))
        for family, abouts in wanted.items()
        for about in abouts
    )
    return Utility(found, fakes, _basis(published, drawn, is_whole), len(published), len(answers))


def _check(release: Release | Graph, sources: int, subgraphs: int) -> Release:
    if isinstance(release, Graph):
        release = Release((release,), None)
    if not len(release):
        raise InputError("the release has no sub-graph: there is nothing to compare")
    if sources < _LEAST or subgraphs < 1:
        raise InputError(
            f"sources = {sources} and subgraphs = {subgraphs}: give at least {_LEAST} sources and 1 sub-graph"
        )
    return release


def _is_whole(release: Release) -> bool:
    """Whether the release is one graph of everybody, and not of those around some ego."""
    return len(release) == 1 and (release.secret is None or release.secret[0].hops is None)


def _draw(release: Release, most: int, seed: int, is_whole: bool) -> list[int]:
    """Return which sub-graphs are compared; none where the truth is needed and not there."""
    if release.secret is None and not is_whole:
        return []
    places = stream(seed, "utility", "sub-graphs").permutation(len(release))[:most]
    return sorted(places.tolist())


def _comparisons(aligner: Aligner, release: Release, drawn: Sequence[int], is_whole: bool) -> Iterator[Comparison]:
    for k in drawn:
        public, secret = release.public[k], None if release.secret is None else release.secret[k]
        if is_whole or secret is None:
            yield aligner.compare_whole(public, secret)
        else:
            yield aligner.compare_part(public, secret)


def _answer(given: Comparison, wanted: Mapping[Family, Any], on_step: Any) -> dict[str, Said | str]:
    """Return what all families say of a comparison."""
    answers: dict[str, Said | str] = {}
    for done, family in enumerate(wanted):
        on_step(done)
        if all(side.graph.node_count for side in given.sides):
            answers.update(family.compare(given))
        else:
            answers.update(dict.fromkeys((about.name for about in family.measures), _NO_NODES))
    return answers


def _steps(k: int, done: int, drawn: Sequence[int], wanted: Mapping[Family, Any]) -> tuple[int, int]:
    return k * len(wanted) + done, len(drawn) * len(wanted)


def _find_fakes(aligner: Aligner, release: Release, drawn: Sequence[int]) -> FakeEdges:
    if release.secret is None:
        return FakeEdges(0, 0, reason="the truth was not given")
    secret = release.secret
    return find_fakes(
        aligner.graph, Parts(len(drawn), lambda i: aligner.known(release.public[drawn[i]], secret[drawn[i]]))
    )


def _basis(release: Release, drawn: Sequence[int], is_whole: bool) -> str:
    if is_whole:
        return "the published graph, beside the whole original"
    if not drawn:
        return "nothing: the release is made of sub-graphs, and its truth was not given"
    count = f"{len(drawn)} of {len(release)}" if len(drawn) < len(release) else f"all {len(drawn)}"
    return f"{count} sub-graphs, each beside the original's own among the same people; means over them"
