"""The versions that make a result."""

from __future__ import annotations

import platform
from importlib.metadata import version

_PACKAGES = ("thinveil", "lightgbm", "networkit", "numpy", "numba", "scipy", "polars")


def used_versions() -> dict[str, str]:
    """Return the versions that made a result."""
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}
