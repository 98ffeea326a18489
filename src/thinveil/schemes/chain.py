"""Several schemes one after the other: ``sparsify:share=0.1+d4d-2:egonets=50``.

Each but the last publishes one whole graph, which the next is given to publish. Every step has a seed of its own, and
who stands behind a node is followed through all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, SampleError
from thinveil.graph import Graph
from thinveil.runtime.parameters import parameter, suggest, to_word
from thinveil.runtime.streams import stream
from thinveil.schemes.base import NOBODY, Published, Release, Scheme, Secret, title_of
from thinveil.schemes.external.imported import Imported


@dataclass(frozen=True)
class Chain:
    """Publish by several schemes one after the other, written with a plus between them.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> chain = Chain.from_word("sparsify:share=0.1+d4d-1:egonets=3,min_size=50")
    >>> len(chain.publish(synthetic_graph(2000), seed=1))
    3
    """

    name: ClassVar[str] = "chain"
    joins_words: ClassVar[bool] = True

    steps: tuple[str, ...] = parameter(("sparsify", "d4d-2"), "words of the schemes; all but the last for whole graphs")
    left_open: tuple[str, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.steps) < 2:
            raise InputError(f"{self.name}: give two schemes or more, such as sparsify+d4d-2, not {len(self.steps)}")
        if any(made.name == self.name for made in self.schemes):
            raise InputError(f"{self.name}: write all schemes of a chain in one word, such as sparsify+switch+d4d-2")
        object.__setattr__(self, "steps", tuple(to_word(made.name, made) for made in self.schemes))

    @classmethod
    def from_word(cls, word: str) -> Self | None:
        """Return the chain that a word with a plus between names of schemes stands for; None for another word."""
        from thinveil.schemes import SCHEMES

        steps = split_steps(word, SCHEMES.names()) if "+" in word else []
        if len(steps) < 2:
            return None
        chain = cls(tuple(steps))
        object.__setattr__(chain, "left_open", SCHEMES.left_open(steps[-1]))
        return chain

    def check_named(self) -> None:
        """Look for what the user has named: what is wrong with a step is told before any time is spent."""
        for one in self.schemes:
            check: Any = getattr(one, "check_named", None)
            if check is not None:
                check()

    @property
    def title(self) -> str:
        """What it is called in a report."""
        return "+".join(title_of(one) for one in self.schemes)

    def to_word(self) -> str:
        """Return the word that makes the chain again."""
        return "+".join(self.steps)

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """The schemes, in order."""
        from thinveil.schemes import SCHEMES

        return tuple(SCHEMES.read(step) for step in self.steps)

    @property
    def is_foreign(self) -> bool:
        """Whether one of the schemes runs a program of somebody else, which settings alone may not start."""
        return any(getattr(one, "is_foreign", False) for one in self.schemes)

    def describe(self) -> str:
        """Say what is published."""
        first, *rest = (f"{title_of(one)} {_words(one)}" for one in self.schemes)
        after = (f"of what that gives, {one}" for one in rest)
        return "; ".join((f"works in {len(self.steps)} steps: {first}", *after))

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return what the last scheme publishes of what the others made, with the people of the graph."""
        between = self._before_last(graph, seed, avoid)
        last, people = self.schemes[-1], between.secret.people
        avoided = [_seen_from(between.secret, one, graph.node_count) for one in avoid]
        try:
            release = last.publish(between.public, seed=_seed(seed, len(self.steps)), avoid=avoided)
        except SampleError as error:
            raise SampleError(self._in_full(error)) from None
        secrets = release.secret
        if secrets is None:
            raise InputError(f"{self.name}: {last.name} gives no secret: nobody can tell who is who")
        centers = None if release.centers is None else people[release.centers].astype(np.int64)
        if centers is not None and (centers == NOBODY).any():
            centers = None

        def make(k: int) -> Published:
            return Published(release.public[k], followed(secrets[k], between.secret))

        return Release.lazy(len(release), make, scheme=self.to_word(), graph=graph, centers=centers)

    def suited(self, graph: Graph, *, left_open: Collection[str] = (), releases: int = 1) -> Self:
        """Return the chain with what its last scheme leaves open chosen from a graph as it is given one."""
        return self._with_last("suited", graph, left_open=left_open, releases=releases) or self

    def suggested(self, graph: Graph, *, releases: int = 1) -> Self | None:
        """Return the chain whose last scheme a graph has room for; None where there is none."""
        return self._with_last("suggested", graph, releases=releases)

    def resized(self, count: int) -> Self:
        """Return the same chain with another number of sub-graphs, where its last scheme has such a number."""
        resize: Any = getattr(self.schemes[-1], "resized", None)
        return self if resize is None else self._ending(resize(count))

    def _with_last(self, method: str, graph: Graph, **options: Any) -> Self | None:
        """Let the last scheme choose its parameters for an example of what it is given."""
        choose: Any = getattr(self.schemes[-1], method, None)
        if choose is None:
            return None
        try:
            chosen = choose(self._before_last(graph, 0, ()).public, **options)
        except SampleError as error:
            raise SampleError(self._in_full(error)) from None
        return None if chosen is None else self._ending(chosen)

    def _ending(self, last: Any) -> Self:
        return replace(self, steps=(*self.steps[:-1], to_word(last.name, last)))

    def _in_full(self, error: SampleError) -> str:
        """Return what the last scheme says, with the whole chain where it says what to give."""
        before, name = "+".join(self.steps[:-1]), self.schemes[-1].name
        words = str(error)
        for mark in ("--scheme ", 'scheme="'):
            words = words.replace(f"{mark}{name}", f"{mark}{before}+{name}")
        return words

    def _before_last(self, graph: Graph, seed: int, avoid: Sequence[Release]) -> Published:
        """Return the graph that the last scheme is given, and who its nodes are."""
        public, secret = graph, Secret(np.arange(graph.node_count, dtype=np.int32))
        for number, scheme in enumerate(self.schemes[:-1], start=1):
            release = scheme.publish(public, seed=_seed(seed, number), avoid=avoid)
            if len(release) != 1 or release.secret is None:
                raise InputError(
                    f"{self.name}: {scheme.name} publishes {len(release):,} sub-graphs, and the next scheme wants one "
                    "graph: put it last"
                )
            public, secret = release.public[0], followed(release.secret[0], secret)
        return Published(public, secret)


def _imported(step: str, names: Collection[str]) -> Imported | None:
    """Return a step of the user's own Python, of which nothing is imported yet: settings may come from a stranger."""
    return None if step.partition(":")[0].strip() in names else Imported.from_word(step)


def split_steps(word: str, names: Collection[str]) -> list[str]:
    """Return the words of a chain: they are parted where a plus stands before the name of a scheme.

    Elsewhere a plus joins values of a parameter.

    Examples
    --------
    >>> split_steps("a:x=1+2+b", ["a", "b"])
    ['a:x=1+2', 'b']
    """
    steps: list[str] = []
    for piece in word.split("+"):
        name = piece.partition(":")[0].strip()
        if not steps or name in names:
            steps.append(piece)
        elif ":" not in steps[-1] and steps[-1].strip() in names:
            raise InputError(f"{word!r}: unknown scheme {name!r}: {suggest(name, names)}")
        else:
            steps[-1] += f"+{piece}"
    is_chain = all(step.partition(":")[0].strip() in names or _imported(step, names) for step in steps)
    return [step.strip() for step in steps] if is_chain else [word]


def followed(last: Secret, before: Secret) -> Secret:
    """Return who stands behind the nodes of ``last``, whose people are the nodes of ``before``."""
    if last.others is None and before.others is None:
        return last.renumbered(before.people)
    nodes = np.append(np.arange(last.people.size), [] if last.others is None else last.others[0]).astype(np.int64)
    between = last.people if last.others is None else np.append(last.people, last.others[1])
    more = np.empty((2, 0), dtype=np.int32) if before.others is None else before.others
    pairs = [(nodes, np.append(before.people, np.int32(NOBODY))[between])]
    for node, person in more.T.tolist():
        at = nodes[between == node]
        pairs.append((at, np.full(at.size, person, dtype=np.int32)))
    at, people = (np.concatenate(side) for side in zip(*pairs, strict=True))
    real = people != NOBODY
    at, people = at[real], people[real]
    _, first = np.unique(at, return_index=True)
    whole = np.full(last.people.size, NOBODY, dtype=np.int32)
    whole[at[first]] = people[first]
    rest = np.setdiff1d(np.arange(at.size), first)
    return Secret(whole, last.hops, np.stack((at[rest], people[rest])) if rest.size else None)


def _seen_from(secret: Secret, release: Release, people: int) -> Release:
    """Return an earlier release with its egos as they are numbered in what the last scheme is given."""
    place: NDArray[np.int64] = np.full(people, -1, dtype=np.int64)
    if secret.others is not None:
        place[secret.others[1]] = secret.others[0]
    real = np.flatnonzero(secret.people != NOBODY)
    place[secret.people[real]] = real
    egos = place[release.egos]
    return Release(release.public, release.secret, release.scheme, centers=egos[egos >= 0])


def _seed(seed: int, step: int) -> int:
    return int(stream(seed, "chain", step).integers(2**62))


def _words(scheme: Scheme) -> str:
    return scheme.describe() if hasattr(scheme, "describe") else "publishes what its own code says"
