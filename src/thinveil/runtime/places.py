"""Where a run may write: never over an input, nor over anything that thinveil has not written itself.

A *kind* of output knows how an earlier one of its kind is told by its content. What is there and of that kind is
replaced only if the user says so (``--force``, ``force=True``); what is there and is not is never touched.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from thinveil.errors import InputError
from thinveil.runtime.files import PathLike
from thinveil.runtime.inputs import open_regular
from thinveil.runtime.staging import is_work

Inputs = Iterable[PathLike | None]
"""What a run reads: files and folders, ``-`` for standard input; None, and names of no file, are passed over."""

_HANDED_ON = (("release.toml", b"format = ", "release"), ("result.json", b'{\n  "headline": ', "report"))
"""Folders that are handed on whole: the file that tells them, how it begins, and what they are."""
_OF_THE_SYSTEM = {".DS_Store", "Thumbs.db", "desktop.ini"}  # file managers leave them in any folder


@dataclass(frozen=True)
class Kind:
    """A kind of output: what it is called, how an earlier one is recognised, and the option that names its place.

    A folder is recognised by its files: it holds the first of them, and none that is not its own.
    """

    words: str
    is_ours: Callable[[Path], bool] | Mapping[str, Callable[[Path], bool]]
    option: str = "--out"

    @property
    def folder(self) -> bool:
        """Whether it is a folder."""
        return not callable(self.is_ours)

    def foreign(self, place: Path) -> str | None:
        """Return the name of what is there and not of this kind; None if all of it is."""
        if callable(self.is_ours):
            return None if place.is_file() and self.is_ours(place) else place.name
        names = entries(place)
        strange = (name for name in names if not self.is_ours.get(name, _is_nothing)(place / name))
        return next(strange, None if next(iter(self.is_ours)) in names else names[0])

    def may_replace(self, force: bool) -> Callable[[Path], bool]:
        """Return what tells, at the last moment, whether something may go: what is empty, or ours and forced."""

        def may_go(there: Path) -> bool:
            return not _holds_something(there) or (force and self.foreign(there) is None)

        return may_go


def check_place(path: PathLike, kind: Kind, *, inputs: Inputs = (), force: bool = False) -> Path:
    """Return a place where an output may be written, or say why it may not: before long work, and again after it.

    What is returned is the place itself: where ``path`` is a link, what it leads to.

    Parameters
    ----------
    path
        The file or folder.
    kind
        What will be written.
    inputs
        What the run reads: none of it is ever written over, by whatever name it goes.
    force
        Whether an earlier output of the same kind may be replaced.

    Raises
    ------
    InputError
        If the place is an input, holds something else, or cannot be written.
    """
    place = Path(os.path.realpath(path))
    check_name(path, kind.option)
    _check_ordinary(path, kind)
    if kind.folder:
        check_folder(path, kind.option)
    elif place.is_dir():
        raise InputError(f"{path}: is a folder: name a file with {kind.option}")
    for name in inputs:
        if name is not None:
            _check_input(path, place, name, kind)
    _check_not_handed_on(path, place, kind)
    if _holds_something(place):
        _check_replaced(path, place, kind, force)
    _check_writable(path, place, kind)
    return place


def check_folder(path: PathLike, option: str = "--out") -> None:
    """Refuse for a folder what is none, or is one in which the user stands."""
    place, here = Path(os.path.realpath(path)), Path.cwd()
    if place == here or place in here.parents:
        raise InputError(
            f"{str(path)!r}: is the folder in which you are, or one above it: give a folder of its own with {option}"
        )
    if place.exists() and not place.is_dir():
        raise InputError(f"{path}: is there already and no folder: name a new one with {option}")


def entries(folder: Path) -> list[str]:
    """Return the names of what a folder holds, without what killed runs and file managers leave there."""
    return sorted(name for name in os.listdir(folder) if not is_work(name) and name not in _OF_THE_SYSTEM)


def starts_with(path: Path, *beginnings: bytes) -> bool:
    """Tell whether a file starts in one of these ways; of a file that cannot be read nothing is known."""
    try:
        with open_regular(path) as file:
            return file.read(max(map(len, beginnings))).startswith(beginnings)
    except OSError:
        return False


def check_name(path: PathLike, option: str) -> None:
    """Refuse what looks like an option of which the place was forgotten, or like standard output."""
    name = os.fspath(path)
    if name.startswith("-"):
        raise InputError(f"{name}: looks like an option: name a place with {option}, or ./{name} if it is called so")


def _check_ordinary(path: PathLike, kind: Kind) -> None:
    """Refuse pipes, terminals and devices, by whatever name they go."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return  # nothing is there yet
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        what = "folder" if kind.folder else "file"
        raise InputError(f"{path}: is no ordinary {what}: name a new {what} with {kind.option}")


def _check_not_handed_on(path: PathLike, place: Path, kind: Kind) -> None:
    """Refuse to write into a folder that will be published or passed on as it is: what is there goes with it."""
    for folder in place.parents:
        for name, beginning, what in _HANDED_ON:
            if starts_with(folder / name, beginning):
                raise InputError(
                    f"{path}: lies in {folder}, a {what}, which is handed on whole: choose a place outside with "
                    f"{kind.option}"
                )


def _check_input(path: PathLike, place: Path, name: PathLike, kind: Kind) -> None:
    status = _status(name)
    if status is None:
        return
    hint = f"name another place with {kind.option}"
    if _is_same(place, status):
        raise InputError(f"{path}: is what this run reads ({name}), and is never written over: {hint}")
    if os.fspath(name) == "-":
        return
    source = Path(os.path.realpath(name))
    if place in source.parents:
        raise InputError(f"{path}: holds {source.relative_to(place)}, which this run reads: {hint}")
    if stat.S_ISDIR(status.st_mode) and source in place.parents:
        raise InputError(f"{path}: lies in {name}, which this run reads: {hint}")


def _status(name: PathLike) -> os.stat_result | None:
    """Return what the system knows of an input; standard input may be a file too."""
    try:
        if os.fspath(name) == "-":
            return None if sys.stdin is None else os.fstat(sys.stdin.fileno())
        return os.stat(name)
    except (OSError, ValueError):
        return None


def _is_same(place: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(place.stat(), status)
    except OSError:
        return False


def _holds_something(place: Path) -> bool:
    try:
        return bool(entries(place)) if place.is_dir() else os.path.lexists(place)
    except OSError:
        return True


def _check_replaced(path: PathLike, place: Path, kind: Kind, force: bool) -> None:
    new = f"name a new {'folder' if kind.folder else 'file'} with {kind.option}"
    try:
        foreign = kind.foreign(place)
    except OSError as error:
        raise InputError(f"{path}: cannot be looked into ({error.strerror}): {new}") from None
    if foreign is not None:
        held = (
            f"holds {foreign}, which is of no {kind.words}" if kind.folder else f"is there already, and no {kind.words}"
        )
        raise InputError(f"{path}: {held}: {new}")
    if not force:
        raise InputError(
            f"{path}: holds the {kind.words} of an earlier run: give --force (force=True) to replace it, or {new}"
        )


def _check_writable(path: PathLike, place: Path, kind: Kind) -> None:
    nearest = next(one for one in (place, *place.parents) if one.exists()) if kind.folder else place.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise InputError(
            f"{path}: cannot be written ({nearest} is no folder that can be written): choose another place with "
            f"{kind.option}"
        )


def _is_nothing(path: Path) -> bool:
    """Tell of a file with a name that no output has: it is not ours."""
    return False
