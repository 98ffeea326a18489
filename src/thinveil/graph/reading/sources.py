"""Bytes in: files, compressed files, open files and standard input.

A source is the whole unpacked content as one read-only array of bytes, and the name that errors use. What is
inside is told by the first bytes, never by the file's extension.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.reading.encodings import as_utf8
from thinveil.graph.reading.packing import Packed, unpack
from thinveil.runtime.mapped import forget
from thinveil.runtime.memory import free_memory

Bytes = NDArray[np.uint8]
PathLike = str | os.PathLike[str]

_STEP = 1024  # bytes searched at first for a line end
_PIECE = 1 << 24  # bytes read at once
_LOOKED_AT = 1 << 20  # bytes that are looked at together
_COPIED = 4  # a file is copied into memory up to this part of what is free, and mapped beyond it
_FOREIGN = {
    b"\x89HDF": "an HDF5 file; export the edges as CSV or Parquet",
}


@dataclass(frozen=True, eq=False)
class Source:
    """The unpacked content of a graph file, what to call it in messages, and what was done to get at it."""

    name: str
    data: Bytes
    note: str = ""

    def starts_with(self, magic: bytes) -> bool:
        """Say whether the content starts with these bytes."""
        return self.data[: len(magic)].tobytes() == magic

    def line_start(self, offset: int) -> int:
        """Return where the line around an offset starts."""
        step = _STEP
        while offset:
            newlines = np.flatnonzero(self.data[max(0, offset - step) : offset] == ord("\n"))
            if newlines.size:
                return max(0, offset - step) + int(newlines[-1]) + 1
            offset, step = max(0, offset - step), 2 * step
        return 0

    def line_end(self, offset: int) -> int:
        """Return where the line after the one around an offset starts."""
        step = _STEP
        while offset < self.data.size:
            newlines = np.flatnonzero(self.data[offset : offset + step] == ord("\n"))
            if newlines.size:
                return offset + int(newlines[0]) + 1
            offset, step = offset + step, 2 * step
        return int(self.data.size)

    def fail(self, problem: str, *, offset: int | None = None) -> GraphFileError:
        """Return the error that names this file, and the line of a byte offset."""
        if "\ufffd" in problem and "UTF-8" not in problem:
            problem += " (the file is not UTF-8 text: save it as UTF-8)"
        return GraphFileError(problem, path=self.name, line=None if offset is None else self._line(offset))

    def _line(self, offset: int) -> int:
        """Return the number of the line around an offset."""
        return 1 + sum(int(np.count_nonzero(piece == ord("\n"))) for piece in self.pieces(stop=offset))

    def pieces(self, *, stop: int | None = None, overlap: int = 0) -> Iterator[Bytes]:
        """Yield the content piece by piece, each with some bytes of the next: it may be larger than memory."""
        stop = int(self.data.size) if stop is None else stop
        for first in range(0, stop, _LOOKED_AT):
            yield self.data[first : min(first + _LOOKED_AT + overlap, stop)]
            forget(self.data)


def open_source(path: PathLike | BinaryIO, *, most: int | None = None, scratch: Path | None = None) -> Source:
    """Read a path, ``-`` for standard input, or an open binary file, and unpack it.

    What is longer than ``most`` bytes is not copied into memory, but mapped, where it is a file; what is packed is
    unpacked into the folder ``scratch``, if one is given, and mapped there.
    """
    name, packed = _read(path, most)
    content, inside = unpack(packed, name, scratch)
    content, encoded = as_utf8(content, name)
    for magic, what in _FOREIGN.items():
        if content[: len(magic)] == magic:
            raise GraphFileError(f"this is {what}", path=name)
    data = np.frombuffer(content, dtype=np.uint8)
    data.flags.writeable = False  # numba would compile the kernels once more for a writeable one
    return Source(name, data, "; ".join(note for note in (inside, encoded) if note))


def file_sha256(path: PathLike) -> str:
    """Return the SHA-256 of a file's bytes as they are on disk.

    Parameters
    ----------
    path
        Any file; it is read piece by piece, so it may be larger than memory.

    Returns
    -------
    str
        64 hexadecimal digits.

    """
    try:
        _refuse_device(os.fspath(path))
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _refused(error, os.fspath(path)) from None


def _read(path: PathLike | BinaryIO, most: int | None) -> tuple[str, Packed]:
    if not isinstance(path, str | os.PathLike):
        if not hasattr(path, "read"):
            raise InputError(f"{type(path).__name__} is no graph file: give a path, or a file opened in binary mode")
        name = getattr(path, "name", None)
        name = name if isinstance(name, str) else "<stream>"
        return name, _read_stream(path, name)
    if os.fspath(path) == "-":
        if sys.stdin is None:
            raise GraphFileError("standard input is closed: give a file, or send the graph in", path="<stdin>")
        return "<stdin>", _read_stream(sys.stdin.buffer, "<stdin>")
    return os.fspath(path), _read_path(os.fspath(path), free_memory() // _COPIED if most is None else most)


def _read_path(path: str, most: int) -> Packed:
    try:
        _refuse_device(path)
        with open(path, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not status.st_size:
                return _read_stream(file, path)  # a pipe, or a file that does not know its size
            if status.st_size > most:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return _read_whole(file, status.st_size, path)
    except GraphFileError:
        raise
    except (OSError, ValueError) as error:
        raise _refused(error, path) from None


def _read_whole(file: FileIO, size: int, path: str) -> mmap.mmap:
    """Copy a file into fresh memory: one that is mapped ends the process if somebody cuts it short meanwhile."""
    content, done = mmap.mmap(-1, size), 0
    with memoryview(content) as view:
        while done < size and (got := file.readinto(view[done : done + _PIECE])):
            done += got
    if done < size:
        raise GraphFileError("became shorter while it was read; wait until nobody writes it", path=path)
    return content


def _refused(error: OSError | EOFError | ValueError, path: str) -> GraphFileError:
    match error:
        case FileNotFoundError():
            problem = "no such file; check the name and the folder"
        case IsADirectoryError():
            problem = "is a directory, not a file; give a file in it"
        case PermissionError():
            problem = "permission denied; make it readable for you, or give a copy"
        case OSError():
            problem = f"cannot be read: {error.strerror}; give a copy elsewhere"
        case _:
            problem = f"cannot be read: {error}"
    return GraphFileError(problem, path=path)


def _refuse_device(path: str) -> None:
    """Refuse what has no end; a pipe that somebody writes has one."""
    mode = os.stat(path).st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise GraphFileError("is a device, not a file; give a file, or - for standard input", path=path)


def _read_stream(stream: BinaryIO, name: str) -> bytearray:
    """Read a pipe or an open file to its end, as long as memory lasts."""
    content, most = bytearray(), free_memory() // 2
    while True:
        try:
            piece = stream.read(_PIECE)
        except (OSError, EOFError, ValueError) as error:  # closed, opened for writing, or broken while it is unpacked
            raise _refused(error, name) from None
        if not isinstance(piece, bytes):
            raise InputError(f"{name} gives text, not bytes: open it with mode 'rb'")
        if not piece:
            return content
        content += piece
        if len(content) > most:
            raise GraphFileError(f"gives more than {most:,} bytes; write it into a file first", path=name)
