"""Data to try things on: call records that are made up, and public graphs, fetched from those who publish them.

Nothing is fetched unless it is asked for. What was fetched is checked: the graph in the file must be the one whose
digest stands here, however the file is packed and its lines end. Needs the extra ``data``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from thinveil.errors import GraphFileError, InputError
from thinveil.graph import Graph
from thinveil.graph.reading import read_graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.parameters import suggest
from thinveil.runtime.streams import stream
from thinveil.runtime.visible import one_line

__all__ = ["CACHE", "DataSet", "call_records", "fetch", "known"]

CACHE = "THINVEIL_CACHE"
"""The environment variable that names the folder where files are kept; by default the user's cache."""


@dataclass(frozen=True)
class DataSet:
    """A public graph: where its file is published, how it is read, and the digest of the graph in it."""

    title: str
    url: str
    digest: str
    reader: Mapping[str, Any] = field(default_factory=dict)


_SNAP = "https://snap.stanford.edu/data/"
_KNOWN = {
    "epinions": DataSet(
        "Epinions: who trusts whom (75,879 people)",
        _SNAP + "soc-Epinions1.txt.gz",
        "7efab85d91c0d11f4ec8d270021ab416d79dda032561d58dc00432254387c27b",
    ),
    "facebook": DataSet(
        "Facebook: ten ego networks put together (4,039 people)",
        _SNAP + "facebook_combined.txt.gz",
        "b74ab2268676a129e6a7445a47937b10abcaf17be2ad258ec226c19bd2ea091f",
    ),
    "email": DataSet(
        "E-mails of a European institution, with seconds since the first (986 people)",
        _SNAP + "email-Eu-core-temporal.txt.gz",
        "3d68fe4b133754887269f94d8f60b8155ae764d6699800ef915cf84473c30004",
        {"time": 2, "directed": True},
    ),
}


def known() -> dict[str, DataSet]:
    """Return the graphs that can be fetched, by name."""
    return dict(_KNOWN)


_DAYS, _DAY, _FIRST = 28, 86_400, 1_714_348_800  # four weeks from Monday, 29 April 2024
_BUSY = (1, 1, 1, 1, 1, 2, 5, 10, 14, 15, 15, 16, 18, 16, 15, 15, 16, 18, 20, 18, 14, 9, 4, 2)  # calls by hour


def call_records(people: int = 2_000, *, seed: int = 0) -> pl.DataFrame:
    """Return four weeks of made-up calls: who called whom, when, and for how many seconds.

    Who calls whom is ``synthetic_graph``; some contacts talk much more than others, by day more than by night, and
    whoever calls more often than he is called stays so. The numbers belong to no country: nobody is behind them.

    Examples
    --------
    >>> call_records(100, seed=1).columns
    ['caller', 'callee', 'start', 'seconds']
    """
    graph = synthetic_graph(people, mean_degree=8, seed=seed)
    chance = stream(seed, "call records")
    ends = np.stack([np.repeat(np.arange(graph.node_count), graph.degrees), graph.indices], axis=1)
    ends = ends[ends[:, 0] < ends[:, 1]]
    calls = np.repeat(np.arange(len(ends)), 1 + chance.negative_binomial(0.5, 0.1, len(ends)))
    is_back = chance.random(calls.size) < chance.beta(2, 2, len(ends))[calls]
    sides = np.where(is_back[:, np.newaxis], ends[calls][:, ::-1], ends[calls])
    hours = chance.choice(24, calls.size, p=np.array(_BUSY) / sum(_BUSY))
    days, rest = chance.integers(_DAYS, size=calls.size), chance.integers(3_600, size=calls.size)
    start = _FIRST + days * _DAY + hours * 3_600 + rest
    seconds = np.ceil(chance.lognormal(4.2, 1.1, calls.size)).astype(np.int64)
    numbers = [f"{number:011,}".replace(",", " ") for number in chance.choice(10**9, people, replace=False).tolist()]
    called = np.array([f"+999 {number}" for number in numbers])
    columns = {"caller": called[sides[:, 0]], "callee": called[sides[:, 1]], "start": start, "seconds": seconds}
    table = pl.DataFrame(columns)
    return table.sort("start", "caller", "callee").with_columns(pl.from_epoch("start"))


def fetch(name: str) -> Graph:
    """Return a public graph, from the cache or from where it is published.

    Parameters
    ----------
    name
        ``epinions``, ``facebook`` or ``email``; ``known()`` tells more of them.

    Raises
    ------
    InputError
        If there is no such graph, pooch is not installed, the file cannot be had, or it holds another graph.
    """
    if name not in _KNOWN:
        raise InputError(f"unknown data set {name!r}: {suggest(str(name), list(_KNOWN))}")
    wanted = _KNOWN[name]
    path = _retrieve(wanted)
    try:
        graph = read_graph(path, **wanted.reader)
    except GraphFileError as error:
        path.unlink(missing_ok=True)
        raise InputError(f"{wanted.url} gave no graph ({error}): look at the page with a browser") from None
    if graph.digest() != wanted.digest:
        path.unlink(missing_ok=True)
        raise InputError(
            f"{wanted.url} gave another graph than the one that is known (digest {graph.digest()[:16]}..., expected "
            f"{wanted.digest[:16]}...): it was thrown away; read the file that you mean with thinveil.read_graph"
        )
    return graph


def _retrieve(wanted: DataSet) -> Path:
    try:
        import pooch
    except ImportError:
        raise InputError("pooch is not installed, which fetches data sets: pip install 'thinveil[data]'") from None
    import logging
    import os

    folder = os.environ.get(CACHE) or pooch.os_cache("thinveil")
    name = wanted.url.rpartition("/")[2]
    pooch.get_logger().setLevel(logging.WARNING)
    try:
        # what lies there is checked by the digest of its graph, and so is what comes
        return Path(pooch.retrieve(wanted.url, known_hash=None, fname=name, path=folder))
    except Exception as error:  # of requests, of urllib3, of the disk: pooch lets all through
        raise InputError(
            f"{name} cannot be fetched ({one_line(str(error))[:120]}): get {wanted.url} where there is a network, and "
            f"put it into {folder}"
        ) from None
