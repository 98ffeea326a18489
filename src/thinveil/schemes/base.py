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
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.checks import check_nodes
from thinveil.runtime.arrays import frozen
from thinveil.runtime.keys import Key

Number = TypeVar("Number", bound=np.generic)
Part = TypeVar("Part", covariant=True)


NOBODY = -1
"""In the place of a person: nobody stands behind a node that a scheme made up."""


@dataclass(frozen=True, eq=False)
class Secret:
    """Who the nodes of one published sub-graph are: only the auditor has this.

    ``people[v]`` is the number of the person behind published node ``v``, or ``NOBODY`` where the scheme made the node
    up; ``hops[v]`` is its distance from the ego (0, 1 or 2), and None where the scheme has no egos. Where a scheme puts
    several people into one node, ``others`` holds all but the first of them: two rows, nodes and people.
    """

    people: NDArray[np.int32]
    hops: NDArray[np.int8] | None = None
    others: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        people = _check_numbers("people", self.people, np.int32, 2**31 - 1, least=NOBODY)
        object.__setattr__(self, "people", people)
        if self.others is not None:
            object.__setattr__(self, "others", _check_others(self.others, people))
        every = self.everybody
        if np.unique(every).size != every.size:
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

    @property
    def everybody(self) -> NDArray[np.int32]:
        """All people behind the nodes, in no order that means anything."""
        real = self.people[self.people != NOBODY]
        return real if self.others is None else np.concatenate((real, self.others[1]))

    @property
    def is_one(self) -> NDArray[np.bool_]:
        """Which nodes stand for one person, neither for nobody nor for several."""
        one: NDArray[np.bool_] = self.people != NOBODY
        if self.others is not None:
            one[self.others[0]] = False
        return one

    def renumbered(self, number: NDArray[np.int32]) -> Secret:
        """Return the secret with each person p under another number, ``number[p]``."""
        strange = self.everybody[self.everybody >= number.size]
        if strange.size:
            raise InputError(
                f"a secret names person {strange[0]}, where people are numbered from 0 to {number.size - 1}"
            )
        # the last place is that of nobody
        number = np.append(number, np.int32(NOBODY))
        others = None if self.others is None else np.stack((self.others[0], number[self.others[1]]))
        return Secret(number[self.people], self.hops, others)

    def reordered(self, order: NDArray[np.integer]) -> Secret:
        """Return the secret of the same nodes in another order: node v was ``order[v]``."""
        others = self.others
        if others is not None:
            place = np.empty(order.size, dtype=np.int32)
            place[order] = np.arange(order.size, dtype=np.int32)
            others = np.stack((place[others[0]], others[1]))
        return Secret(self.people[order], None if self.hops is None else self.hops[order], others)


def told_apart(secrets: Sequence[Secret]) -> list[NDArray[np.int32]]:
    """Return the people of sub-graphs; a node that stands for nobody, or for several, is a person of its own.

    Examples
    --------
    >>> told_apart([Secret(np.array([5, -1, 2])), Secret(np.array([2, -1]))])
    [array([5, 6, 2], dtype=int32), array([2, 7], dtype=int32)]
    """
    first = 1 + max((int(secret.everybody.max(initial=-1)) for secret in secrets), default=-1)
    numbered = []
    for secret in secrets:
        people, own = secret.people.copy(), np.flatnonzero(~secret.is_one)
        people[own] = np.arange(first, first + own.size, dtype=np.int32)
        first += own.size
        numbered.append(people)
    return numbered


def _check_others(others: Any, people: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return who else stands behind nodes, or say why that makes no sense."""
    numbers = np.asarray(others)
    if numbers.ndim != 2 or len(numbers) != 2:
        raise InputError("the others of a secret are two rows of equal length: nodes, and the people in them")
    nodes, more = (_check_numbers("others", row, np.int32, 2**31 - 1) for row in numbers)
    if nodes.size and (nodes.max() >= people.size or (people[nodes] == NOBODY).any()):
        raise InputError("the others of a secret stand behind a node that is not there, or that is nobody")
    return frozen(np.stack((nodes, more)))


def _check_numbers(name: str, values: Any, kind: type[Number], limit: int, *, least: int = 0) -> NDArray[Number]:
    """Return one column of numbers below a limit, as the kernels need it."""
    numbers = check_nodes(values)
    if numbers.size and not least <= numbers.min() <= numbers.max() < limit:
        raise InputError(f"the {name} of a secret must be whole numbers from {least} to {limit - 1}")
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
    largest = int(secret.everybody.max(initial=-1))
    if graph is not None and largest >= graph.node_count:
        raise InputError(f"sub-graph {k} of the release has person {largest}, whom the graph does not have")
    return Published(public, secret)


@dataclass(frozen=True, eq=False)
class Release:
    """What a scheme publishes, and apart from it the secret.

    ``names`` belongs to the secret too: what the people are called, by number; None where they are called by their
    numbers; and so do the ``centers``, the egos of all sub-graphs, where the scheme says so, and the ``key`` by which
    the release was sealed (``schemes.sealing``). ``scheme`` is its name;
    ``titles`` are what the sub-graphs are called, where they are not called by their numbers.
    """

    public: Sequence[Graph]
    secret: Sequence[Secret] | None
    scheme: str = ""
    names: NDArray[Any] | None = None
    centers: NDArray[np.int64] | None = None
    key: Key | None = None
    titles: tuple[str, ...] | None = None

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
        return np.array([ego for ego in egos if ego not in (None, NOBODY)], dtype=np.int64)


@dataclass(frozen=True)
class Promise:
    """What a scheme states about what it publishes, whatever the graph: a claim that can be put to the test.

    A scheme that makes one has a property ``promise``; one without it, or where it is None, claims nothing.

    ``kind`` is one of two:

    - ``"k"``: at least ``value`` people share what ``unit`` names, such as ``"degree"``: nobody who knows only that of
      somebody can tell these people apart.
    - ``"epsilon"``: differential privacy. For any two graphs that differ in one ``unit``, such as ``"edge"``, no set of
      outputs is more than e to the power of ``value`` times as probable under the one as under the other.
    """

    kind: Literal["k", "epsilon"]
    value: float
    unit: str


def title_of(scheme: Scheme) -> str:
    """Return what a scheme is called in a report: its name, where it has no title that says more."""
    return str(getattr(scheme, "title", scheme.name))


class Scheme(Protocol):
    """Anything that turns a graph into a release: a frozen dataclass whose fields are its parameters.

    It may have a property ``promise`` besides: a ``Promise``, or None. Where ``draws_egos_only`` is true, its seed
    decides who is published and nothing else: ``anonymize`` passes on the user's own. To all others it gives a secret
    one, for whoever knows what was changed can change it back.
    """

    name: ClassVar[str]

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return a release; ``avoid`` are earlier ones of the same graph and seed, whose egos must not come again.

        Names and orders may follow from the seed, as audits need it to be repeated; they are drawn anew by a secret key
        in all that is published (``anonymize``, ``write_release``).
        """

    def describe(self) -> str:
        """Say in plain English what is published, to follow the scheme's name: "publishes ..."."""
