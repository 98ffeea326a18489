"""What lies in the folder of a converted graph.

::

    graph.toml      what it is: sizes, digest, kinds of labels and events, checksums of labels and events
    indptr.npy      where the row of each node starts, int64, one more than there are nodes
    indices.npy     the rows, int32: neighbours in ascending order, each edge in two rows
    labels.parquet  one column, `label`, a line for each node; only where nodes are not called 0, 1, 2, ...
    source.npy, target.npy, value-00.npy, ...   the events, only where there are some
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.graph.checks import MAX_NODES
from thinveil.graph.origin import Origin
from thinveil.runtime.inputs import MOST_TOML, parse_toml, read_input
from thinveil.runtime.mapped import MAGIC
from thinveil.runtime.places import Kind, starts_with

ABOUT, INDPTR, INDICES, LABELS, SOURCE, TARGET = (
    "graph.toml", "indptr.npy", "indices.npy", "labels.parquet", "source.npy", "target.npy",
)  # fmt: skip
FORMAT = "thinveil graph 1"
MOST_COLUMNS = 100
VALUES = tuple(f"value-{number:02}.npy" for number in range(MOST_COLUMNS))
_BEGINNING = f'format = "{FORMAT}"'.encode()
_KINDS = "biuf"
_MOST_EDGES = 2**40

CONVERTED = Kind("converted graph", {
    ABOUT: lambda path: starts_with(path, _BEGINNING),
    LABELS: lambda path: starts_with(path, b"PAR1"),
    **dict.fromkeys((INDPTR, INDICES, SOURCE, TARGET, *VALUES), lambda path: starts_with(path, MAGIC)),
}, option="the second argument")  # fmt: skip
"""The folder of a converted graph, and how each of its files is told from a foreign one."""


@dataclass(frozen=True)
class About:
    """What a folder says of its graph, as ``graph.toml`` holds it."""

    nodes: int
    entries: int
    digest: str
    loops: int = 0
    duplicates: int = 0
    has_labels: bool = False
    events: int = 0
    columns: dict[str, str] | None = None
    sha256: dict[str, str] = field(default_factory=dict)
    read_as: dict[str, Any] = field(default_factory=dict)

    def to_toml(self) -> bytes:
        """Return the file."""
        from importlib.metadata import version

        import tomli_w

        told = {name: value for name, value in vars(self).items() if value is not None}
        return tomli_w.dumps({"format": FORMAT, "thinveil": version("thinveil"), **told}).encode()

    def origin(self, path: str) -> Origin:
        """Return how it was read, as far as a line of words tells."""
        read_as = self.read_as
        first = tuple((a, b) for a, b in read_as["first"])
        note = f"made from {read_as['file']}" if read_as["file"] else ""
        return Origin("a converted graph", columns=read_as["columns"], ids=read_as["ids"], rows=read_as["rows"],
                      first=first, note=note, file=path)  # fmt: skip


def is_stored(path: Any) -> bool:
    """Tell whether something is the folder of a converted graph, as far as its name and first bytes say."""
    try:
        place = Path(path)
        return place.is_dir() and starts_with(place / ABOUT, _BEGINNING)
    except (TypeError, ValueError, OSError):
        return False


def read_about(folder: Path) -> About:
    """Return what a folder says of its graph, or say in a few words what is wrong with that."""
    told = parse_toml(read_input(folder / ABOUT, MOST_TOML))
    if told.pop("format", None) != FORMAT or not isinstance(told.pop("thinveil", None), str):
        raise InputError("of another format")
    try:
        about = About(**told)
    except TypeError:
        raise InputError("says what it should not, or not what it should") from None
    if not _is_sound(about):
        raise InputError("says what cannot be")
    return about


def _is_sound(about: About) -> bool:
    counts = (about.nodes, about.entries, about.loops, about.duplicates, about.events)
    are_counts = all(type(count) is int and 0 <= count <= _MOST_EDGES for count in counts)
    return (
        are_counts
        and about.nodes <= MAX_NODES
        and about.entries % 2 == 0
        and isinstance(about.digest, str)
        and type(about.has_labels) is bool
        and _are_texts(about.sha256)
        and _are_columns(about.columns)
        and _is_origin(about.read_as)
    )


def _are_texts(table: Any) -> bool:
    return isinstance(table, dict) and all(isinstance(value, str) for value in table.values())


def _are_columns(columns: Any) -> bool:
    if columns is None:
        return True
    if not _are_texts(columns) or len(columns) > MOST_COLUMNS:
        return False
    try:
        return all(_is_native(np.dtype(kind), kind) for kind in columns.values())
    except (TypeError, ValueError, SyntaxError):
        return False


def _is_native(dtype: np.dtype[Any], kind: str) -> bool:
    return dtype.kind in _KINDS and dtype.isnative and dtype.str == kind


def _is_origin(told: Any) -> bool:
    """Tell whether what is said of the file behind a graph can be shown to people."""
    if not isinstance(told, dict) or set(told) != {"file", "ids", "rows", "columns", "first"}:
        return False
    first = told["first"]
    pairs = isinstance(first, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in first)
    return (
        pairs
        and all(type(one) in (int, str) for pair in first for one in pair)
        and type(told["rows"]) is int
        and isinstance(told["file"], str)
        and isinstance(told["ids"], str)
        and _are_texts(told["columns"])
    )
