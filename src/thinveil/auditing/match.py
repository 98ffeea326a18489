"""Whose name belongs to a published node? Asked with a graph with names, without any truth (Sections 2.2 and 3.1).

Who holds the graph with names cuts sub-graphs out of it with the same scheme, and looks in them for the published
nodes. Hop classes are known on that side, and on the published side wherever the ego can be told from the sub-graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.attacks.matching import FAR, NEAR, UNKNOWN, Matcher, Matches, gather
from thinveil.auditing.audit import check_graph
from thinveil.auditing.link import check_fit, node_names, see
from thinveil.auditing.models import Model
from thinveil.errors import InputError, SampleError
from thinveil.features import View
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.runtime.progress import Clock, Progress, report_nothing, stage, steps
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import limit_threads, map_threads
from thinveil.schemes import Release, Scheme, detect_ego

_SIGHTINGS = 3  # appearances kept of each person with a name
_AT_ONCE = 256
_CUTTING = 0.2  # of the time it takes
_CUT_OUT, _CUT_OUT_TO_LINK = 400, 100  # an attack that links holds all sub-graphs at once


def match(
    auxiliary: Graph,
    target: Release,
    model: Model,
    *,
    subgraphs: int | None = None,
    top: int = 10,
    min_score: float = 0.0,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Progress = report_nothing,
) -> pl.DataFrame:
    """Look for the people of a graph with names among the nodes of a release.

    This is for custodians who test their own release before they publish it. The result holds re-identifications:
    keep it like the graph itself.

    Parameters
    ----------
    auxiliary
        The graph with names that the release was made from, or is thought to overlap with.
    target
        The release, as ``read_release`` returns it; only its public half is used.
    model
        The attack, as ``train`` returns it, learned for the release's scheme.
    subgraphs
        How many sub-graphs are cut out of the graph with names; 400 by default, 100 for an attack that links them, or
        fewer where the graph has not so many.
    top, min_score
        Candidates kept per published node, at most, and the score they must have.
    seed
        Decides which sub-graphs are cut out.
    threads
        Number of threads; it does not change the result.
    on_progress
        Called with stage, steps done and steps in all.

    Returns
    -------
    A table sorted by subgraph, node and rank: subgraph, node (the pseudonym), person (the label in the graph with
    names), score, rank (from 1) and agree, the number of cut-out sub-graphs, of at most three, in which the attack
    finds the person more probably identical than not. The score is a probability under this prior: the person behind
    the node is one of those seen in the cut-out sub-graphs with probability 1/2, each of them alike.

    Examples
    --------
    >>> from thinveil.auditing.train import train
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> graph = synthetic_graph(3000, seed=1)
    >>> release = make_scheme("d4d-1:egonets=5,min_size=50").publish(graph, seed=8)
    >>> model = train(graph, "d4d-1:egonets=20,min_size=50", attack="forest:trees=20")
    >>> match(graph, release, model, subgraphs=50, top=3).columns
    ['subgraph', 'node', 'person', 'score', 'rank', 'agree']
    """
    check_graph(auxiliary)
    check_fit(target, model)
    if top < 1 or not 0 <= min_score <= 1:
        raise InputError(f"--top {top} with --min-score {min_score}: give 1 or more, and a score from 0 to 1")
    with limit_threads(threads), Clock(on_progress).running():
        with stage("cut out sub-graphs", share=_CUTTING):
            needs, least = model.plan.attack.needs, model.plan.sampling.min_degree
            cut = _cut(cut_time(auxiliary, needs.slots), model, subgraphs, seed)
            sightings = gather(cut, needs, min_degree=least, most=_SIGHTINGS)
        view = see(target, model)
        hop_class = _hop_classes(target, view)
        protocol = model.plan.sampling.protocol
        with stage("match", share=1.0):
            matcher = Matcher(model.fitted, model.ratios, protocol, view, sightings, len(target))
            parts, chunks = [], list(_chunks(hop_class))
            step = steps(len(chunks) or 1)
            for rows, known in chunks:
                parts.append(matcher.match(rows, known).best(top, min_score))
                step()
    names = node_names(target, view)
    tables = [_table(part, view, names, matcher.person, auxiliary) for part in parts]
    return pl.concat(tables).sort("subgraph", "node", "rank")


def _cut(graph: Graph, model: Model, subgraphs: int | None, seed: int) -> Release:
    """Cut sub-graphs out of the graph with names, never with the seed itself, which may be the release's."""
    number = int(stream(seed, "raw sub-graphs").integers(2**62))
    usual = _CUT_OUT_TO_LINK if model.plan.attack.needs.neighbors else _CUT_OUT
    wanted = subgraphs or usual
    while True:
        try:
            return _resized(model.plan.scheme, wanted).publish(graph, seed=number)
        except SampleError as error:
            if subgraphs is not None or wanted <= 2:
                raise SampleError(_too_few(graph, model.plan.scheme, wanted, error)) from None
            wanted = max(2, wanted // 2)


def _too_few(graph: Graph, scheme: Any, wanted: int, error: SampleError) -> str:
    """Say how many sub-graphs can be cut out, if any can."""
    what = str(error).partition(": give ")[0]
    try:
        room = scheme.resized(wanted).suited(graph, left_open=("egonets",)).egonets
    except (SampleError, AttributeError):
        return f"{what}: train the model with a scheme of smaller sub-graphs, which suits this graph"
    return f"{what}: give --subgraphs {room} (subgraphs={room})"


def _resized(scheme: Scheme, subgraphs: int) -> Scheme:
    """Return the scheme with another number of sub-graphs, if it offers that (``resized``)."""
    resized = getattr(scheme, "resized", None)
    return scheme if resized is None else cast(Scheme, resized(subgraphs))


def _chunks(hop_class: NDArray[np.int8]) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Return the appearances of each hop class, a few at a time."""
    for known in (NEAR, FAR, UNKNOWN):
        rows = np.flatnonzero(hop_class == known)
        for first in range(0, rows.size, _AT_ONCE):
            yield rows[first : first + _AT_ONCE], known


def _hop_classes(release: Release, view: View) -> NDArray[np.int8]:
    """Tell the hop class of each appearance where the ego can be told from the public sub-graph."""

    def tell(k: int) -> NDArray[np.int8]:
        subgraph = release.public[k]
        ego = detect_ego(subgraph)
        classes = np.full(subgraph.node_count, UNKNOWN if ego is None else FAR, dtype=np.int8)
        if ego is not None:
            classes[ego] = NEAR
            classes[subgraph.neighbors(ego)] = NEAR
        return classes

    classes = map_threads(tell, range(len(release)))
    starts = np.cumsum([0, *(one.size for one in classes)])
    return np.concatenate(classes)[starts[view.subgraph] + view.node]


def _table(
    found: Matches, view: View, names: NDArray[np.int64], person: NDArray[np.int32], auxiliary: Graph
) -> pl.DataFrame:
    people = person[found.person]
    return pl.DataFrame({
        "subgraph": view.subgraph[found.appearance],
        "node": names[found.appearance],
        "person": people if auxiliary.labels is None else auxiliary.labels[people],
        "score": found.score,
        "rank": found.rank.astype(np.int32),
        "agree": found.agree.astype(np.int32),
    })  # fmt: skip
