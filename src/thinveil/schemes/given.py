"""Releases as people have them: of thinveil, or the path of a folder or a file with one."""

from __future__ import annotations

import os
from pathlib import Path

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.runtime.visible import shown
from thinveil.schemes.base import Release
from thinveil.schemes.foreign.opening import read_release
from thinveil.schemes.foreign.parts import is_table

ReleaseLike = Release | str | os.PathLike[str]
"""What people have: a release, or where one lies."""


def as_release(given: ReleaseLike) -> Release:
    """Return a release; of one that is read, the public half alone is known."""
    if isinstance(given, Release):
        return given
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"release = {shown(given)} is not a release: read one with thinveil.read_release(folder)")
    return read_release(given)


def as_published(given: ReleaseLike | GraphLike, name: str) -> Release | Graph:
    """Return what was published: a release, or a whole graph."""
    if isinstance(given, Release):
        return given
    return read_release(given) if is_release(given) else as_graph(given, name)  # type: ignore[arg-type]


def is_release(given: object) -> bool:
    """Whether a path is that of a release: a folder, or one table of several sub-graphs."""
    if not isinstance(given, str | os.PathLike):
        return False
    path = Path(given)
    return path.is_dir() or (path.is_file() and is_table(path))
