"""What numba loads before it runs a first kernel, and what of it can be spared.

numba asks whether scipy has matrix products for kernels by importing ``scipy.linalg``, which takes a fifth of the time
of a short command. scipy is always there, and no kernel of ours multiplies matrices; one of a plug-in that does still
imports it, when it is compiled.
"""

from __future__ import annotations

import importlib


def spare_scipy() -> None:
    """Import the part of numba that asks, and let it be told that all is there."""
    try:
        linalg = importlib.import_module("numba.np.linalg")
        asked = linalg.ensure_blas
    except (ImportError, AttributeError):  # another numba than the one this was seen in: it will ask
        return
    linalg.ensure_blas = lambda: None  # type: ignore[attr-defined]
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asked  # type: ignore[attr-defined]
