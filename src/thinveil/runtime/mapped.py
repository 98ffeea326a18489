"""Arrays that lie in files of their own, in numpy's format, and are looked at through the memory of the system.

Pages that are looked at count as memory of the process until the system takes them back, or they are forgotten here.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import mmap
import os
import stat
import tokenize
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from thinveil.errors import InputError
from thinveil.runtime.inputs import first_line, open_regular

MAGIC = b"\x93NUMPY"
_PIECE = 1 << 20


def forget(array: NDArray[Any]) -> None:
    """Give the pages of a mapped file back to the system; they come again when they are looked at."""
    base: Any = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise") and hasattr(mmap, "MADV_DONTNEED"):
        with contextlib.suppress(OSError, ValueError):
            base.madvise(mmap.MADV_DONTNEED)


def column_header(dtype: DTypeLike, size: int) -> bytes:
    """Return what stands above the values of a column in numpy's format."""
    about = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": (size,)}
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue()


def map_column(path: Path, dtype: DTypeLike, size: int) -> NDArray[Any]:
    """Return a column that lies in a file, if the file is just as long as it must be, or say in a few words why not."""
    try:
        with open_regular(path) as file:
            return _map(file, np.dtype(dtype), size)
    except FileNotFoundError:
        raise InputError("no such file") from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from None
    except (
        ValueError,
        SyntaxError,
        TypeError,
        KeyError,
        EOFError,
        RecursionError,
        MemoryError,
        tokenize.TokenError,
    ) as error:
        raise InputError(f"is no column of numpy ({first_line(error)})") from None


def _map(file: BinaryIO, dtype: np.dtype[Any], size: int) -> NDArray[Any]:
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("of a later format")
    shape, is_fortran, found = np.lib.format.read_array_header_1_0(file)
    if shape != (size,) or is_fortran or found != dtype or dtype.hasobject:
        raise ValueError(f"{shape} of {found}, not {(size,)} of {dtype}")
    start = file.tell()
    if os.fstat(file.fileno()).st_size != start + size * dtype.itemsize:
        raise ValueError("cut short, or too long")
    # a plain array, which kernels know, over the file
    return np.asarray(np.memmap(file, dtype, "r", start, (size,)))


def file_sum(path: Path) -> str:
    """Return the SHA-256 of a regular file."""
    sha = hashlib.sha256()
    with open_regular(path) as file:
        while content := file.read(_PIECE):
            sha.update(content)
    return sha.hexdigest()


Identity = tuple[int, ...]


def identity(path: Path) -> Identity:
    """Return by what the system tells a file from any other, and from itself once somebody has written it."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
