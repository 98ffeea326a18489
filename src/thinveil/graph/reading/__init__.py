"""Graph files in: the only package that opens them."""

from thinveil.graph.reading.reader import read_graph
from thinveil.graph.reading.sources import file_sha256

__all__ = ["file_sha256", "read_graph"]
