"""The paper's own figures, read from the data file that holds nothing else."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def _numbers() -> dict[str, Any]:
    return tomllib.loads((files("thinveil.paper") / "numbers.toml").read_text())


def printed(*path: str) -> Any:
    """Return what the paper prints at a place of the data file; None where it prints nothing.

    Examples
    --------
    >>> printed("self", "epinions", "d4d-1", "1-hop")[1]
    90.39
    """
    found: Any = _numbers()
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found
