"""Linking a raw and an anonymized graph (Sections 2.2 and 3.1 of the paper).

Who holds the raw graph cuts sub-graphs out of it with the same scheme, and looks in them for the nodes of the
published ones. Hop classes are known on the raw side, and on the published side wherever the ego can be told from the
sub-graph: each pair is compared by the forest of its category, or else by the complete one.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.auditing.matching import FAR, NEAR, UNKNOWN, Matcher, Matches
from thinveil.auditing.models import Model
from thinveil.auditing.sightings import Sightings, gather
from thinveil.errors import InputError, ReleaseError, SampleError
from thinveil.features import View, observe
from thinveil.graph import Graph
from thinveil.runtime.files import check_file_place, write_whole
from thinveil.runtime.progress import Progress
from thinveil.runtime.streams import stream
from thinveil.runtime.threads import map_threads
from thinveil.schemes import Published, Release, Secret, detect_ego, make_scheme, scheme_parameters

_SIGHTINGS = 3  # raw rows kept of each person
_ROWS_AT_ONCE = 256
_RAW_SUBGRAPHS = 400


def link(
    release: Release,
    raw: Graph,
    model: Model,
    *,
    egonets: int | None = None,
    min_size: int | None = None,
    top: int = 10,
    min_score: float = 0.0,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Progress = lambda stage, done, total: None,
) -> pl.DataFrame:
    """Look for the people of a raw graph among the nodes of a release.

    This is for custodians who test their own release before they publish it. The result holds re-identifications:
    keep it like the raw graph itself.

    Parameters
    ----------
    release
        The public half of a release, as ``read_release`` returns it.
    raw
        The graph with names that the release was made from, or is thought to overlap with.
    model
        The attack, as ``train_model`` returns it, learned for the release's scheme.
    egonets, min_size
        How many sub-graphs are cut out of the raw graph, and the number of nodes that each must exceed; 400, or fewer
        where the graph has not so many, and the model's size by default.
    top, min_score
        Candidates kept per published node, at most, and the score they must have.
    seed
        Decides which raw sub-graphs are cut out.
    threads
        Number of threads; it does not change the result.
    on_progress
        Called with stage, steps done and steps in all.

    Returns
    -------
    A table sorted by subgraph, node and rank: subgraph, node (the pseudonym), person (the raw graph's label), score,
    rank (from 1) and agree, the number of raw sub-graphs, of at most three, in which the forest finds the person more
    probably identical than not. The score is a probability under this prior: the person behind the node is one of
    those seen in the raw sub-graphs with probability 1/2, each of them alike.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.auditing.models import train_model
    >>> graph = synthetic_graph(3000, seed=1)
    >>> (made,) = make_scheme("d4d-1", egonets=5, min_size=50).draw(graph, releases=1, seed=8)
    >>> release = Release(tuple(public for public, _ in made), "d4d-1")
    >>> model = train_model(graph, "d4d-1", egonets=20, min_size=50, trees=20)
    >>> link(release, graph, model, egonets=50, top=3).columns
    ['subgraph', 'node', 'person', 'score', 'rank', 'agree']
    """
    _check(release, raw, model, top, min_score)
    on_progress("cut the raw graph", 0, 0)
    sightings = gather(
        _cut(raw, model, egonets, min_size, seed), model.channels,
        min_degree=model.settings.min_degree, most=_SIGHTINGS, threads=threads,
    )  # fmt: skip
    on_progress("look at the release", 0, 0)
    view, hop_class = _look(release, model, threads)
    if not len(view):
        raise ReleaseError(
            f"nobody in the release has more than {model.settings.min_degree} edges: there is nothing to link"
        )
    matcher = Matcher(model, view, sightings, threads)
    parts, done = [], 0
    for rows, known in _chunks(hop_class):
        on_progress("link", done, len(view))
        parts.append(_table(matcher.match(rows, known).best(top, min_score), view, sightings, release, raw))
        done += rows.size
    return pl.concat(parts).sort("subgraph", "node", "rank")


def write_links(links: pl.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write links as CSV or Parquet, by the name's ending, whole or not at all, for the owner's eyes only."""
    buffer = io.BytesIO()
    if check_links_place(path).suffix == ".csv":
        links.write_csv(buffer)
    else:
        links.write_parquet(buffer)
    write_whole(path, buffer.getvalue(), secret=True)


def check_links_place(path: str | os.PathLike[str]) -> Path:
    """Say early that links could not be written there."""
    if Path(path).suffix not in (".csv", ".parquet"):
        raise InputError(f"{path}: links are written as .csv or .parquet: choose one of the two endings")
    return check_file_place(path)


def _cut(raw: Graph, model: Model, egonets: int | None, min_size: int | None, seed: int) -> Sequence[Published]:
    """Cut sub-graphs out of the raw graph, never with the seed itself, which may be the release's."""
    chosen = model.settings
    number = int(stream(seed, "raw sub-graphs").integers(2**62))
    wanted = {"egonets": egonets or _RAW_SUBGRAPHS, "min_size": chosen.min_size if min_size is None else min_size}
    while True:
        parameters = {name: wanted.get(name, getattr(chosen, name)) for name in scheme_parameters(chosen.scheme)}
        try:
            return make_scheme(chosen.scheme, **parameters).draw(raw, releases=1, seed=number)[0]
        except SampleError:
            if egonets is not None or wanted["egonets"] < 4:
                raise
            wanted["egonets"] //= 2


def _chunks(hop_class: NDArray[np.int8]) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Return the rows of each hop class, a few at a time."""
    for known in (NEAR, FAR, UNKNOWN):
        rows = np.flatnonzero(hop_class == known)
        for first in range(0, rows.size, _ROWS_AT_ONCE):
            yield rows[first : first + _ROWS_AT_ONCE], known


def _look(release: Release, model: Model, threads: int | None) -> tuple[View, NDArray[np.int8]]:
    """Look at the public half alone, and tell the hop class of each row where the ego can be told."""
    if not len(release):
        raise ReleaseError("the release has no sub-graphs: there is nothing to link")
    classes = map_threads(_hop_classes, release.subgraphs, threads)
    nobody = [Secret(np.zeros(graph.node_count, dtype=np.int32), None) for graph in release.subgraphs]
    published = [Published(graph, secret) for graph, secret in zip(release.subgraphs, nobody, strict=True)]
    view, _ = observe(published, model.channels, min_degree=model.settings.min_degree, threads=threads)
    starts = np.cumsum([0] + [graph.node_count for graph in release.subgraphs])
    return view, np.concatenate(classes)[starts[view.subgraph] + view.node]


def _hop_classes(subgraph: Graph) -> NDArray[np.int8]:
    ego = detect_ego(subgraph)
    classes = np.full(subgraph.node_count, UNKNOWN if ego is None else FAR, dtype=np.int8)
    if ego is not None:
        classes[ego] = NEAR
        classes[subgraph.neighbors(ego)] = NEAR
    return classes


def _check(release: Release, raw: Graph, model: Model, top: int, min_score: float) -> None:
    if not isinstance(raw, Graph):
        raise InputError(f"{raw!r} is not a graph: read one with thinveil.read_graph(path)")
    if release.scheme != model.settings.scheme:
        raise InputError(
            f"the release was made with {release.scheme}, the model learned {model.settings.scheme}: "
            f"train a model with scheme {release.scheme}"
        )
    if top < 1 or not 0 <= min_score <= 1:
        raise InputError(f"top {top} with scores from {min_score}: give 1 or more, and a score from 0 to 1")


def _table(links: Matches, view: View, sightings: Sightings, release: Release, raw: Graph) -> pl.DataFrame:
    starts = np.cumsum([0] + [graph.node_count for graph in release.subgraphs])
    names = np.concatenate([np.arange(g.node_count) if g.labels is None else g.labels for g in release.subgraphs])
    people = sightings.person[sightings.start[:-1]][links.person]
    return pl.DataFrame({
        "subgraph": view.subgraph[links.row],
        "node": names[starts[view.subgraph[links.row]] + view.node[links.row]],
        "person": people if raw.labels is None else raw.labels[people],
        "score": links.score,
        "rank": links.rank.astype(np.int32),
        "agree": links.agree.astype(np.int32),
    })  # fmt: skip
