"""Weights and times out of Python objects, by the rules of tables in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.exchange.base import NO_BYTES
from thinveil.graph.reading.formats.tables import values_of
from thinveil.graph.reading.sources import Source
from thinveil.runtime.visible import one_line


def number_values(kind: str, role: str, values: Sequence[Any]) -> NDArray[Any]:
    """Return numbers as they are, and dates as seconds since 1970, UTC."""
    try:
        return values_of(Source(kind, NO_BYTES), role, pl.Series(role, values))
    except GraphFileError:
        raise
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise InputError(f"the {role}s of the {kind} are no numbers and no dates: {one_line(str(error))}") from None


def as_directions(values: Sequence[Any]) -> NDArray[np.int8]:
    """Return directions as 1, -1 and 0."""
    return number_values("edges", "direction", [str(value) for value in values])
