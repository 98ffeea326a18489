"""Bytes in: files, compressed files, open files and standard input.

A source is the whole unpacked content as one read-only array of bytes, and the name that errors use. What is
inside is told by the first bytes, never by the file's extension.
"""

from __future__ import annotations

import gzip
import hashlib
import mmap
import os
import stat
import sys
import zlib
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import zstandard
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError

Bytes = NDArray[np.uint8]
PathLike = str | os.PathLike[str]

_STEP = 1024  # bytes searched at first for a line end
_GZIP = b"\x1f\x8b"
_ZSTD = (b"\x28\xb5\x2f\xfd", *(bytes([n, 0x2A, 0x4D, 0x18]) for n in range(0x50, 0x60)))
_FOREIGN = {
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"BZh": "compressed with bzip2; unpack it first (gzip and zstd can be read as they are)",
    b"\xfd7zXZ\x00": "compressed with xz; unpack it first (gzip and zstd can be read as they are)",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"\x89HDF": "an HDF5 file; export the edges as CSV or Parquet",
}


@dataclass(frozen=True, eq=False)
class Source:
    """The unpacked content of a graph file, and what to call it in messages."""

    name: str
    data: Bytes

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
        line = None if offset is None else 1 + int(np.count_nonzero(self.data[:offset] == ord("\n")))
        return GraphFileError(problem, path=self.name, line=line)


def open_source(path: PathLike | BinaryIO) -> Source:
    """Read a path, ``-`` for standard input, or an open binary file, and unpack it."""
    name, packed = _read(path)
    content = _unpack(packed, name)
    for magic, what in _FOREIGN.items():
        if content[: len(magic)] == magic:
            raise GraphFileError(f"this is {what}", path=name)
    return Source(name, np.frombuffer(content, dtype=np.uint8))


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
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _refused(error, os.fspath(path)) from None


def _read(path: PathLike | BinaryIO) -> tuple[str, bytes | mmap.mmap]:
    if not isinstance(path, str | os.PathLike):
        name = getattr(path, "name", None)
        name = name if isinstance(name, str) else "<stream>"
        return name, _read_stream(path, name)
    if os.fspath(path) == "-":
        return "<stdin>", sys.stdin.buffer.read()
    return os.fspath(path), _read_path(os.fspath(path))


def _read_path(path: str) -> bytes | mmap.mmap:
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            # mapping spares the copy; pipes and empty files cannot be mapped
            if stat.S_ISREG(status.st_mode) and status.st_size:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return file.read()
    except (OSError, ValueError) as error:
        raise _refused(error, path) from None


def _refused(error: OSError | ValueError, path: str) -> GraphFileError:
    match error:
        case FileNotFoundError():
            problem = "no such file"
        case IsADirectoryError():
            problem = "is a directory, not a file"
        case PermissionError():
            problem = "permission denied"
        case OSError():
            problem = f"cannot be read: {error.strerror}"
        case _:
            problem = f"cannot be read: {error}"
    return GraphFileError(problem, path=path)


def _read_stream(stream: BinaryIO, name: str) -> bytes:
    content = stream.read()
    if not isinstance(content, bytes):
        raise InputError(f"{name} gives text, not bytes: open it with mode 'rb'")
    return content


def _unpack(packed: bytes | mmap.mmap, name: str) -> bytes | mmap.mmap:
    """Unpack gzip or zstd; hand anything else through."""
    try:
        if packed[:2] == _GZIP:
            return gzip.decompress(packed)
        if packed[:4] in _ZSTD:
            return _unpack_zstd(packed)
    except EOFError:
        raise GraphFileError("the compressed file is cut off; fetch it again", path=name) from None
    except (gzip.BadGzipFile, zlib.error, zstandard.ZstdError) as error:
        raise GraphFileError(f"the compressed file is damaged ({error}); fetch it again", path=name) from None
    return packed


def _unpack_zstd(packed: bytes | mmap.mmap) -> bytes:
    frames, rest = [], bytes(packed)
    while rest:
        frame = zstandard.ZstdDecompressor().decompressobj()
        frames.append(frame.decompress(rest))
        if not frame.eof:
            raise EOFError
        rest = frame.unused_data
    return b"".join(frames)
