"""A converted graph, opened: its files are mapped at once, and looked through when they are first needed.

So a graph of any size is there in a moment, and processes that open the same folder share its pages. What is in the
files is believed by nobody: before the rows can be had at all, a walk over them makes sure that they are those of a
graph, and that the graph has the digest that the folder promises; labels and events are held against their checksums.
Whoever can write to the folder *while* it is in use can still do harm, as with any file that is mapped.
"""

from __future__ import annotations

import logging
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.checks import check_row_starts, fault_words
from thinveil.graph.graph import Dropped, EdgeRows, Graph, digest_of
from thinveil.graph.stored.layout import ABOUT, INDICES, INDPTR, LABELS, SOURCE, TARGET, VALUES, About, read_about
from thinveil.graph.stored.reading import read_labels, stray_event
from thinveil.runtime.arrays import frozen
from thinveil.runtime.mapped import Identity, identity, map_column


class StoredGraph(Graph):
    """A graph that lies in a folder; ``open_stored`` makes it, and it is used like any other.

    It travels to another process as the name of its folder.
    """

    _folder: Path
    _about: About
    _identity: Identity
    _is_sound: bool
    """Whether these very files were looked through in the process from which the graph has come."""

    def __reduce__(self) -> tuple[Any, ...]:
        seen = {"indices", "rows"} if self._about.columns is not None else {"indices"}
        is_sound = self._is_sound or seen <= vars(self).keys()
        return reopen, (str(self._folder), self._about.digest, self._identity if is_sound else None)

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return self._about.nodes

    @property
    def edge_count(self) -> int:
        """Number of undirected edges."""
        return self._about.entries // 2

    def digest(self) -> str:
        """Return the digest that the folder promises; the rows have it, or they cannot be had."""
        return self._about.digest

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """Where the row of each node starts."""
        starts: NDArray[np.int64] = vars(self)["_starts"]
        with _named(self._folder / INDPTR):
            check_row_starts(starts, self._about.entries)
        return starts

    @cached_property
    def indices(self) -> NDArray[np.int32]:
        """The rows of neighbours, found to be those of a graph."""
        indptr = self.indptr
        flat: NDArray[np.int32] = vars(self)["_flat"]
        if not self._is_sound:
            with ThreadPoolExecutor(1) as beside, _named(self._folder / INDICES):
                digest = beside.submit(digest_of, indptr, flat)
                if words := fault_words(indptr, flat):
                    raise InputError(words)
                if digest.result() != self._about.digest:
                    raise InputError(f"its graph has not the digest that {ABOUT} promises: convert it anew")
        return flat

    @cached_property
    def labels(self) -> NDArray[Any] | None:
        """What the nodes are called."""
        if not self._about.has_labels:
            return None
        with _named(self._folder / LABELS):
            return frozen(read_labels(self._folder / LABELS, self._about))

    @cached_property
    def rows(self) -> EdgeRows | None:
        """The events, found to be on edges of the graph."""
        events: EdgeRows | None = vars(self)["_events"]
        if events is not None and not self._is_sound:
            with _named(self._folder / SOURCE):
                if words := stray_event(self.indptr, self.indices, events, self._folder, self._about):
                    raise InputError(words)
        return events


def open_stored(path: str | os.PathLike[str]) -> Graph:
    """Open the folder of a converted graph, of any size, in a moment."""
    folder = Path(path)
    with _named(folder / ABOUT):
        about = read_about(folder)
    graph = StoredGraph.__new__(StoredGraph)
    kept = vars(graph)
    with _named(folder):
        kept |= {
            "_folder": folder.resolve(),
            "_about": about,
            "_identity": _identify(folder, about),
            "_is_sound": False,
        }
    kept["_starts"] = _mapped(folder / INDPTR, np.int64, about.nodes + 1)
    kept["_flat"] = _mapped(folder / INDICES, np.int32, about.entries)
    kept["_events"] = None if about.columns is None else _events(folder, about, about.columns)
    kept |= {"dropped": Dropped(about.loops, about.duplicates), "origin": about.origin(os.fspath(path))}
    return graph


def open_read(path: str, is_chosen: bool) -> Graph:
    """Open a folder in the place of a file; what is chosen about the reading of files is refused."""
    if is_chosen:
        raise GraphFileError(
            "is a converted graph: its columns were chosen when it was converted, so leave these options out, or "
            "convert the file anew",
            path=path,
        )
    graph = open_stored(path)
    if graph.origin is not None:
        logging.getLogger("thinveil.reading").info(graph.origin.words())
    return graph


def reopen(path: str, digest: str, sound: Identity | None) -> Graph:
    """Open a folder again in another process, where it must be the same; ``sound`` files were looked through."""
    graph = open_stored(path)
    if graph.digest() != digest:
        raise GraphFileError("is another graph than before: somebody has written there meanwhile", path=path)
    vars(graph)["_is_sound"] = sound == vars(graph)["_identity"]
    return graph


def _identify(folder: Path, about: About) -> Identity:
    events = [] if about.columns is None else [SOURCE, TARGET, *VALUES[: len(about.columns)]]
    try:
        return sum((identity(folder / name) for name in (ABOUT, INDPTR, INDICES, *events)), ())
    except OSError as error:
        raise InputError(f"is no converted graph, or not all of it ({error.strerror})") from None


def _events(folder: Path, about: About, columns: dict[str, str]) -> EdgeRows:
    source, target = (_mapped(folder / name, np.int32, about.events) for name in (SOURCE, TARGET))
    values = zip(columns.items(), VALUES, strict=False)
    return EdgeRows(source, target, {name: _mapped(folder / file, kind, about.events) for (name, kind), file in values})


def _mapped(path: Path, dtype: Any, size: int) -> NDArray[Any]:
    with _named(path):
        return map_column(path, dtype, size)


class _named:  # noqa: N801 (used like a function)
    """Say of which file an error is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError) and not isinstance(error, GraphFileError):
            raise GraphFileError(str(error), path=str(self._path)) from None
