"""Finished parts of long work, kept in its folder: what was stopped goes on where it was.

::

    finished/NAME.json   a part, and what it was made from: where any of that has changed, the part is made again

A part appears whole or not at all, so that a kill at any moment costs no more than the part that was being made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from thinveil.runtime.files import File, cannot_write, write_together
from thinveil.runtime.inputs import open_regular
from thinveil.runtime.places import Kind, check_place, entries, starts_with

KEPT = Kind("finished part", lambda path: starts_with(path, b'{"made_from": '))


class FinishedParts:
    """The parts that an earlier run finished in a folder, and those that this one finishes."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "finished"

    def find(self, name: str, made_from: Mapping[str, Any]) -> Any | None:
        """Return a part; None if there is none, or if it was made from something else."""
        try:
            with open_regular(self._path(name)) as file:
                kept = json.load(file)
            return kept["part"] if kept["made_from"] == made_from else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, name: str, made_from: Mapping[str, Any], part: Any) -> None:
        """Keep a part, over an earlier one of that name: the folder is ours, and what is damaged is made again."""
        write_file(self._path(name), json.dumps({"made_from": made_from, "part": part}))

    def _path(self, name: str) -> Path:
        return self.place / f"{name}.json"


def write_file(path: Path, text: str, kind: Kind | None = None) -> None:
    """Write a file, whole, and the folder in which it lies; over an earlier one of its kind and nothing else."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path.parent, error) from None
    if kind is not None:
        check_place(path, kind, force=True)
    write_together(File(path.resolve(), text.encode()))


def is_begun(folder: Path, marks: Iterable[tuple[Kind, Path]]) -> bool:
    """Tell whether a run of ours was begun in a folder, however early it was stopped; marks are files of its own."""
    kept = folder / "finished"
    marks = [*marks, *((KEPT, path) for path in kept.glob("*.json"))]
    return any(kind.foreign(path) is None for kind, path in marks) or (entries(folder) == [kept.name] and kept.is_dir())
