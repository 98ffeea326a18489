"""What a file format is: a name, how it is recognised, and how it is read.

A format is one file with one ``Format`` in it, and one line in ``formats.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from thinveil.graph.reading.columns import Wish
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.sources import Source

Ids = Literal["auto", "integer", "string"]


@dataclass(frozen=True)
class Options:
    """What the user asks of the reader: columns, what node ids are, and what parts the columns of text."""

    wish: Wish = field(default_factory=Wish)
    ids: Ids = "auto"
    delimiter: str | None = None


@dataclass(frozen=True)
class Format:
    """A file format: ``recognises`` looks at the start of a file only, ``read`` may still refuse what follows."""

    name: str
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Options], Edges]
