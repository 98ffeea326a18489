"""Outputs appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from thinveil.errors import InputError


def write_whole(path: str | os.PathLike[str], content: bytes, *, secret: bool = False) -> None:
    """Write a file under another name first, so that nobody ever sees half of it; a secret only the owner sees."""
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror}): choose another place") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o600 if secret else 0o666 & ~_umask())
        os.replace(name, target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise InputError(f"{target}: cannot be written ({error.strerror}): choose another place") from None


def check_file_place(path: str | os.PathLike[str]) -> Path:
    """Say early, before long work, that a file could not be written there."""
    target = Path(path)
    if target.is_dir() or not os.access(target.parent, os.W_OK):
        raise InputError(f"{target}: cannot be written (a folder, or in none that is writable): choose another place")
    return target


def fill_folder(path: str | os.PathLike[str], contents: Mapping[str, bytes]) -> None:
    """Make a new folder of files; it takes its name only when all is written."""
    target = check_new_folder(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise InputError(f"{target}: cannot be made ({error.strerror}): choose another place") from None
    try:
        for name, content in contents.items():
            write_whole(work / name, content)
        work.chmod(0o777 & ~_umask())
        if target.is_dir():
            target.rmdir()
        work.replace(target)
    except OSError as error:
        raise InputError(f"{target}: cannot be made ({error.strerror}): name a new folder") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def check_new_folder(path: str | os.PathLike[str]) -> Path:
    """Return the path of a folder that is not there yet, or empty."""
    target = Path(path)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target}: is there already and not empty: name a new folder")
    return target


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
