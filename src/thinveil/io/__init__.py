"""Graph files in: the only package that opens them."""

from thinveil.io.reader import read_graph
from thinveil.io.sources import file_sha256

__all__ = ["file_sha256", "read_graph"]
