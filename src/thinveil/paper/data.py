"""The graphs that the paper's tables need: found in a folder of the user's, or replaced by a named stand-in."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from thinveil.errors import InputError


@dataclass(frozen=True)
class DataSet:
    """A public graph: the file names under which it may lie in the folder, its source, and its stand-in.

    ``egonets`` and ``min_size`` say how many the paper drew from it, by scheme, and of what size.
    """

    name: str
    title: str
    files: tuple[str, ...]
    source: str
    stand_in: str = ""
    egonets: Mapping[str, int] = field(default_factory=dict)
    min_size: int = 400

    def find(self, folder: Path | None) -> Path | None:
        """Return the file in a folder, if it is there."""
        places = [folder / file for file in self.files] if folder else []
        return next((path for path in places if path.is_file()), None)

    def scheme(self, name: str) -> str:
        """Return the word of a scheme as the paper used it on this graph."""
        return f"{name}:egonets={self.egonets.get(name, 100)},min_size={self.min_size}"


@cache
def data_sets() -> dict[str, DataSet]:
    """Return all data sets by name."""
    tables = tomllib.loads((files("thinveil.paper") / "data.toml").read_text())
    return {name: DataSet(name, **{**table, "files": tuple(table["files"])}) for name, table in tables.items()}


@dataclass(frozen=True)
class Found:
    """Where a data set, or the stand-in for it, lies."""

    wanted: DataSet
    used: DataSet
    path: Path

    @property
    def is_stand_in(self) -> bool:
        """Whether another graph takes the place of the one wanted."""
        return self.used is not self.wanted


def find_data(name: str, folder: Path | None) -> Found | None:
    """Return where a data set or its stand-in lies; None where neither is there."""
    wanted = data_sets()[name]
    for candidate in (wanted, data_sets().get(wanted.stand_in)):
        if candidate and (path := candidate.find(folder)):
            return Found(wanted, candidate, path)
    return None


def missing_words(name: str) -> str:
    """Say which file is missing and where to get it."""
    wanted = data_sets()[name]
    return f"{wanted.title} is not there: get {wanted.files[0]} from {wanted.source}"


def require_data(name: str, folder: Path | None) -> Found:
    """Return where a data set lies, or say where to get it."""
    found = find_data(name, folder)
    if found is None:
        raise InputError(missing_words(name))
    return found
