"""Tables of links on disk, as ``link`` and ``match`` make them."""

from __future__ import annotations

import io
import os
from pathlib import Path

import polars as pl

from thinveil.errors import InputError
from thinveil.runtime.csvtext import guarded_csv
from thinveil.runtime.files import File, write_together
from thinveil.runtime.inputs import open_regular
from thinveil.runtime.places import Inputs, Kind, check_place

_COLUMNS = {"cluster", "subgraph", "node", "probability", "person", "score", "rank", "agree"}
_MARK = "table of links"  # in the footer of a Parquet file, of either kind
_OF_LINKS = "cluster"  # a column that names have not


def write_links(links: pl.DataFrame, path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()) -> None:
    """Write links as CSV or Parquet, by the name's ending, whole or not at all, for the owner's eyes only.

    Parameters
    ----------
    links
        The table, as ``link`` or ``match`` returns it.
    path
        The file. In CSV, names that a spreadsheet would take for a formula have a single quote in front
        (``thinveil.runtime.csvtext``); in Parquet they are as they were.
    force
        Whether an earlier table of the same kind may be replaced: one of ``link`` by ``link``, of ``match`` by
        ``match``.
    inputs
        What the run read; none of it is ever written over.

    Raises
    ------
    InputError
        If the file has another ending, is there already, or cannot be written.
    """
    kind = LINKS if _OF_LINKS in links.columns else NAMES
    place = check_links_place(path, force=force, inputs=inputs, kind=kind)
    content = guarded_csv(links) if Path(path).suffix == ".csv" else _parquet(links)
    write_together(File(place, content, secret=True, may_replace=kind.may_replace(force)))


def _parquet(links: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    links.write_parquet(buffer, metadata={"thinveil": _MARK})
    return buffer.getvalue()


def _is_links(path: Path) -> bool:
    return _OF_LINKS in _columns_of(path)


def _is_names(path: Path) -> bool:
    columns = _columns_of(path)
    return bool(columns) and _OF_LINKS not in columns


def _columns_of(path: Path) -> set[str]:
    """Return the columns of a table of either kind; none of a foreign one."""
    with open_regular(path) as file:
        head = file.readline(1000)
        if head.startswith(b"PAR1"):
            file.seek(max(0, os.path.getsize(path) - 100_000))
            footer = file.read()
            return {name for name in _COLUMNS if name.encode() in footer} if _MARK.encode() in footer else set()
    columns = set(head.decode(errors="replace").strip().split(","))
    is_ours = {"subgraph", "node"} <= columns <= _COLUMNS and bool(columns & {"probability", "score"})
    return columns if is_ours else set()


LINKS = Kind("table of links", _is_links)
"""What ``link`` writes, and how it is told from a foreign file."""
NAMES = Kind("table of names", _is_names)
"""What ``match`` writes."""


def check_links_place(
    path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = (), kind: Kind = NAMES
) -> Path:
    """Say early that names, or links, could not be written there."""
    if Path(path).suffix not in (".csv", ".parquet"):
        raise InputError(f"{path}: links are written as .csv or .parquet: choose one of the two endings")
    return check_place(path, kind, force=force, inputs=inputs)
