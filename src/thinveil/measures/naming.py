"""How many links are right, where the truth is at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from thinveil.measures.rates import Rate, rate
from thinveil.schemes import Release

THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
_NODE = ["subgraph", "node"]


@dataclass(frozen=True)
class Grade:
    """Shares of the published rows whose person was found, by hop class (``all`` is everybody), and of right claims.

    ``first`` counts people at rank 1, ``top`` at any rank that was kept. ``precision[s]`` is the share of right ones
    among rank-1 links with a score of s or more; None where there are none.
    """

    first: Mapping[str, Rate]
    top: Mapping[str, Rate]
    precision: Mapping[float, Rate | None]


def grade(links: pl.DataFrame, release: Release, truth: Sequence[pl.DataFrame], *, min_degree: int) -> Grade:
    """Count right links; all rows with more than ``min_degree`` edges count, found or not.

    Parameters
    ----------
    links
        What ``link`` returned.
    release, truth
        The release, and who is who, as ``read_truth`` returns it.
    min_degree
        That of the model.
    """
    asked = _asked(release, truth, min_degree)
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


def _asked(release: Release, truth: Sequence[pl.DataFrame], min_degree: int) -> pl.DataFrame:
    parts = []
    for number, (graph, people) in enumerate(zip(release.subgraphs, truth, strict=True)):
        names = np.arange(graph.node_count) if graph.labels is None else graph.labels
        columns = pl.lit(number, dtype=pl.Int32).alias("subgraph"), pl.Series("node", names), "hops"
        table = people.select(*columns, true=pl.col("person").cast(pl.String))
        parts.append(table.filter(pl.Series(graph.degrees > min_degree)))
    return pl.concat(parts)


def _precision(claims: pl.DataFrame) -> Rate | None:
    return rate(int(claims["right"].sum()), len(claims)) if len(claims) else None
