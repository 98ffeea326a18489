"""What becomes of a release when one link leads to the next: known seeds, and stitching (Section 5 of the paper).

Each draw makes two releases around different people, as an audit does. The attack on the neighbours of seeds, and the
linkage that stitches, learn from the first; of the second they see the view, and the truth counts.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from thinveil.attacks import Attack
from thinveil.attacks.collective import Linkage
from thinveil.auditing.results import GraphFacts
from thinveil.auditing.seeding import SeedResult, measure_seeds
from thinveil.auditing.settings import Settings, choose_scheme
from thinveil.errors import InputError, SampleError
from thinveil.features import RowTruth, View, join_channels, observe
from thinveil.features.pairs import PairSampler
from thinveil.graph import Graph
from thinveil.measures.rebuilt import Rebuilt, count_rebuilt
from thinveil.runtime.progress import Clock, Progress
from thinveil.runtime.streams import stream
from thinveil.schemes import Scheme

_Look = tuple[View, RowTruth]


@dataclass(frozen=True)
class RebuildResult:
    """The rounds of each draw, and the worth of seeds in each; ``seconds`` says what took how long."""

    settings: Settings
    graph: GraphFacts
    sure: float
    rounds: tuple[tuple[Rebuilt, ...], ...]
    seeds: tuple[SeedResult, ...]
    seconds: dict[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it in plain types."""
        return {
            **asdict(self),
            "settings": self.settings.to_dict(),
            "graph": {**asdict(self.graph), "name": self.graph.title},
        }


def rebuild(
    graph: Graph,
    scheme: str | Scheme | None = None,
    *,
    seeds: int = 1,
    sure: float = 0.5,
    rounds: int | None = 6,
    settings: Settings | None = None,
    facts: GraphFacts | None = None,
    on_progress: Progress = lambda stage, done, total: None,
    threads: int | None = None,
    **changes: Any,
) -> RebuildResult:
    """Measure how much of a graph an attacker rebuilds from a release, and what known seeds are worth.

    Parameters
    ----------
    graph, scheme
        The graph that someone wants to release, and how.
    seeds
        Known seeds for each couple of sub-graphs; 0 leaves them out.
    sure
        A link must be at least so probable.
    rounds
        Rounds after the first in training, at most, and three times as many in the attack; None stitches nothing.
    settings, changes
        As for an audit: a ``Settings``, or its fields by name.
    facts
        What is told of the graph's origin.
    on_progress
        Called with stage, steps done and steps in all.
    threads
        Number of threads; it does not change the result.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> result = rebuild(synthetic_graph(3000, seed=1), "d4d-1", egonets=10, min_size=50, trees=20, rounds=1)
    >>> 1 <= len(result.rounds[0]) <= 4
    True
    """
    if not isinstance(graph, Graph):
        raise InputError(f"{graph!r} is not a graph: read one with thinveil.read_graph(path)")
    settings = Settings.from_dict({**(settings or Settings()).to_dict(), **changes})
    settings, scheme = choose_scheme(settings, scheme, changes)
    settings = replace(settings, attack=settings.attack or "forest").resolved(
        other_graph=True
    )  # seeds here are not what is learned from
    stages = 1 + (seeds > 0) + (rounds is not None)
    clock = Clock(on_progress, settings.repeats * stages)
    found: list[tuple[Rebuilt, ...]] = []
    worth: list[SeedResult] = []
    for number in range(settings.repeats):
        draw = _Draw(settings, number, threads)
        attack = draw.attack()
        with clock.stage("learn"):
            known, asked = draw.learn(graph, scheme, attack)
        if seeds:
            with clock.stage("seeds"):
                worth.append(measure_seeds(*asked, attack, seeds=seeds, seed=draw.seed("seeds"), threads=threads))
        if rounds is None:
            continue
        with clock.stage("stitch"):
            linkage = Linkage(rounds=rounds, sure=sure, seed=draw.seed("linkage"), threads=threads)
            linkage.fit(known[0], known[1].person)
            found.append(tuple(count_rebuilt(*asked, person) for person in linkage.link(asked[0]).rounds))
    return RebuildResult(settings, facts or GraphFacts.of(graph), sure, tuple(found), tuple(worth), clock.seconds)


@dataclass(frozen=True)
class _Draw:
    """What one draw needs to know; its releases and its attack are those of an audit's draw with the same seed."""

    settings: Settings
    number: int
    threads: int | None

    def seed(self, purpose: str) -> int:
        return int(stream(self.settings.seed, purpose, self.number).integers(2**62))

    def learn(self, graph: Graph, scheme: Scheme, attack: Attack) -> tuple[_Look, _Look]:
        """Publish twice, look at both releases, and train the attack on the first."""
        channels, least = join_channels(attack.channels, Linkage.channels), self.settings.min_degree
        known, asked = (
            observe(release, channels, min_degree=least, keep_neighbors=True, threads=self.threads)
            for release in scheme.draw(graph, releases=2, seed=self.seed("releases"))
        )
        chosen, chance = self.settings, stream(self.settings.seed, "training pairs", self.number, "complete")
        sampler = PairSampler(known[0].subgraph, known[1])
        identical = sampler.identical("complete", chosen.train_pairs, chance)
        if not len(identical):
            raise SampleError("no two training sub-graphs share anybody: change egonets, min_size or min_degree")
        attack.fit(known[0], identical, sampler.different(chosen.protocol, "complete", chosen.train_negatives, chance))
        return known, asked

    def attack(self) -> Attack:
        return self.settings.make_attack(seed=self.seed("forest complete"), threads=self.threads)
