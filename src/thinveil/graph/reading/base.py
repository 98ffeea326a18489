"""What a file format is: a name, how it is recognised, and how it is read.

A format is one file with one ``Format`` in it, and one line in ``formats/__init__.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from thinveil.graph.reading.columns import Wish
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.sources import Source

Ids = Literal["auto", "integer", "string"]


@dataclass(frozen=True)
class Scratch:
    """An empty folder for what memory does not hold, and how many bytes of memory may be taken."""

    folder: Path
    memory: int


@dataclass(frozen=True)
class Options:
    """What the user asks of the reader: columns, what node ids are, and what stands between columns of text.

    ``is_sure``: the user named the format, so nothing is doubted. ``scratch`` is where edges are kept that memory shall
    not hold; a format that has no use for it reads all into memory.
    """

    wish: Wish = field(default_factory=Wish)
    ids: Ids = "auto"
    delimiter: str | None = None
    is_sure: bool = False
    scratch: Scratch | None = None


@dataclass(frozen=True)
class Format:
    """A file format: ``recognises`` looks at the head of a file only, ``read`` may still refuse what follows.

    ``name`` is what users give to ``--format``, or one of the ``others``. A format ``is_guess`` if it is recognised by
    what lines look like: it is not tried where the user gives the delimiter, or says which columns to take.
    """

    name: str
    recognises: Callable[[Head], bool]
    read: Callable[[Source, Options], Edges]
    others: tuple[str, ...] = ()
    is_guess: bool = False
