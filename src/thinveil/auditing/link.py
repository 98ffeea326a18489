"""Which nodes of a release are the same person? Asked of a release made elsewhere, without any truth."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.attacks import Session
from thinveil.auditing.models import Model, as_model
from thinveil.errors import InputError, ReleaseError
from thinveil.features import View, label, observe
from thinveil.features.pairs import count_pairs
from thinveil.measures.rates import Rate, rate
from thinveil.measures.rebuilt import count_links
from thinveil.runtime.progress import Clock, Progress, part, report_nothing, stage
from thinveil.runtime.threads import limit_threads
from thinveil.schemes import Release
from thinveil.schemes.given import ReleaseLike, as_release


def link(
    release: ReleaseLike, model: Model | str | os.PathLike[str], *, sure: float = 0.5,
    on_progress: Progress = report_nothing, threads: int | None = None,
) -> pl.DataFrame:  # fmt: skip
    """Put together the nodes of a release that are taken for one person.

    This is for custodians who test their own release before they publish it.

    Parameters
    ----------
    release
        The release, or its folder; only its public half is used.
    model
        The attack, as ``train`` returns it, or the file of one, learned for the release's scheme.
    sure
        How probable it must be that a node belongs to its cluster.
    on_progress
        Called with stage, steps done and steps in all.
    threads
        Number of threads; it does not change the result.

    Returns
    -------
    A table sorted by cluster, subgraph and node: cluster (a number for what is taken for one person), subgraph, node
    (the pseudonym) and probability, that of the node belonging to its cluster.

    Examples
    --------
    >>> from thinveil.auditing.train import train
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> from thinveil.schemes import make_scheme
    >>> graph = synthetic_graph(3000, seed=1)
    >>> release = make_scheme("d4d-1:egonets=10,min_size=50").publish(graph, seed=8)
    >>> model = train(synthetic_graph(3000, seed=2), "d4d-1:egonets=20,min_size=50", attack="signature")
    >>> link(release, model).columns
    ['cluster', 'subgraph', 'node', 'probability']
    """
    release, model = as_release(release), as_model(model)
    check_fit(release, model)
    if len(release) < 2:
        raise InputError(
            "the release has one sub-graph, and links are between two or more: look for names with thinveil match"
        )
    if not 0 <= sure <= 1:
        raise InputError(f"sure = {sure}: give a probability from 0 to 1")
    with limit_threads(threads), Clock(on_progress).running():
        view, session = _enter(release, model)
        with stage("link", share=0.5):
            links = session.links(sure)
    if links is None:
        raise InputError(
            f"attack {model.plan.attack.name} makes no links: train a model with another --attack, such as strong"
        )
    mine = np.flatnonzero(links.cluster >= 0)
    table = pl.DataFrame({
        "cluster": links.cluster[mine], "subgraph": view.subgraph[mine], "node": node_names(release, view)[mine],
        "probability": links.probability[mine],
    })  # fmt: skip
    return titled(table.sort("cluster", "subgraph", "node"), release)


def titled(table: pl.DataFrame, release: Release) -> pl.DataFrame:
    """Return a table with the names of sub-graphs in the place of their numbers, where they have names."""
    if release.titles is None:
        return table
    return table.with_columns(pl.Series("subgraph", [release.titles[k] for k in table["subgraph"]], dtype=pl.String))


@dataclass(frozen=True)
class LinkGrade:
    """How many links between nodes are right, and how many of those there are were found; None where there are none."""

    precision: Rate | None
    recall: Rate | None


def grade_links(links: pl.DataFrame, release: Release, model: Model) -> LinkGrade:
    """Count right links, where the release's secret half is at hand."""
    if release.secret is None:
        raise InputError("without the truth nobody can tell which links are right: read the release with its truth")
    view = observe(release.public, model.plan.attack.needs._replace(channels=(), neighbors=False),
                   min_degree=model.plan.sampling.min_degree)  # fmt: skip
    person = label(release.secret, view).person
    numbers = titled(pl.DataFrame({"subgraph": view.subgraph, "node": node_names(release, view)}), release)
    cluster = numbers.join(links, on=["subgraph", "node"], how="left", maintain_order="left")["cluster"]
    made, right = count_links(cluster.fill_null(-1).to_numpy().astype(np.int32), person)
    every = count_pairs(person)
    return LinkGrade(rate(right, made) if made else None, rate(right, every) if every else None)


def check_fit(release: Release, model: Model) -> None:
    """Say that a release and a model are not of the same scheme, or that there is nothing to attack."""
    if not len(release):
        raise ReleaseError("the release has no sub-graphs: there is nothing to link")
    if release.scheme and release.scheme != model.plan.scheme.name:
        raise InputError(
            f"the release was made with {release.scheme}, the model learned {model.plan.scheme.name}: "
            f"train a model with --scheme {release.scheme}"
        )


def see(release: Release, model: Model) -> View:
    """Return what the model's attack sees of a release."""
    with stage("observe"):
        view = observe(release.public, model.plan.attack.needs, min_degree=model.plan.sampling.min_degree)
    if not len(view):
        raise ReleaseError(
            f"nobody in the release has more than {model.plan.sampling.min_degree} contacts: there is nothing to link; "
            "train the model with a smaller --min-degree (min_degree=)"
        )
    return view


def node_names(release: Release, view: View) -> NDArray[Any]:
    """Return the pseudonym of every appearance."""
    names = []
    for k, nodes in enumerate(np.split(view.node, np.searchsorted(view.subgraph, np.arange(1, len(release))))):
        labels = release.public[k].labels
        names.append(nodes if labels is None else labels[nodes])
    are_texts = any(one.dtype.kind == "U" for one in names)
    return np.concatenate([one.astype(np.str_ if are_texts else np.int64) for one in names])


def _enter(release: Release, model: Model) -> tuple[View, Session]:
    view = see(release, model)
    with part(0.5):
        return view, model.fitted.enter(view)
