"""Outputs appear whole or not at all, and several of one run all or none."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from thinveil.errors import InputError
from thinveil.runtime.staging import Staged, stage_file, stage_folder

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class File:
    """A file to write; a secret only its owner may read."""

    path: PathLike
    content: bytes = field(repr=False)
    secret: bool = False

    def stage(self) -> Staged:
        """Write it beside its place."""
        return stage_file(_real(self.path), self.content, secret=self.secret)


@dataclass(frozen=True)
class Folder:
    """A folder of files to write, in place of all that it may hold."""

    path: PathLike
    contents: Mapping[str, bytes] = field(repr=False)

    def stage(self) -> Staged:
        """Write it beside its place."""
        return stage_folder(_real(self.path), self.contents)


def write_whole(path: PathLike, content: bytes, *, secret: bool = False) -> None:
    """Write a file under another name first, so that nobody ever sees half of it; a secret only the owner sees."""
    write_together(File(path, content, secret))


def fill_folder(path: PathLike, contents: Mapping[str, bytes]) -> None:
    """Make a folder of files that takes its name, and the place of an earlier one, only when all is written."""
    write_together(Folder(path, contents))


def write_together(*outputs: File | Folder) -> None:
    """Write all outputs of a run, and only when all are on the disk put each in its place.

    Whether something may be replaced is not asked here: see ``thinveil.runtime.places``.

    Raises
    ------
    InputError
        If one of them cannot be written. Then nothing has changed.
    """
    staged: list[Staged] = []
    path: PathLike = ""
    try:
        for output in outputs:
            path = output.path
            staged.append(output.stage())
        for one in staged:
            path = one.target
            one.put()
    except BaseException as error:
        for one in reversed(staged):
            one.undo()
        if isinstance(error, OSError):
            raise cannot_write(path, error) from None
        raise
    finally:
        for one in staged:
            one.discard()


def cannot_write(path: PathLike, error: OSError) -> InputError:
    """Say in one line why something was not written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return InputError(f"{path}: cannot be written ({error.strerror}): {'make room, or ' * full}choose another place")


def _real(path: PathLike) -> Path:
    """Return the place that a path leads to, so that a link to it stays one."""
    return Path(os.path.realpath(path))
