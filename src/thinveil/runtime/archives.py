"""Archives of plain arrays: what models are kept in.

An archive is an ``.npz`` without pickle: loading a file can fail, it cannot run code. It holds arrays, what is said
about them as JSON (``about``), and a SHA-256 over all of it. It may come from a stranger: what it promises to hold is
compared with its size before anything is unpacked, and nothing is unpacked beyond what was promised.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError, ModelError
from thinveil.runtime.inputs import open_regular, read_input
from thinveil.runtime.memory import free_memory

Arrays = Mapping[str, NDArray[Any]]

_MOST_ARRAYS = 10_000
_MOST_ABOUT = 2**24
_FREE, _RATIO = 2**24, 100  # bytes that any archive may unpack to; beyond, so many times its size
_KINDS = "biuf"
_LONGEST_HEADER = 10_000


NONSENSE = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What goes wrong where a model is made of values that make no sense."""


class Archive(NamedTuple):
    """What an archive says, and the arrays that it holds."""

    about: Any
    arrays: dict[str, NDArray[Any]]


def read_model_file(path: str | os.PathLike[str]) -> bytes:
    """Return what a model's file holds, or say that it is not there."""
    try:
        return read_input(path)
    except InputError as error:
        raise ModelError(f"{path}: {error}: name a model that thinveil has saved") from None


def is_archive(path: Path, mark: str) -> bool:
    """Tell whether a file is an archive that says of itself what it is, without unpacking it."""
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive, archive.open("about.npy") as about:
            return mark.encode() in about.read(_MOST_ABOUT)
    except (OSError, KeyError, EOFError, NotImplementedError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error):
        return False


def pack_archive(about: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Return the content of an archive; the checksum goes over the arrays in their order."""
    text = np.frombuffer(json.dumps(about, sort_keys=True, allow_nan=False).encode(), dtype=np.uint8)
    checksum = np.frombuffer(_checksum(text, arrays), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=text, checksum=checksum, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack_archive(content: bytes, path: str | os.PathLike[str], order: Sequence[str] | None = None) -> Archive:
    """Return what an archive holds, or say why it is none; ``path`` is for the message.

    ``order`` names the arrays that must be there, in the order of the checksum; by default it is that of their names.
    """
    try:
        parts = _read_parts(content)
        text, checksum = parts.pop("about"), parts.pop("checksum").tobytes()
        arrays = {name: parts[name] for name in (sorted(parts) if order is None else order)}
    except Exception:  # a damaged archive fails in more ways than its libraries list
        raise ModelError(f"{path}: not a thinveil model, or a damaged one: train it again") from None
    if len(arrays) != len(parts) or _checksum(text, arrays) != checksum:
        raise ModelError(f"{path}: the checksum is wrong, the file was damaged or changed: train it again")
    try:
        return Archive(json.loads(text.tobytes(), parse_constant=_refuse), arrays)
    except (ValueError, RecursionError):
        raise ModelError(f"{path}: the model makes no sense (what it says is no JSON): train it again") from None


def _read_parts(content: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        names = [member.filename.removesuffix(".npy") for member in members]
        if len(members) > _MOST_ARRAYS or len(set(names)) < len(names):
            raise ValueError("too many arrays, or two of one name")
        if any(not member.filename.endswith(".npy") for member in members):
            raise ValueError("something else than arrays")
        whole = sum(member.file_size for member in members)
        if whole > min(max(_FREE, _RATIO * len(content)), free_memory()):
            raise ValueError("arrays that are far larger than the file")
        return {name: _read_array(archive, member) for name, member in zip(names, members, strict=True)}


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one array; never more of it than the directory of the archive promised."""
    if member.filename == "about.npy" and member.file_size > _MOST_ABOUT:
        raise ValueError("too much is said about the arrays")
    with archive.open(member) as file:
        head = file.read(min(member.file_size, _LONGEST_HEADER))
        rest = file.read(member.file_size - len(head)) if member.file_size > len(head) else b""
        if file.read(1):  # at the end the archive's own checksum is compared
            raise ValueError("an array that is longer than it says")
    shape, is_fortran, dtype, start = _read_header(head)
    if dtype.kind not in _KINDS or dtype.hasobject or dtype.subdtype is not None:
        raise ValueError("something else than numbers")
    if any(size < 0 for size in shape) or math.prod(shape) * dtype.itemsize != member.file_size - start:
        raise ValueError("an array of another size than it says")
    # of a bytearray, since numba would compile the kernels once more for arrays that cannot be written
    flat = np.frombuffer(bytearray(head[start:]) + rest, dtype=dtype)
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _read_header(head: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    file = io.BytesIO(head)
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, is_fortran, dtype = read(file, max_header_size=_LONGEST_HEADER)
    return shape, is_fortran, dtype, file.tell()


def _refuse(number: str) -> None:
    raise ValueError(f"{number} is no number")


def _checksum(about: NDArray[np.uint8], arrays: Arrays) -> bytes:
    sha = hashlib.sha256(about.tobytes())
    for name, array in arrays.items():
        sha.update(f"{name} {array.dtype.str} {array.shape}".encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.digest()
