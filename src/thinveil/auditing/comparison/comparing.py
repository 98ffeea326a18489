"""Many schemes, one graph: each is assessed by itself, finished ones are kept, and all are put into one plane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from thinveil.auditing.comparison.assessing import Asked, assess
from thinveil.auditing.comparison.grid import CEILING, DEFAULT_GRID, check_words
from thinveil.auditing.comparison.kept import Kept
from thinveil.auditing.comparison.records import MEASURED, Assessment, Point, find_frontier
from thinveil.auditing.results import GraphFacts
from thinveil.errors import InputError
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.measures.utility import choose
from thinveil.runtime.engines import ENGINES, Engine
from thinveil.runtime.finished import FinishedParts
from thinveil.runtime.notices import LOG
from thinveil.runtime.progress import Progress, report_nothing
from thinveil.runtime.threads import limit_threads
from thinveil.runtime.versions import used_versions
from thinveil.threats import THREATS

AUXILIARY = "identification:node_overlap=0.5,edge_overlap=0.75"
"""What the attacker holds who wants names, where nobody chose: half of the people, three quarters of their edges."""
PLANE = ("degrees", "local-clustering", "path-lengths", "edges-kept")
"""The measures whose mean distance is the cost of a scheme, where nobody chose."""


@dataclass(frozen=True)
class Comparison:
    """Schemes beside each other: assessments in the order in which they were named.

    ``plane`` are the measures whose mean distance is the utility that a scheme costs; ``threat`` says what the attacker
    holds who wants names. ``todo`` are schemes that are not assessed yet.
    """

    graph: GraphFacts
    assessments: tuple[Assessment, ...]
    plane: tuple[str, ...]
    threat: str
    repeats: int
    seed: int
    todo: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=used_versions)

    @property
    def points(self) -> list[Point]:
        """The schemes of which both risk and utility can be said."""
        return [
            Point(one.scheme, distance, one.worst.share)
            for one in self.assessments
            if (distance := one.distance(self.plane)) is not None and one.worst and one.worst.share is not None
        ]

    @property
    def frontier(self) -> list[str]:
        """The schemes of which no other is better in risk without being worse in utility, or the other way round.

        None, where the attacks do not tell one scheme from another; and none against which the attack failed, as long
        as the interval of its risk reaches as high as the risk of names being taken away and nothing else.
        """
        return find_frontier([one for one in self.points if self._may_protect(one.scheme)]) if self.is_telling else []

    def _may_protect(self, scheme: str) -> bool:
        worst = self[scheme].worst
        return worst is not None and not (worst.failed and worst.high >= self._ceiling)

    @property
    def _ceiling(self) -> float:
        """The risk where only names are taken away; if that was not measured, the largest there is."""
        found = {one.scheme: one.risk for one in self.points}
        return found.get(CEILING, max(found.values(), default=0.0))

    @property
    def is_telling(self) -> bool:
        """Whether the attacks find anybody where only names are taken away, or, if that was not measured, anywhere.

        An attack that finds nobody there has failed: that it finds nobody elsewhere says nothing of the schemes.
        """
        return self._ceiling > 0

    def __getitem__(self, scheme: str) -> Assessment:
        """Return the assessment of a scheme by its word."""
        for one in self.assessments:
            if one.scheme == scheme:
                return one
        raise InputError(f"{scheme!r} was not compared: there are {', '.join(one.scheme for one in self.assessments)}")

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return {
            "thinveil": self.versions["thinveil"],
            "graph": {**asdict(self.graph), "name": self.graph.title},
            "settings": {"threat": self.threat, "repeats": self.repeats, "seed": self.seed, "plane": list(self.plane)},
            "frontier": self.frontier,
            "schemes": [
                {**one.to_dict(), "risk": None if one.worst is None else one.worst.share,
                 "distance": one.distance(self.plane)}
                for one in self.assessments
            ],
            "versions": dict(self.versions),
        }  # fmt: skip


def compare(
    graph: GraphLike,
    schemes: Iterable[str] | None = None,
    *,
    threat: str = AUXILIARY,
    utility: str | Iterable[str] | None = None,
    repeats: int = 1,
    seed: int = 0,
    facts: GraphFacts | None = None,
    folder: Path | None = None,
    force: bool = False,
    engine: str | Engine = "local",
    threads: int | None = None,
    on_progress: Progress = report_nothing,
    on_assessed: Callable[[Comparison], object] = lambda comparison: None,
) -> Comparison:
    """Assess schemes on one graph: how many people each leaves to be found again, and what it costs in utility.

    Every scheme is attacked under the threats that make sense for it: names are put on what it publishes with an
    auxiliary graph, and sub-graphs are linked with each other. Its risk is the larger share.

    Parameters
    ----------
    graph
        The graph that someone wants to release.
    schemes
        Words such as ``sparsify:share=0.3``; by default a grid of what there is to choose from.
    threat
        The threat of whoever wants names: how much the auxiliary graph has in common with the published one.
    utility
        Measures, or families of them, whose mean distance is the cost of a scheme: ``"clustering,paths"``. All are
        measured whatever is chosen here.
    repeats, seed
        Draws of each audit, and what decides all that is random.
    facts
        What the page says of the graph's origin.
    folder
        Where finished assessments are kept, so that a run that was stopped goes on where it was.
    force
        Whether those of another graph, threat, seed or number of draws may be replaced.
    engine, threads
        What runs the assessments, and with how many threads; they do not change the result.
    on_progress, on_assessed
        Called with the scheme that is being assessed, and with all that is known after each.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> original = "identification:node_overlap=1,edge_overlap=1"
    >>> found = compare(synthetic_graph(2000), ["pseudonyms"], threat=original, utility="degrees")
    >>> found["pseudonyms"].distance(found.plane), found.frontier
    (0.0, ['pseudonyms'])
    """
    work = as_graph(graph)
    words = check_words(DEFAULT_GRID if schemes is None else schemes)
    if THREATS.make(threat).name != "identification":
        raise InputError(f"threat {threat!r}: names are asked for with --aux or identification:...; linkage is always")
    plane = PLANE if utility is None else tuple(about.name for some in choose(utility).values() for about in some)
    asked = Asked(threat, repeats, seed)
    found: dict[str, Assessment] = {}
    facts = facts or GraphFacts.of(work)

    def state() -> Comparison:
        done = tuple(found[word] for word in words if word in found)
        return Comparison(facts, done, plane, threat, repeats, seed, tuple(word for word in words if word not in found))

    if folder is not None and not force:
        FinishedParts(folder).check_same({
            "graph": ("graph", facts.digest), "asked": ("threat, seed or number of draws", asdict(asked)),
        })  # fmt: skip
    keep = Kept(folder, facts.digest, asked)
    found |= {word: kept for word in words if (kept := keep.find(word)) is not None}
    chosen: Engine = ENGINES.make(engine)

    def tell() -> None:
        following = next((word for word in words if word not in found), None)
        on_progress(following or "compare", len(found), len(words))
        if following:
            LOG.info(f"scheme {len(found) + 1} of {len(words)}: {following}")

    tell()
    with limit_threads(threads):
        for outcome in chosen.map(assess, [word for word in words if word not in found], given=(work, asked)):
            found[outcome.job] = outcome.value
            keep.keep(outcome.value)
            tell()
            on_assessed(state())
    return state()


def are_measured(comparison: Comparison) -> bool:
    """Whether anything was measured at all."""
    return any(one.status == MEASURED for one in comparison.assessments)
