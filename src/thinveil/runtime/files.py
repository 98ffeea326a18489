"""Outputs appear whole or not at all; several of one run together, as far as a system can do that."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from thinveil.errors import InputError
from thinveil.runtime.signals import signals_held
from thinveil.runtime.staging import MayReplace, Staged, stage_file, stage_folder

PathLike = str | os.PathLike[str]


def _anything(there: Path) -> bool:
    """Let whatever is there be replaced."""
    return True


@dataclass(frozen=True)
class File:
    """A file to write; a secret only its owner may read.

    ``path`` is the place itself, as ``check_place`` returns it: a link there is not followed. ``may_replace`` is asked
    at the last moment about what is there by then (``Kind.may_replace``).
    """

    path: PathLike
    content: bytes = field(repr=False)
    secret: bool = False
    may_replace: MayReplace = _anything

    def stage(self) -> Staged:
        """Write it beside its place."""
        return stage_file(Path(self.path), self.content, secret=self.secret, may_replace=self.may_replace)


@dataclass(frozen=True)
class Folder:
    """A folder of files to write, in place of all that it may hold; the rest is as of a ``File``."""

    path: PathLike
    contents: Mapping[str, bytes] = field(repr=False)
    may_replace: MayReplace = _anything

    def stage(self) -> Staged:
        """Write it beside its place."""
        return stage_folder(Path(self.path), self.contents, may_replace=self.may_replace)


@dataclass(frozen=True)
class Filled:
    """A folder that ``fill`` fills, given where it is until it takes its place; the rest is as of a ``Folder``."""

    path: PathLike
    fill: Callable[[Path], None] = field(repr=False)
    may_replace: MayReplace = _anything

    def stage(self) -> Staged:
        """Write it beside its place."""
        return stage_folder(Path(self.path), self.fill, may_replace=self.may_replace)


def write_together(*outputs: File | Folder | Filled) -> None:
    """Write all outputs of a run, and only when all are on the disk put each in its place.

    An error or a signal leaves all of them or none. A kill (SIGKILL, a power cut) leaves each of them whole, old or
    new, but may come between two of them: then the first are new and the others are not.

    Raises
    ------
    InputError
        If one of them cannot be written, or its place was taken meanwhile. Then nothing has changed.
    """
    staged: list[Staged] = []
    path: PathLike = ""
    try:
        for output in outputs:
            path = output.path
            staged.append(output.stage())
        with signals_held():
            _put_all(staged)
    except OSError as error:
        raise cannot_write(path, error) from None
    finally:
        with signals_held():
            for one in staged:
                one.discard()


def _put_all(staged: Sequence[Staged]) -> None:
    """Put each in its place, or none."""
    for one in staged:
        try:
            one.put()
        except BaseException as error:
            for done in reversed(staged):
                done.undo()
            if isinstance(error, OSError):
                raise cannot_write(one.target, error) from None
            raise


def cannot_write(path: PathLike, error: OSError) -> InputError:
    """Say in one line why something was not written."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return InputError(f"{path}: cannot be written ({error.strerror}): {'make room, or ' * full}choose another place")
