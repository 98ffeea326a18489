"""All file formats, a line each, in the order in which a file is tried: the first that recognises it reads it."""

from __future__ import annotations

from thinveil.graph.reading.base import Format
from thinveil.graph.reading.matrixmarket import MATRIX_MARKET
from thinveil.graph.reading.parquet import PARQUET
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.text import EDGE_LIST

FORMATS: tuple[Format, ...] = (
    PARQUET,
    MATRIX_MARKET,
    EDGE_LIST,
)


def recognise(source: Source) -> Format:
    """Return the format of a file."""
    return next(one for one in FORMATS if one.recognises(source))
