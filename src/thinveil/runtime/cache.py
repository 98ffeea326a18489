"""Where numba keeps compiled kernels: beside the package or in the user's cache, else in a folder for this run alone.

Kept kernels are pickles: whoever may write them runs code as the user. So the folder of a run has a random name, only
its owner may enter it, and it is removed at the end.
"""

from __future__ import annotations

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_VARIABLE = "NUMBA_CACHE_DIR"


def prepare_cache() -> None:
    """Make sure that kernels can be kept somewhere; this must come before numba is imported."""
    given = os.environ.get(_VARIABLE)
    if sys.platform == "win32" or (given and _is_usable(given)):
        return
    if not _is_writable_package() and not _is_usable(_user_cache()):
        _make_temporary()


def _is_writable_package() -> bool:
    """Tell whether the package can hold kernels, in its ``__pycache__``; its folders are all alike."""
    kept = os.path.join(_PACKAGE, "__pycache__")
    place = kept if os.path.lexists(kept) else _PACKAGE
    return os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK)


def _user_cache() -> str:
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches/numba")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "numba")


def _is_usable(folder: str) -> bool:
    """Tell whether files can be written there, by numba's own test."""
    import tempfile

    try:
        os.makedirs(folder, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _make_temporary() -> None:
    import atexit
    import logging
    import tempfile

    try:
        folder = tempfile.mkdtemp(prefix="thinveil-cache-")  # mode 0700
    except OSError:
        return  # numba will say so
    os.environ[_VARIABLE] = folder  # for the processes that this one starts, too
    os.environ.setdefault("MPLCONFIGDIR", folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = folder
    atexit.register(_remove, folder, os.getpid())
    logging.getLogger("thinveil").warning(
        "thinveil: neither home nor package can be written: kernels are compiled for this run alone, which takes a "
        "minute; set %s to a folder of your own to keep them", _VARIABLE,
    )  # fmt: skip


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not a copy of it
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
