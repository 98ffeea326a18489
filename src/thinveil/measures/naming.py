"""How many names are right, where the truth is at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from thinveil.errors import InputError
from thinveil.measures.rates import Rate, rate
from thinveil.schemes import Release

THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
_NODE = ["subgraph", "node"]


@dataclass(frozen=True)
class Grade:
    """Shares of the published nodes whose person was found, by hop class (``all`` is everybody), and of right claims.

    ``first`` counts people at rank 1, ``top`` at any rank that was kept. ``precision[s]`` is the share of right ones
    among rank-1 links with a score of s or more; None where there are none.
    """

    first: Mapping[str, Rate]
    top: Mapping[str, Rate]
    precision: Mapping[float, Rate | None]


def grade(links: pl.DataFrame, release: Release, *, min_degree: int) -> Grade:
    """Count right names; all published nodes with more than ``min_degree`` edges count, found or not.

    Parameters
    ----------
    links
        What ``match`` returned.
    release
        The release, with its secret half.
    min_degree
        That of the model.
    """
    asked = _asked(release, min_degree)
    # a truth file may hold as numbers what another reading of the graph took for text
    same = pl.col("person").cast(pl.String) == pl.col("true")
    judged = links.join(asked, on=_NODE).with_columns(right=same)
    found = asked.join(judged.filter("right").select(*_NODE, "rank"), on=_NODE, how="left")
    classes = {"all": pl.lit(True), "1-hop": pl.col("hops") < 2, "2-hop": pl.col("hops") == 2}
    groups = {name: rows for name, rule in classes.items() if len(rows := found.filter(rule))}
    claims = judged.filter(pl.col("rank") == 1)
    return Grade(
        first={name: rate(int((rows["rank"] == 1).sum()), len(rows)) for name, rows in groups.items()},
        top={name: rate(int(rows["rank"].is_not_null().sum()), len(rows)) for name, rows in groups.items()},
        precision={least: _precision(claims.filter(pl.col("score") >= least)) for least in THRESHOLDS},
    )


def _asked(release: Release, min_degree: int) -> pl.DataFrame:
    """Return every published node with enough edges, and who it is."""
    if release.secret is None:
        raise InputError("without the truth nobody can tell which names are right: read the release with its truth")
    parts = []
    for number in range(len(release)):
        graph, secret = release.public[number], release.secret[number]
        rows = np.flatnonzero(graph.degrees > min_degree)
        people = secret.people[rows]
        hops = [None] * rows.size if secret.hops is None else secret.hops[rows]
        parts.append(pl.DataFrame({
            "subgraph": np.full(rows.size, number, dtype=np.int32),
            "node": (rows if graph.labels is None else graph.labels[rows]).astype(np.int64),
            "hops": pl.Series(hops, dtype=pl.Int8),
            "true": (people if release.names is None else release.names[people]).astype(str),
        }))  # fmt: skip
    return pl.concat(parts)


def _precision(claims: pl.DataFrame) -> Rate | None:
    return rate(int(claims["right"].sum()), len(claims)) if len(claims) else None
