"""All file formats, a line each, in the order in which a file is tried: the first that recognises it reads it."""

from __future__ import annotations

from thinveil.errors import InputError
from thinveil.graph.reading.base import Format, Options
from thinveil.graph.reading.formats.adjacency import ADJACENCY
from thinveil.graph.reading.formats.arrows import ARROWS
from thinveil.graph.reading.formats.dimacs import DIMACS
from thinveil.graph.reading.formats.edgelist import EDGE_LIST
from thinveil.graph.reading.formats.gdf import GDF
from thinveil.graph.reading.formats.gml import GML
from thinveil.graph.reading.formats.graphml import GRAPHML
from thinveil.graph.reading.formats.graphviz import GRAPHVIZ
from thinveil.graph.reading.formats.jsontext import JSON
from thinveil.graph.reading.formats.matrixmarket import MATRIX_MARKET
from thinveil.graph.reading.formats.metis import METIS
from thinveil.graph.reading.formats.pajek import PAJEK
from thinveil.graph.reading.formats.parquet import PARQUET
from thinveil.graph.reading.formats.tgf import TGF
from thinveil.graph.reading.head import Head
from thinveil.runtime.parameters import suggest

FORMATS: tuple[Format, ...] = (
    PARQUET,
    MATRIX_MARKET,
    JSON,
    GRAPHML,
    GML,
    GRAPHVIZ,
    PAJEK,
    GDF,
    DIMACS,
    TGF,
    METIS,
    ARROWS,
    ADJACENCY,
    EDGE_LIST,
)


def recognise(head: Head, options: Options) -> Format:
    """Return the format of a file."""
    is_told = options.delimiter is not None or {"source", "direction"} & options.wish.given().keys()
    return next(one for one in FORMATS if not (one.is_guess and is_told) and one.recognises(head))


def find_format(name: str) -> Format:
    """Return the format of a name, or suggest the nearest known one."""
    lowered = str(name).strip().lower().replace("_", "-")
    for one in FORMATS:
        if lowered in (one.name, *one.others):
            return one
    raise InputError(f"--format {name} (format={name!r}) is not known: {suggest(lowered, [f.name for f in FORMATS])}")
