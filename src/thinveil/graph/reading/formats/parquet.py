"""The Parquet format; what is inside is read by ``tables``."""

from __future__ import annotations

from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.sources import Source


def _recognises(head: Head) -> bool:
    return head.source.starts_with(b"PAR1")


def _read(source: Source, options: Options) -> Edges:
    from thinveil.graph.reading.formats.tables import read_table  # late: polars takes its time, and most files are text

    return read_table(source, options)


PARQUET = Format("parquet", _recognises, _read)
