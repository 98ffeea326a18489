"""Reading any release: one that thinveil has written, or one that was made elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from thinveil.errors import InputError, ReleaseError
from thinveil.runtime.inputs import first_line
from thinveil.runtime.parquet import read_parquet_names
from thinveil.runtime.places import starts_with
from thinveil.schemes.base import Release
from thinveil.schemes.foreign.parts import Part, read_parts
from thinveil.schemes.foreign.who import truth_of
from thinveil.schemes.layout import ABOUT, EDGES, NODES, TRUTH_COLUMNS
from thinveil.schemes.reading import read_own_release

PathLike = str | os.PathLike[str]


def read_release(folder: PathLike, truth: PathLike | None = None) -> Release:
    """Read a release, with the secret where its file is given.

    A release that thinveil has written is checked line by line, and its nodes are numbered in order of their
    pseudonyms; a sub-graph is made when it is asked for. A release that was made elsewhere is a folder with a file of
    edges for each sub-graph, or a table with the columns subgraph, source and target (docs/blackbox.md).

    Parameters
    ----------
    folder
        The release: a folder, or a table in a file.
    truth
        Who is who: the truth file of the release, or a CSV or Parquet table with the columns subgraph, node and person.

    Raises
    ------
    ReleaseError
        If the folder is not a release, is damaged, or the truth is that of another one.
    """
    path = Path(folder)
    if not _is_own(path):
        return _read_foreign(path, truth)
    if truth is None or _is_own_truth(Path(truth)):
        return read_own_release(path, truth)
    own = read_own_release(path)
    return _with_truth([Part(str(k), own.public[k]) for k in range(len(own))], Path(truth), own.scheme)


def _is_own(path: Path) -> bool:
    names = (ABOUT, NODES, EDGES)
    found = [(path / name).exists() for name in names]
    return found[0] or all(found[1:]) or not path.exists()


def _is_own_truth(truth: Path) -> bool:
    """Tell whether a file is a truth as thinveil writes it, or nothing that can be told; the reader says what."""
    if not truth.is_file() or not starts_with(truth, b"PAR1"):
        return not truth.is_file() or truth.name == ABOUT
    try:
        return set(read_parquet_names(truth.read_bytes())) >= set(TRUTH_COLUMNS)
    except InputError:
        return True


def _read_foreign(path: Path, truth: PathLike | None) -> Release:
    try:
        parts = read_parts(path)
    except InputError as error:
        raise ReleaseError(f"not a release: {first_line(error)}") from None
    empty = next((part for part in parts if not part.graph.node_count), None)
    if empty is not None:
        raise ReleaseError(f"{path}: sub-graph {empty.name!r} has no nodes: leave it out")
    if truth is not None:
        return _with_truth(parts, Path(truth), "")
    return Release(tuple(part.graph for part in parts), None, titles=_titles(parts))


def _with_truth(parts: list[Part], truth: Path, scheme: str) -> Release:
    secrets, names = truth_of(parts, truth)
    titles = None if scheme else _titles(parts)
    return Release(tuple(part.graph for part in parts), tuple(secrets), scheme, names, titles=titles)


def _titles(parts: list[Part]) -> tuple[str, ...]:
    return tuple(part.name for part in parts)
