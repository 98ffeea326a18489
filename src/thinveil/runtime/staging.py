"""A file or a folder that is written under a name of its own, and then takes its place in one step.

The name is ``.thinveil-<of what>-<random>``, beside the place. While its process lives, the work is locked: what lies
there without a lock was left by a run that was killed, and the next writing to the same place removes it. ``-old``
behind the name is the earlier content, on systems that cannot swap two names in one step.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

try:
    import fcntl

    _LOCKS = True
except ImportError:  # a system without locks: what a killed run leaves stays
    _LOCKS = False

_PREFIX = ".thinveil-"
_OLD = "-old"
_NOREPLACE, _EXCHANGE = 1, 2  # of renameat2
_PATIENCE = 5.0  # seconds
_WORK = re.compile(rf"\{_PREFIX}[0-9a-f]{{12}}-[0-9a-f]{{8}}({_OLD})?")


def is_work(name: str) -> bool:
    """Tell whether a file name is that of unfinished work of a run."""
    return _WORK.fullmatch(name) is not None


MayReplace = Callable[[Path], bool]
"""Told of what is at the place: whether it may go."""


class Staged:
    """Written whole under a name of its own; ``put`` gives it its place, ``undo`` takes it back, ``discard`` ends."""

    def __init__(self, target: Path, work: Path, lock: int, may_replace: MayReplace) -> None:
        self.target, self.work, self._may_replace = target, work, may_replace
        self._old = work.with_name(work.name + _OLD)
        self._locks = [lock]
        self._is_folder, self._put, self._swapped = work.is_dir(), False, False

    def put(self) -> None:
        """Take the place, and keep what was there until the end; refuse if that may not go."""
        if os.path.lexists(self.target):
            self._check(self.target)
            self._replace()
        else:
            _take(self.work, self.target)
        self._put = True
        _sync_folder(self.target.parent)

    def _replace(self) -> None:
        self._locks += _lock_old(self.target)  # so that no other run takes it for the rest of a killed one
        self._swapped = _exchange(self.work, self.target)
        if self._swapped:
            self._check(self.work)  # once more: only now nobody else can put something there
        else:
            _keep(self.target, self._old)
            self._check(self._old)
            self.work.replace(self.target)

    def _check(self, there: Path) -> None:
        if there.is_symlink() or there.is_dir() != self._is_folder or not self._may_replace(there):
            raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))

    def undo(self) -> None:
        """Leave the place as it was, as far as that can be done."""
        with contextlib.suppress(OSError):
            if self._swapped:
                _exchange(self.work, self.target)
            elif self._put:
                self.target.rename(self.work)
            if self._old.exists():
                self._old.rename(self.target)
        self._put = self._swapped = False

    def discard(self) -> None:
        """Remove what is not in its place: the work, or what it has replaced."""
        _remove(self.work)
        _remove(self._old)
        for lock in self._locks:
            os.close(lock)


class StagedInside(Staged):
    """The files of a folder that cannot be renamed itself, such as a mounted one: each takes its place in turn."""

    def put(self) -> None:
        """Put the files in place, and remove those that the folder had before."""
        self._check(self.target)
        names = {path.name for path in self.work.iterdir()}
        for path in sorted(self.work.iterdir()):
            path.replace(self.target / path.name)
        for path in self.target.iterdir():
            if path.name not in names and not is_work(path.name):
                _remove(path)
        _sync_folder(self.target)

    def undo(self) -> None:
        """Leave it: the files are where they are."""


def stage_file(target: Path, content: bytes, *, secret: bool, may_replace: MayReplace) -> Staged:
    """Write a file beside its place; a secret only the owner may ever read, and a replaced file keeps its mode."""
    _clear(target.parent, target.name)
    mode = 0o600 if secret else _mode(target)
    while True:
        work = _work_name(target.parent, target.name)
        handle = os.open(work, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode or 0o666)
        if _lock(handle, work):
            break
        os.close(handle)
    with _ended(handle, work):
        _write(handle, content)
        if mode is not None:
            os.chmod(work, mode)
    return Staged(target, work, handle, may_replace)


def stage_folder(
    target: Path, contents: Mapping[str, bytes] | Callable[[Path], None], *, may_replace: MayReplace
) -> Staged:
    """Write the files of a folder into another one, beside it or, where that cannot be, within it.

    What is too large for memory is written by a function, which is given that folder.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    inside = target.is_dir() and (os.path.ismount(target) or not os.access(target.parent, os.W_OK))
    place, mode = target if inside else target.parent, _mode(target)
    _clear(place, target.name)
    work, lock = _make_folder(place, target.name, mode)
    with _ended(lock, work):
        if callable(contents):
            contents(work)
            _sync_files(work)
        else:
            for name, content in contents.items():
                _write_new(work / name, content)
        if mode is not None:
            os.chmod(work, mode)
        _sync_folder(work)
    return (StagedInside if inside else Staged)(target, work, lock, may_replace)


def _make_folder(place: Path, name: str, mode: int | None) -> tuple[Path, int]:
    while True:
        work = _work_name(place, name)
        work.mkdir(0o777 if mode is None else mode | 0o700)
        lock = os.open(work, os.O_RDONLY)
        if _lock(lock, work):
            return work, lock
        os.close(lock)


@contextlib.contextmanager
def _ended(lock: int, work: Path) -> Iterator[None]:
    """Leave nothing behind where writing fails."""
    try:
        yield
    except BaseException:
        _remove(work)
        os.close(lock)
        raise


def _write_new(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        _write(handle, content)
    finally:
        os.close(handle)


def _sync_files(folder: Path) -> None:
    """Bring the files of a folder down to the disk."""
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write(handle: int, content: bytes) -> None:
    """Write all, down to the disk: a name must never stand for a file that a power cut can empty."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    """Bring the names down to the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _work_name(place: Path, name: str) -> Path:
    return place / f"{_work_prefix(name)}{secrets.token_hex(4)}"


def _work_prefix(name: str) -> str:
    # a digest, since a name may be as long as the system allows
    return f"{_PREFIX}{hashlib.sha256(os.fsencode(name)).hexdigest()[:12]}-"


def _mode(target: Path) -> int | None:
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else None


def _clear(place: Path, name: str) -> None:
    """Remove what killed runs left of writing under a name; bring back what they had moved away."""
    if not _LOCKS:
        return
    with contextlib.suppress(OSError):
        for path in sorted(place.glob(f"{_work_prefix(name)}*")):
            with _held(path) as is_ours:
                if is_ours and path.name.endswith(_OLD) and not os.path.lexists(place / name):
                    path.rename(place / name)
                elif is_ours:
                    _remove(path)


@contextlib.contextmanager
def _held(path: Path) -> Iterator[bool]:
    """Hold the lock of unfinished work, and tell whether no living process had it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        yield _try_lock(handle)
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _lock(handle: int, work: Path) -> bool:
    """Lock new work, and tell whether it is still there: for an instant it stood without a lock."""
    if _LOCKS:
        with contextlib.suppress(OSError):  # some network disks have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)  # whoever has it just now is about to remove it
    return work.exists()


def _lock_old(target: Path) -> list[int]:
    """Lock what will be replaced, where that can be; wait a little for another run that has just put it there."""
    until = time.monotonic() + _PATIENCE
    while _LOCKS:
        try:
            handle = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            break
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return [handle]
        except BlockingIOError:
            os.close(handle)
        except OSError:  # a disk without locks
            os.close(handle)
            break
        if time.monotonic() > until:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        time.sleep(0.01)
    return []


def _keep(target: Path, old: Path) -> None:
    """Keep what is there under another name; a file stays in its place too, if the disk knows links."""
    if not target.is_dir():
        with contextlib.suppress(OSError):
            os.link(target, old)
            return
    target.rename(old)


def _take(work: Path, target: Path) -> None:
    """Give work a name that nothing has; fail if another run was faster."""
    if _rename_by_flag(work, target, _NOREPLACE):
        return
    if work.is_dir():
        work.rename(target)  # fails over a folder that holds anything
        return
    try:
        os.link(work, target)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        work.rename(target)
    else:
        work.unlink()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _exchange(one: Path, two: Path) -> bool:
    """Swap two names in one step, where the system can; tell whether it did."""
    return _rename_by_flag(one, two, _EXCHANGE)


def _rename_by_flag(one: Path, two: Path, flag: int) -> bool:
    """Rename in a way that only Linux knows; tell whether it did."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes  # late: seldom needed

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    here = -100  # AT_FDCWD
    return rename is not None and rename(here, os.fsencode(one), here, os.fsencode(two), flag) == 0
