"""For authors of schemes: whether a scheme keeps to what an audit relies on.

>>> from thinveil.schemes import Pseudonyms
>>> check_scheme(Pseudonyms())
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, ThinveilError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.registry import Registry
from thinveil.schemes import SCHEMES, Release, Scheme
from thinveil.schemes.base import check_published

__all__ = ["check_scheme"]

_SEED = 20141103
_SURE = 5.0  # standard deviations
_FEWEST = 30
_TINY = {
    "an empty graph": ([], [], 0),
    "five people and no edge": ([], [], 5),
    "one edge": ([0], [1], 2),
    "a star": ([0] * 6, [1, 2, 3, 4, 5, 6], 7),
    "a path": ([0, 1, 2], [1, 2, 3], 4),
}


def check_scheme(scheme: str | Scheme, graph: Graph | None = None) -> None:
    """Check that a scheme keeps to what an audit relies on; an AssertionError says what it does not.

    Parameters
    ----------
    scheme
        The scheme, with parameters that suit the graph; or a word for it.
    graph
        A graph to publish; by default a built-in one of 3,000 people.

    Raises
    ------
    AssertionError
        If the scheme is no frozen dataclass whose parameters make it again; if what it publishes is no release whose
        halves fit each other and the graph; if the same seed gives another release, or another seed the same; if egos
        of a release that it should avoid come again; if the order of what it publishes tells who is who; or if it
        fails on a tiny graph with anything but an error of thinveil.

    Examples
    --------
    >>> from thinveil.schemes import D4D2
    >>> check_scheme(D4D2(egonets=20, min_size=60))
    """
    made: Any = SCHEMES.make(scheme) if isinstance(scheme, str) else scheme
    _check_form(made)
    given = synthetic_graph(3_000, seed=1) if graph is None else graph
    first = _published(made, given, _SEED)
    _check_release(made, first, given)
    _check_seeds(made, first, given)
    _check_avoided(made, first, given)
    _check_order(made, first)
    for name, (source, target, count) in _TINY.items():
        _check_tiny(made, name, Graph.from_edges(source, target, node_count=count))


def _hold(is_so: object, message: str) -> None:
    if not is_so:
        raise AssertionError(message)


def _check_form(scheme: Any) -> None:
    kind = type(scheme)
    _hold(is_dataclass(scheme) and kind.__hash__ is not None, f"{kind.__name__} must be a @dataclass(frozen=True)")
    name = getattr(kind, "name", None)
    _hold(isinstance(name, str) and name, f"{kind.__name__} needs a class variable `name`, by which it is chosen")
    has_words = hasattr(kind, "from_word")
    registry: Registry[Any] = Registry("scheme", *([] if has_words else [(kind,)]), forms=(kind,) if has_words else ())
    for form, make in (("word", registry.word), ("table", registry.table)):
        told = make(scheme)
        try:
            again = registry.make(told)
        except ThinveilError as error:
            raise AssertionError(f"{name}: its {form} {told!r} does not make it again: {error}") from None
        _hold(again == scheme, f"{name}: its {form} {told!r} makes {again!r}, which is not {scheme!r}")
    try:
        copy = pickle.loads(pickle.dumps(scheme))
    except Exception as error:
        raise AssertionError(f"{name}: cannot be pickled, and sent to another process ({error}): define it at the top "
                             "of a module") from None  # fmt: skip
    _hold(copy == scheme, f"{name}: a pickle of it makes something else")
    described = scheme.describe() if hasattr(scheme, "describe") else None
    is_sentence = isinstance(described, str) and described.strip() and "\n" not in described
    _hold(is_sentence, f"{name}: describe() must say in one line what is published, not {described!r}")


def _published(scheme: Any, graph: Graph, seed: int, *avoid: Release) -> Release:
    try:
        release = scheme.publish(graph, seed=seed, avoid=avoid)
    except InputError as error:
        raise AssertionError(f"{scheme.name}: cannot publish a graph of {graph.node_count:,} people ({error}): give "
                             "check_scheme parameters that suit it, or another graph") from None  # fmt: skip
    kind = type(release).__name__
    _hold(isinstance(release, Release), f"{scheme.name}: publish() returned {kind}, and not a Release")
    _hold(release.secret is not None and len(release), f"{scheme.name}: publish() returned no sub-graphs, or no secret")
    made: Release = release
    return made


def _check_release(scheme: Any, release: Release, graph: Graph) -> None:
    """Check that both halves fit each other and the graph, each time that they are asked for."""
    for k in range(len(release)):
        public, secret = release.public[k], (release.secret or ())[k]
        try:
            check_published(k, (public, secret), graph)
        except InputError as error:
            raise AssertionError(f"{scheme.name}: {error}") from None
        _hold(public.labels is None, f"{scheme.name}: sub-graph {k} has labels: publish numbers, which say nothing")
        is_same = release.public[k].digest() == public.digest()
        _hold(is_same, f"{scheme.name}: sub-graph {k} is another one each time that it is asked for")
    somebody = any(secret.everybody.size for secret in release.secret or ())
    _hold(somebody, f"{scheme.name}: nobody stands behind any published node, and linking is undefined")


def _check_seeds(scheme: Any, first: Release, graph: Graph) -> None:
    again = _published(scheme, graph, _SEED)
    _hold(_digest(again) == _digest(first), f"{scheme.name}: the same seed published something else: draw all chance "
          "from the seed")  # fmt: skip
    other = _published(scheme, graph, _SEED + 1)
    _hold(_digest(other) != _digest(first), f"{scheme.name}: another seed published the same, in the same order: draw "
          "from the seed")  # fmt: skip


def _check_avoided(scheme: Any, first: Release, graph: Graph) -> None:
    second = _published(scheme, graph, _SEED, first)
    _hold(_digest(second) != _digest(first), f"{scheme.name}: with a release to avoid it published the same again: let "
          "its random numbers depend on len(avoid) too")  # fmt: skip
    common = np.intersect1d(first.egos, second.egos)
    _hold(not common.size, f"{scheme.name}: {common.size} egos of the release to avoid came again: an audit would "
          "learn from what it attacks")  # fmt: skip


def _check_order(scheme: Any, release: Release) -> None:
    """Check that the numbers of nodes, and of sub-graphs, do not follow those of the people."""
    for k, secret in enumerate(release.secret or ()):
        node = np.flatnonzero(secret.is_one)
        _hold(not _follow(node, secret.people[node]), f"{scheme.name}: the nodes of sub-graph {k} stand in the order "
              "of the graph's own numbers: shuffle them")  # fmt: skip
    order = np.arange(release.egos.size)
    _hold(not _follow(order, release.egos), f"{scheme.name}: the sub-graphs stand in the order of their egos' numbers: "
          "shuffle them")  # fmt: skip


def _follow(order: NDArray[Any], number: NDArray[Any]) -> bool:
    """Return whether numbers rise or fall with an order, by more than chance does."""
    if number.size < _FEWEST:
        return False
    rank = np.argsort(np.argsort(number))
    return bool(abs(np.corrcoef(order, rank)[0, 1]) * np.sqrt(number.size - 1) > _SURE)


def _check_tiny(scheme: Any, name: str, graph: Graph) -> None:
    try:
        release = scheme.publish(graph, seed=_SEED, avoid=())
        for k in range(len(release)):
            check_published(k, (release.public[k], release.secret[k]), graph)
    except ThinveilError:  # it may say that the graph is too small for it
        return
    except Exception as error:
        raise AssertionError(f"{scheme.name}: {name} made it fail with {type(error).__name__}: {error}: publish it, or "
                             "raise a thinveil.SampleError that says what is needed") from error  # fmt: skip


def _digest(release: Release) -> str:
    return hashlib.sha256(b"".join(_bytes(release))).hexdigest()


def _bytes(release: Release) -> Iterator[bytes]:
    for k, secret in enumerate(release.secret or ()):
        yield release.public[k].digest().encode()
        yield secret.people.tobytes()
