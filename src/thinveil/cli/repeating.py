"""The graphs of an audit: those that are named, or, when an audit is repeated, those of its settings.

Settings hold the base name of a file, its SHA-256 and the digest of its graph. The file is looked for in the current
folder and beside the settings; whatever is read must be what the first audit read.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from thinveil.cli.options import open_graph
from thinveil.errors import InputError

if TYPE_CHECKING:
    from thinveil.auditing.results import GraphFacts
    from thinveil.graph import Graph

_STDIN = "-"
_HOW = {"graph": "thinveil audit GRAPH --settings ...", "train_on": "--train-on GRAPH", "auxiliary": "--aux FILE"}


class Named(NamedTuple):
    """A graph that a run will read: its role, where it is, what the settings say of it, and how it is read."""

    role: str
    path: str | None
    earlier: Mapping[str, Any]
    reader: Mapping[str, Any]

    def open(self) -> tuple[Graph, GraphFacts] | tuple[None, None]:
        """Read the graph, and make sure that a repeated audit has the same input as the first."""
        if self.path is None:
            return None, None
        from thinveil.auditing.results import GraphFacts

        graph, sha256 = _read(self.path, self.earlier.get("sha256"), self.reader)
        facts = GraphFacts.of(graph, name=self.path, sha256=sha256, reader=self.reader)
        _check_same(self.path, "digest", facts.digest, self.earlier.get("digest"))
        return graph, facts


def find_graph(
    role: str, given: str | None, earlier: Mapping[str, Any], reader: Mapping[str, Any], settings: Path | None
) -> Named:
    """Return the graph that is named, or else that of the settings; its path is None if neither names one."""
    from thinveil.graph.stored.layout import is_stored

    name = given or earlier.get("name") or None
    if name is not None and given is None and Path(name).name != name:
        # settings may come from a stranger, who must not choose what is opened
        raise InputError(f"{settings} names a graph in a folder, {name}: say yourself where it is: {_HOW[role]}")
    if name is not None and given is None and settings is not None and name != _STDIN:
        name = _search(role, name, earlier.get("sha256", ""), settings)
    # the columns of a converted graph were chosen when it was converted, from whatever file
    chosen = {} if name is not None and is_stored(name) else earlier.get("reader", {})
    return Named(role, name, earlier, {**chosen, **reader})


def _search(role: str, name: str, sha256: str, settings: Path) -> str:
    """Look for the file of the settings here and beside them: the right one, or else any of its name.

    What has no SHA-256 is a converted graph, known by its digest, or no file at all.
    """
    from thinveil.graph.reading import file_sha256
    from thinveil.graph.stored.layout import is_stored

    if not sha256:
        return next((str(path) for path in (Path(name), settings.parent / name) if is_stored(path)), name)
    there = [path for path in (Path(name), settings.parent / Path(name).name) if path.is_file()]
    if not there:
        raise InputError(f"{name}: the graph of {settings} is neither here nor beside it: say where: {_HOW[role]}")
    return str(next((path for path in there if file_sha256(path) == sha256), there[0]))


class _Stdin:
    """Standard input, under the name that errors use; it knows the SHA-256 of what was read."""

    name = "<stdin>"

    def __init__(self) -> None:
        if sys.stdin is None:
            raise InputError("standard input is closed: give a file, or send the graph in")
        self.sha256 = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = sys.stdin.buffer.read(size)
        self.sha256.update(piece)
        return piece


def _read(path: str, expected: str | None, reader: Mapping[str, Any]) -> tuple[Graph, str]:
    """Return the graph and the SHA-256 of the file, which is empty for what is no file."""
    from thinveil.graph.reading import file_sha256
    from thinveil.graph.stored.layout import is_stored

    if path == _STDIN:
        source = _Stdin()
        graph = open_graph(cast(BinaryIO, source), dict(reader))
        sha256 = source.sha256.hexdigest()
        _check_same(path, "SHA-256", sha256, expected)
        return graph, sha256
    sha256 = file_sha256(path) if Path(path).is_file() else ""
    if not is_stored(path):
        _check_same(path, "SHA-256", sha256, expected)
    return open_graph(path, dict(reader)), sha256


def _check_same(path: str, what: str, found: str, expected: str | None) -> None:
    if expected and found != expected:
        name = "standard input" if path == _STDIN else path
        found = found or "of no file"
        raise InputError(f"{name}: not the graph of the settings ({what} {found}, expected {expected}): name that one")
