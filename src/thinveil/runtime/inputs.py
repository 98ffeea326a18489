"""Files from strangers: read only if they are files, and only as much as is reasonable.

Opening a pipe that nobody writes to waits for ever, and a device never ends; a link may lead to either. Text that nests
without end, or names a thing by a path of ten thousand names, keeps a parser busy for ever.
"""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from typing import Any, BinaryIO

from thinveil.errors import InputError
from thinveil.runtime.memory import free_memory

PathLike = str | os.PathLike[str]

MOST_TOML = 2**18  # bytes: settings and what a release says of itself are short
_LONGEST_LINE = 4_000  # a parser takes the square of a line's names
_DEEPEST = 16


def open_regular(path: PathLike) -> BinaryIO:
    """Open a regular file to read it; raise OSError for anything else, without waiting."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(handle, "rb")


def read_input(path: PathLike, most: int | None = None) -> bytes:
    """Return what a regular file holds, or say in a few words, without its name, why it cannot be read.

    Parameters
    ----------
    path
        The file.
    most
        Bytes that such a file has at most; by default as many as the memory holds.
    """
    limit = free_memory() if most is None else most
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(size) if size <= limit else b""
    except FileNotFoundError:
        raise InputError("no such file") from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})") from None
    except ValueError:
        raise InputError("cannot be read (no name of a file)") from None
    if size > limit:
        raise InputError(f"cannot be read (longer than {limit:,} bytes)")
    return content


def parse_toml(content: bytes) -> dict[str, Any]:
    """Return the tables of a short TOML file, or say in a few words why it is none."""
    if len(content) > MOST_TOML or max(map(len, content.split(b"\n"))) > _LONGEST_LINE:
        raise InputError(f"longer than {MOST_TOML:,} bytes, or a line longer than {_LONGEST_LINE:,}")
    try:
        tables = tomllib.loads(content.decode())
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text") from None
    except RecursionError:
        raise InputError("tables within tables without end") from None
    except ValueError as error:
        raise InputError(first_line(error)) from None
    if _depth(tables) > _DEEPEST:
        raise InputError("tables within tables without end")
    return tables


def first_line(error: BaseException) -> str:
    """Return the start of what an error says, as part of one line."""
    lines = str(error).splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]


def _depth(tables: Any) -> int:
    """Return how deep tables and lists lie within each other; no more than one beyond the deepest that is allowed."""
    level, depth = [tables], 0
    while level and depth <= _DEEPEST:
        inner = [list(one.values()) if isinstance(one, dict) else one for one in level]
        level = [item for one in inner for item in one if isinstance(item, dict | list)]
        depth += 1
    return depth
