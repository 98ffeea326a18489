"""Whose name belongs to a published node? Asked with an auxiliary graph with names (Sections 3.1 and 4.4 of the paper).

The attack sees numbers that were drawn by lot on both sides, so that the order of a file tells it nothing. The truth,
where there is one, is opened for grading alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.attacks import ATTACKS
from thinveil.attacks.matching import Held, KnownNames, MatchingAttack, Names, Verdict
from thinveil.attacks.matching.peers import names_from_scores
from thinveil.auditing.judging import judge
from thinveil.auditing.link import titled
from thinveil.errors import InputError, ReleaseError
from thinveil.graph import Graph, labels_of
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.graph.thinning import thin
from thinveil.measures.naming import Judged, NameGroup, NameWorth, count_names, weigh_names
from thinveil.runtime.progress import Clock, Progress, report_nothing, stage
from thinveil.runtime.streams import Seeds, stream
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Release, Scheme, scheme_of_release
from thinveil.schemes.base import Parts
from thinveil.schemes.given import ReleaseLike, as_published

I32 = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Matched:
    """What ``match`` found: a table of names, and whether the attacker should believe it.

    ``table`` has a line per named node: subgraph, node (the pseudonym), person (the label in the auxiliary graph) and
    probability. It holds re-identifications: keep it like the graph itself.
    """

    table: pl.DataFrame
    verdict: Verdict
    names: Names
    known: KnownNames


def match(
    auxiliary: GraphLike,
    target: ReleaseLike | GraphLike,
    *,
    attack: str | MatchingAttack = "names",
    known: pl.DataFrame | None = None,
    scores: str | os.PathLike[str] | None = None,
    scheme: Scheme | None = None,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Progress = report_nothing,
) -> Matched:
    """Put names on the nodes of a release with the help of an auxiliary graph; nobody is forced a name.

    This is for custodians who test their own release before they publish it. The result holds re-identifications:
    keep it like the graph itself.

    Parameters
    ----------
    auxiliary
        A graph with names: of partly the same people as the release, or the graph it was made from.
    target
        The release, or its folder, of which only the public half is used; or a whole graph.
    attack
        A word such as ``names`` or ``bumblebee``, or the attack itself; ``thinveil attacks`` lists them.
    known
        People whom the attacker knows beforehand: a table with the columns node and person, and subgraph where there
        are several.
    scores
        A file of scores that another aligner gave, instead of an attack: ``.npy``, ``.npz`` or ``.csv``
        (docs/matching.md); for whole graphs.
    scheme
        What made the release; by default the scheme that the release names.
    seed
        Decides all that is random.
    threads
        Number of threads; it does not change the result.
    on_progress
        Called with stage, steps done and steps in all.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> graph = synthetic_graph(2000, seed=1)
    >>> release = make_scheme("pseudonyms").publish(graph, seed=8)
    >>> found = match(graph, release)
    >>> found.verdict.accepted, found.table.columns
    (True, ['subgraph', 'node', 'person', 'probability'])
    """
    named, published = as_graph(auxiliary, "auxiliary"), as_published(target, "target")
    public, made_by = _public(published)
    chosen = _matcher(attack)
    held = Held(named, public, _known_names(_numbered(known, published), named, public), scheme or made_by)
    if scores is not None:
        names = names_from_scores(Path(scores), named, held.whole("of imported scores"))
    else:
        with limit_threads(threads), Clock(on_progress).running(), stage("match", share=1.0):
            names = _match_shuffled(chosen, held, seed)
    table = _table(names, named, public)
    table = titled(table, published) if isinstance(published, Release) else table
    return Matched(table, names.verdict, names, held.known)


def _matcher(attack: str | MatchingAttack) -> MatchingAttack:
    chosen: Any = ATTACKS.make(attack)
    if not getattr(chosen, "names_people", False):
        able = ", ".join(name for name in ATTACKS if getattr(ATTACKS[name], "names_people", False))
        raise InputError(f"attack {chosen.name} gives no names: choose one of {able}")
    made: MatchingAttack = chosen
    return made


def _public(target: Release | Graph) -> tuple[Sequence[Graph], Scheme | None]:
    if isinstance(target, Graph):
        return (target,), None
    if not len(target):
        raise ReleaseError("the release has no sub-graphs: there is nobody to name")
    return target.public, scheme_of_release(target.scheme)


def _match_shuffled(attack: MatchingAttack, held: Held, seed: int) -> Names:
    """Let the attack see both sides in an order drawn by lot, and turn its names back."""

    def order(side: str, k: int, graph: Graph) -> I32:
        return stream(seed, "order", side, k).permutation(graph.node_count).astype(np.int32)

    def shuffled(k: int) -> Graph:
        return _ordered(held.target[k], order("target", k, held.target[k]))

    people = order("auxiliary", 0, held.auxiliary)
    sizes = [held.target[k].node_count for k in range(len(held.target))]
    nodes = [stream(seed, "order", "target", k).permutation(size).astype(np.int32) for k, size in enumerate(sizes)]
    target: Sequence[Graph] = (shuffled(0),) if len(sizes) == 1 else Parts(len(sizes), shuffled)
    known = _turned(held.known, [_inverse(one) for one in nodes], _inverse(people))
    found = attack.match(Held(_ordered(held.auxiliary, people), target, known, held.scheme), seeds=Seeds(seed))
    back = _turned(KnownNames(found.subgraph, found.node, found.person), nodes, people)
    return Names(back.subgraph, back.node, back.person, found.probability, found.verdict)


def _ordered(graph: Graph, order: I32) -> Graph:
    """Return the graph with its nodes in another order, without names; events go with their edges."""
    return thin(graph, order, 0.0, 0)


def _inverse(order: I32) -> I32:
    inverse = np.empty_like(order)
    inverse[order] = np.arange(order.size, dtype=np.int32)
    return inverse


def _turned(names: KnownNames, nodes: Sequence[I32], people: I32) -> KnownNames:
    node = np.empty_like(names.node)
    for k in np.unique(names.subgraph):
        mine = names.subgraph == k
        node[mine] = nodes[k][names.node[mine]]
    return KnownNames(names.subgraph, node, people[names.person])


def _numbered(table: pl.DataFrame | None, target: Release | Graph) -> pl.DataFrame | None:
    """Return a table with the numbers of sub-graphs in the place of their names, where they have names."""
    if table is None or "subgraph" not in table.columns:
        return table
    titles = target.titles if isinstance(target, Release) else None
    called = table["subgraph"].cast(pl.String)
    if titles is not None:
        numbers = called.replace_strict(list(titles), list(range(len(titles))), default=None, return_dtype=pl.Int32)
        if numbers.null_count():
            raise InputError(
                f"known people: there is no sub-graph {called.filter(numbers.is_null())[0]!r}: correct the file"
            )
    else:
        numbers = called.cast(pl.Int32, strict=False)
        if numbers.null_count():
            raise InputError("known people: the column subgraph must hold whole numbers, counted from 0")
    return table.with_columns(numbers.alias("subgraph"))


def _known_names(table: pl.DataFrame | None, auxiliary: Graph, public: Sequence[Graph]) -> KnownNames:
    """Find known people on both sides, or say who is not there."""
    if table is None or not len(table):
        return KnownNames()
    if not {"node", "person"} <= set(table.columns) or (len(public) > 1 and "subgraph" not in table.columns):
        columns = "subgraph, node and person" if len(public) > 1 else "node and person"
        raise InputError(f"known people are a table with the columns {columns}, not {', '.join(table.columns)}")
    subgraph = table["subgraph"].cast(pl.Int32).to_numpy() if "subgraph" in table.columns else np.zeros(len(table), int)
    if not ((subgraph >= 0) & (subgraph < len(public))).all():
        raise InputError(f"known people: sub-graph {subgraph.max()} is not there: they are 0 to {len(public) - 1}")
    person = _find(table["person"].cast(pl.String).to_list(), auxiliary, "the auxiliary graph")
    node = np.empty(len(table), dtype=np.int32)
    for k in np.unique(subgraph):
        mine = np.flatnonzero(subgraph == k)
        texts = table["node"].cast(pl.String).gather(mine).to_list()
        node[mine] = _find(texts, public[int(k)], f"sub-graph {k} of the target" if len(public) > 1 else "the target")
    _check_once(subgraph, node, person)
    return KnownNames(subgraph.astype(np.int32), node, person)


def _check_once(subgraph: NDArray[Any], node: I32, person: I32) -> None:
    for what, numbers in (("node", node), ("person", person)):
        if len(set(zip(subgraph.tolist(), numbers.tolist(), strict=True))) < numbers.size:
            raise InputError(f"a {what} stands twice among the known people: give each once")


def _find(texts: list[str], graph: Graph, where: str) -> I32:
    labels = labels_of(graph)
    numbers = {label: k for k, label in enumerate(labels)}
    unknown = next((text for text in texts if text not in numbers), None)
    if unknown is not None:
        raise InputError(f"known people: {unknown!r} is not in {where}: correct the file")
    return np.array([numbers[text] for text in texts], dtype=np.int32)


def _table(names: Names, auxiliary: Graph, public: Sequence[Graph]) -> pl.DataFrame:
    node = names.node.astype(np.int64).astype(object)
    for k in np.unique(names.subgraph):
        mine = names.subgraph == k
        labels = public[int(k)].labels
        if labels is not None:
            node[mine] = labels[names.node[mine]]
    person = names.person if auxiliary.labels is None else auxiliary.labels[names.person]
    is_text = any(isinstance(one, str) for one in node.tolist())
    table = pl.DataFrame({
        "subgraph": names.subgraph,
        "node": pl.Series([str(one) if is_text else int(one) for one in node.tolist()],
                          dtype=pl.String if is_text else pl.Int64),
        "person": person,
        "probability": names.probability,
    })  # fmt: skip
    return table.sort("subgraph", "node")


@dataclass(frozen=True)
class NameGrade:
    """How many names are right: by group, and by how sure the attacker must be."""

    groups: tuple[NameGroup, ...]
    worth: tuple[NameWorth, ...]


def grade_names(found: Matched, auxiliary: Graph, target: Release, *, seed: int = 0) -> NameGrade:
    """Count right and wrong names, where the release's secret half is at hand.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> graph = synthetic_graph(2000, seed=1)
    >>> release = make_scheme("pseudonyms").publish(graph, seed=8)
    >>> found = grade_names(match(graph, release), graph, release)
    >>> [group.group for group in found.groups]
    ['everybody', 'more than 5 contacts']
    """
    judged = _judge(found, auxiliary, target)
    return NameGrade(count_names(judged, seed=seed), weigh_names(judged, seed=seed))


def _judge(found: Matched, auxiliary: Graph, target: Release) -> Judged:
    if target.secret is None:
        raise InputError("without the truth nobody can tell which names are right: read the release with its truth")
    places = {label: k for k, label in enumerate(labels_of(auxiliary))}
    secret = [target.secret[k] for k in range(len(target.secret))]
    people: Any = target.names
    if people is None:
        people = range(1 + max((int(one.everybody.max(initial=-1)) for one in secret), default=-1))
    place = np.array([places.get(str(one), -1) for one in people], dtype=np.int32)
    return judge(found.names, found.known, target.public, secret, place)
