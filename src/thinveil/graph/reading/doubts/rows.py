"""What doubts look at: the first rows of a table, whatever file it came from, and all edges once they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, Choice
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import Head
from thinveil.graph.reading.layout import Layout, split_line
from thinveil.graph.reading.sources import Source
from thinveil.runtime.mapped import forget

_PIECE = 1 << 18  # edges that are looked at together: all of them may lie on the disk
MOST_ROWS = 400  # that doubts look at before all of a table is read
AFTER_ALL = "if it is an edge list all the same, pass --format edge-list"
UNSEEN = "\u00a0\u200b\u200c\u200d\u2060\ufeff\u202f\u2009\u2007\u3000 \t"
CHOOSE = "choose the two columns of ids with --source and --target (source= and target=)"


@dataclass(frozen=True)
class Rows:
    """The first rows of a table, without the header; ``delimiter`` and ``lines`` are empty where it is not of text.

    ``has_header_line`` says that the names stand on a line of their own, not in a comment; ``is_guess``, that this
    line was not known to be one.
    """

    source: Source
    fields: list[list[str]]
    choice: Choice
    names: Sequence[str] | None = None
    integers: bool = False
    is_whole: bool = False
    delimiter: str = ""
    lines: list[str] = field(default_factory=list)
    has_header_line: bool = False
    is_guess: bool = False

    def column(self, role: str) -> list[str]:
        """Return the fields of a role, as far as they are there."""
        place = self.choice[role]
        return [row[place] for row in self.fields if place < len(row)]

    def ids(self) -> list[str]:
        """Return the fields of both id columns."""
        return [field for role in IDS for field in self.column(role)]

    def width(self) -> int:
        """Return the number of columns if all rows have as many, else 0."""
        widths = {len(row) for row in self.fields}
        return widths.pop() if len(widths) == 1 else 0


def text_rows(head: Head, layout: Layout) -> Rows:
    """Return the first rows of a text file."""
    lines = head.data[layout.header_lines :]
    fields = [split_line(line, layout.delimiter) for line in lines]
    return Rows(
        head.source,
        fields,
        layout.choice,
        layout.names,
        layout.integers,
        head.is_whole,
        layout.delimiter,
        lines,
        layout.header_lines > 0,
        layout.is_guess,
    )


@dataclass(frozen=True)
class Whole:
    """A table of which all edges were read; they are looked at piece by piece, since memory may not hold them."""

    rows: Rows
    edges: Edges

    @cached_property
    def counts_by_side(self) -> NDArray[np.int64]:
        """How often each node stands in the first column, and in the second."""
        counts = np.zeros((2, self.node_count), dtype=np.int64)
        for _, *ends in self.pieces():
            for side, end in zip(counts, ends, strict=True):
                found = np.bincount(end)
                side[: found.size] += found
        return counts

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each node stands in either column."""
        both: NDArray[np.int64] = self.counts_by_side.sum(axis=0)
        return both

    @cached_property
    def sides(self) -> NDArray[np.bool_]:
        """Whether each node stands in the first column, and in the second."""
        return self.counts_by_side > 0

    @cached_property
    def node_count(self) -> int:
        """Number of nodes that have a row."""
        if self.texts is not None:
            return self.texts.size
        return 1 + max(int(end.max()) for _, *ends in self.pieces() for end in ends)

    def pieces(self) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int32]]]:
        """Yield runs of edges: the row of the first, their sources and their targets."""
        source, target = self.edges.source, self.edges.target
        for first in range(0, source.size, _PIECE):
            yield first, source[first : first + _PIECE], target[first : first + _PIECE]
            forget(source)
            forget(target)

    def is_parted(self) -> bool:
        """Say whether no node stands in both columns; most files tell by their first piece."""
        sides = np.zeros((2, self.node_count), dtype=np.bool_)
        for _, *ends in self.pieces():
            for side, end in zip(sides, ends, strict=True):
                side[end] = True
            if (sides[0] & sides[1]).any():
                return False
        return True

    def rows_among(self, nodes: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the rows both of whose ids are among some nodes."""
        found = [first + np.flatnonzero(nodes[source] & nodes[target]) for first, source, target in self.pieces()]
        return np.concatenate(found).astype(np.int64)

    def has_row(self, source: int, target: int) -> bool:
        """Say whether there is a row from one node to another."""
        return any(bool(((sources == source) & (targets == target)).any()) for _, sources, targets in self.pieces())

    @property
    def texts(self) -> NDArray[np.str_] | None:
        """The labels in ascending order, if they are texts."""
        labels = self.edges.labels
        return labels if labels is not None and labels.dtype.kind == "U" else None

    @cached_property
    def odd(self) -> NDArray[np.str_]:
        """Those labels that begin with a sign of ASCII: neither a letter nor a digit."""
        if self.texts is None:
            return np.empty(0, dtype=np.str_)
        first = np.ascontiguousarray(self.texts).view(np.uint32).reshape(self.texts.size, -1)[:, 0]
        letters = ((first | 32) >= ord("a")) & ((first | 32) <= ord("z"))
        digits = (first >= ord("0")) & (first <= ord("9"))
        return self.texts[(first < 128) & ~letters & ~digits]

    @cached_property
    def padded(self) -> NDArray[np.str_]:
        """Those labels that begin or end with a blank, or with what nobody sees."""
        if self.texts is None:
            return np.empty(0, dtype=np.str_)
        letters = np.ascontiguousarray(self.texts).view(np.uint32).reshape(self.texts.size, -1)
        last = letters[np.arange(self.texts.size), np.char.str_len(self.texts) - 1]
        unseen = np.array([ord(character) for character in UNSEEN], dtype=np.uint32)
        return self.texts[np.isin(letters[:, 0], unseen) | np.isin(last, unseen)]

    def pair(self, row: int) -> tuple[str, str]:
        """Return the two ids of a row."""
        first, second = (self.label(int(ends[row])) for ends in (self.edges.source, self.edges.target))
        return first, second

    def label(self, node: int) -> str:
        """Return the label of a node as text."""
        return str(node if self.edges.labels is None else self.edges.labels[node])

    def find(self, text: str) -> int:
        """Return the node that a text is the label of, or -1."""
        if self.texts is None:
            return -1
        place = int(np.searchsorted(self.texts, text))
        return place if place < self.texts.size and self.texts[place] == text else -1


def shape(label: str) -> str:
    """Return the kinds of the characters, each run as one: Aa for Anna, a.a0 for anna.k2."""
    kinds = ("A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in label)
    return "".join(kind for kind, _ in groupby(kinds))


Doubt = Callable[[Rows, Options], str | None]
WholeDoubt = Callable[[Whole, Options], str | None]
