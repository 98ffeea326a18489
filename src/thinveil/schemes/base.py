"""What a scheme is, and what it gives out.

A scheme turns a graph into a *release*: a series of published sub-graphs whose node numbers are pseudonyms, drawn
afresh for each sub-graph, in random order, and so saying nothing about anybody. A published node is an *appearance* of
a person. What ties appearances to people is the secret::

    release.public[k]    the k-th sub-graph as everybody sees it: a Graph
    release.secret[k]    who its nodes are: a Secret; release.secret is None where only the public half is at hand

An attack is only ever handed ``public``. Both are made when asked for, one sub-graph at a time, so that a release of
thousands need never stand in memory as a whole. A release that was written and read back is the same type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.checks import check_nodes
from thinveil.runtime.arrays import frozen
from thinveil.runtime.keys import Key

Number = TypeVar("Number", bound=np.generic)
Part = TypeVar("Part", covariant=True)


@dataclass(frozen=True, eq=False)
class Secret:
    """Who the nodes of one published sub-graph are: only the auditor has this.

    ``people[v]`` is the number of the person behind published node ``v``; ``hops[v]`` is its distance from the ego
    (0, 1 or 2), and None where the scheme has no egos.
    """

    people: NDArray[np.int32]
    hops: NDArray[np.int8] | None = None

    def __post_init__(self) -> None:
        people = _check_numbers("people", self.people, np.int32, 2**31 - 1)
        object.__setattr__(self, "people", people)
        if np.unique(people).size != people.size:
            raise InputError("a secret names one person twice in one sub-graph, where each stands once at most")
        if self.hops is not None:
            hops = _check_numbers("hops", self.hops, np.int8, 3)
            if hops.size != people.size:
                raise InputError(f"a secret has {hops.size} hops for {people.size} people: one of each is needed")
            object.__setattr__(self, "hops", hops)

    @property
    def ego(self) -> int | None:
        """The person around whom the sub-graph was cut; None where there is no such person."""
        return None if self.hops is None else int(self.people[np.argmin(self.hops)])


def _check_numbers(name: str, values: Any, kind: type[Number], limit: int) -> NDArray[Number]:
    """Return one column of numbers below a limit, as the kernels need it."""
    numbers = check_nodes(values)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < limit:
        raise InputError(f"the {name} of a secret must be whole numbers from 0 to {limit - 1}")
    return frozen(numbers.astype(kind))


class Published(NamedTuple):
    """One sub-graph as the public sees it, and apart from it the secret."""

    public: Graph
    secret: Secret


class Parts(Sequence[Part], Generic[Part]):
    """A series of parts that are made when asked for."""

    def __init__(self, count: int, make: Callable[[int], Part]) -> None:
        self._count, self._make = count, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, k: int) -> Part: ...
    @overload
    def __getitem__(self, k: slice) -> Sequence[Part]: ...
    def __getitem__(self, k: int | slice) -> Part | Sequence[Part]:
        if isinstance(k, slice):
            chosen = range(*k.indices(len(self)))
            return Parts(len(chosen), lambda i: self._make(chosen[i]))
        if not -len(self) <= k < len(self):
            raise IndexError(k)
        return self._make(k % len(self))

    def __iter__(self) -> Iterator[Part]:
        return (self._make(k) for k in range(self._count))


def check_published(k: int, one: Any, graph: Graph | None = None) -> Published:
    """Return the k-th sub-graph and its secret, or say why they do not fit each other, or the graph they come from."""
    public, secret = one if isinstance(one, tuple) and len(one) == 2 else (one, None)
    if not isinstance(public, Graph) or not isinstance(secret, Secret):
        kinds = f"{type(public).__name__} and {type(secret).__name__}"
        raise InputError(f"sub-graph {k} of the release is {kinds}: a scheme publishes a Graph and a Secret")
    if secret.people.size != public.node_count:
        raise InputError(f"sub-graph {k} of the release has {public.node_count} nodes and {secret.people.size} people")
    if graph is not None and secret.people.size and secret.people.max() >= graph.node_count:
        raise InputError(f"sub-graph {k} of the release has person {secret.people.max()}, whom the graph does not have")
    return Published(public, secret)


@dataclass(frozen=True, eq=False)
class Release:
    """What a scheme publishes, and apart from it the secret.

    ``names`` belongs to the secret too: what the people are called, by number; None where they are called by their
    numbers; and so do the ``centers``, the egos of all sub-graphs, where the scheme says so, and the ``key`` by which
    the release was sealed (``schemes.sealing``). ``scheme`` is its name.
    """

    public: Sequence[Graph]
    secret: Sequence[Secret] | None
    scheme: str = ""
    names: NDArray[Any] | None = None
    centers: NDArray[np.int64] | None = None
    key: Key | None = None

    def __post_init__(self) -> None:
        halves: tuple[Any, ...] = (self.public, () if self.secret is None else self.secret)
        for half in halves:
            if isinstance(half, str | bytes) or not isinstance(half, Sequence):
                raise InputError(f"a release is a series of sub-graphs and one of secrets, not {type(half).__name__}")
        if self.secret is not None and len(self.secret) != len(self.public):
            raise InputError(f"a release of {len(self.public)} sub-graphs has {len(self.secret)} secrets")
        if isinstance(self.public, tuple | list) and isinstance(self.secret, tuple | list):
            for k, (public, secret) in enumerate(zip(self.public, self.secret, strict=True)):
                check_published(k, Published(public, secret))

    def __len__(self) -> int:
        return len(self.public)

    @classmethod
    def lazy(
        cls, count: int, make: Callable[[int], Published], *, scheme: str, graph: Graph | None = None,
        names: NDArray[Any] | None = None, centers: NDArray[np.int64] | None = None, key: Key | None = None,
    ) -> Release:  # fmt: skip
        """Return a release whose sub-graphs ``make`` makes, the k-th the same however often it is asked for.

        Who is who takes five bytes a node, and is kept once it is known; sub-graphs are not kept. People are called as
        in ``graph``, or by ``names``.
        """
        known: dict[int, Secret] = {}

        def make_public(k: int) -> Graph:
            public, known[k] = check_published(k, make(k), graph)
            return public

        def make_secret(k: int) -> Secret:
            return known[k] if k in known else known.setdefault(k, check_published(k, make(k), graph).secret)

        names = names if graph is None else graph.labels
        return cls(Parts(count, make_public), Parts(count, make_secret), scheme, names, centers, key)

    @classmethod
    def of(cls, published: Sequence[Published], *, scheme: str = "", graph: Graph | None = None) -> Release:
        """Return a release of sub-graphs that are at hand."""
        for k, one in enumerate(published):
            check_published(k, one, graph)
        public, secret = (tuple(one[half] for one in published) for half in (0, 1))
        return cls(public, secret, scheme, None if graph is None else graph.labels)  # type: ignore[arg-type]

    def without_secret(self) -> Release:
        """Return the public half alone: all that an attacker has."""
        return Release(self.public, None, self.scheme)

    @property
    def egos(self) -> NDArray[np.int64]:
        """The people around whom the sub-graphs were cut, where there are such people."""
        if self.centers is not None:
            return self.centers
        egos = (secret.ego for secret in self.secret or ())
        return np.array([ego for ego in egos if ego is not None], dtype=np.int64)


class Scheme(Protocol):
    """Anything that turns a graph into a release: a frozen dataclass whose fields are its parameters."""

    name: ClassVar[str]

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return a release; ``avoid`` are earlier ones of the same graph and seed, whose egos must not come again.

        Names and orders may follow from the seed, as audits need it to be repeated; they are drawn anew by a secret key
        in all that is published (``anonymize``, ``write_release``).
        """

    def describe(self) -> str:
        """Say in plain English what is published, to follow the scheme's name: "publishes ..."."""
