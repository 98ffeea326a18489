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

from thinveil.errors import InputError
from thinveil.runtime.files import File, cannot_write, write_together
from thinveil.runtime.inputs import open_regular
from thinveil.runtime.places import Kind, check_place, entries, starts_with

_START, _BEGINNING = b'{"made_from": ', 4096


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

    def check_same(self, made_from: Mapping[str, tuple[str, Any]], names: Iterable[str] | None = None) -> None:
        """Refuse to go on where parts, or those of some names, were made from something else: they would be replaced.

        ``made_from`` has for each thing how it is called, and what it is now. Whatever else a part was made from, such
        as versions, may have changed.
        """
        now = {name: (words, json.loads(json.dumps(value))) for name, (words, value) in made_from.items()}
        for path in sorted(self.place.glob("*.json")) if names is None else map(self._path, names):
            try:
                with open_regular(path) as file:
                    before = json.load(file)["made_from"]
                other = [words for name, (words, value) in now.items() if before[name] != value]
            except (OSError, ValueError, KeyError, TypeError):
                continue  # not there, or damaged
            if other:
                raise InputError(
                    f"{self.place.parent}: holds what an earlier run made with another {' and another '.join(other)}: "
                    "give --force (force=True) to replace it, or name a new folder with --out"
                )

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


def is_begun(folder: Path, marks: Iterable[tuple[Kind, Path]], *, made_from: str) -> bool:
    """Tell whether a run of ours was begun in a folder, however early it was stopped.

    Marks are files of its own; ``made_from`` names one of the things that its parts are made from, and those of no
    other kind of run.
    """
    kept = folder / "finished"
    part = Kind("finished part", lambda path: starts_with(path, _START) and _is_named(path, made_from))
    marks = [*marks, *((part, path) for path in kept.glob("*.json"))]
    return any(kind.foreign(path) is None for kind, path in marks) or _is_empty(folder, kept)


def _is_named(path: Path, name: str) -> bool:
    try:
        with open_regular(path) as file:
            return f'"{name}": '.encode() in file.read(_BEGINNING)
    except OSError:
        return False


def _is_empty(folder: Path, kept: Path) -> bool:
    """Say whether nothing is there but a folder for parts, without any."""
    return entries(folder) == [kept.name] and kept.is_dir() and not entries(kept)
