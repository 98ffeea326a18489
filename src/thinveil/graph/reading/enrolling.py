"""Ids that come block by block, and get a number each at first sight.

Integers are their own names. A text is copied when it is first met, for the bytes of the file are gone by the time it
comes again: all texts stand in one array, behind each other, ``names[starts[k] : starts[k + 1]]``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.labels import Enrolment, Labels, check_texts, hash_cell, text_labels
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import SPAN, Bytes, Cells

_FIRST_TABLE, _FIRST_NAMES = 1 << 12, 1 << 16
Numbers = NDArray[np.int32]


class Enrolled(Protocol):
    """Ids and their numbers so far."""

    @property
    def count(self) -> int:
        """How many ids there are."""

    def size(self) -> int:
        """Return the bytes of memory that they take."""

    def add(self, data: Bytes, cells: NDArray[np.int32] | Cells) -> Numbers:
        """Return the numbers of the ids of a block."""

    def finish(self, is_unsigned: bool) -> tuple[Labels | None, Numbers]:
        """Return the labels in ascending order, None if they are 0, 1, 2, ..., and the place of each number there."""


class Integers:
    """Ids that are integers."""

    def __init__(self) -> None:
        self._enrolment = Enrolment(_FIRST_TABLE)

    @property
    def count(self) -> int:
        """How many ids there are."""
        return self._enrolment.count

    def size(self) -> int:
        """Return the bytes of memory that they take."""
        return self._enrolment.nbytes

    def add(self, data: Bytes, cells: NDArray[np.int32] | Cells) -> Numbers:
        """Return the numbers of the ids of a block."""
        return self._enrolment.add(data[:0], cells.astype(np.int64), is_text=False)

    def finish(self, is_unsigned: bool) -> tuple[Labels | None, Numbers]:
        """Return the labels in ascending order, and the place of each number there."""
        kind = np.uint64 if is_unsigned else np.int64
        labels, rank = np.unique(self._enrolment.distinct.astype(kind), return_inverse=True)
        is_plain = labels[0] == 0 and labels[-1] == labels.size - 1
        return None if is_plain else labels, rank.astype(np.int32)


class Texts:
    """Ids that are texts; ``explain`` makes the error of a bad one, from where it stands first."""

    def __init__(self, source: Source, explain: Callable[[int], Exception]) -> None:
        self._source, self._explain = source, explain
        self._table = np.full(_FIRST_TABLE, -1, dtype=np.int32)
        self._starts, self._spans = (np.zeros(_FIRST_TABLE // 2 + 1, dtype=np.int64) for _ in range(2))
        self._names, self.count = np.empty(_FIRST_NAMES, dtype=np.uint8), 0

    def size(self) -> int:
        """Return the bytes of memory that they take."""
        longest = int(np.diff(self._starts[: self.count + 1]).max(initial=0))
        # in the end they stand in an array in which each takes as much room as the longest, and once more to be sorted
        return sum(array.nbytes for array in (self._table, self._starts, self._spans, self._names)) + (
            12 * longest * self.count
        )

    def add(self, data: Bytes, cells: NDArray[np.int32] | Cells) -> Numbers:
        """Return the numbers of the ids of a block."""
        numbers = np.empty(cells.shape, dtype=np.int32)
        for row, part in zip(cells, numbers, strict=True):
            done = 0
            while done < row.size:
                step, self.count = enrol_texts(
                    data, row[done:], self._table, self._starts, self._spans, self._names, self.count, part[done:]
                )
                done += step
                if done < row.size:
                    self._grow(int(row[done] % SPAN))
        return numbers

    def _grow(self, longest: int) -> None:
        """Make room: for more ids, or for more bytes of them."""
        used = int(self._starts[self.count])
        if used + longest > self._names.size:
            self._names = np.concatenate((self._names, np.empty(self._names.size, dtype=np.uint8)))
        if self.count == self._spans.size - 1:
            more = np.zeros(self._spans.size - 1, dtype=np.int64)
            self._starts, self._spans = np.concatenate((self._starts, more)), np.concatenate((self._spans, more))
            self._table = np.full(2 * self._table.size, -1, dtype=np.int32)
            file_texts(self._names, self._starts, self.count, self._table)

    def finish(self, is_unsigned: bool) -> tuple[Labels | None, Numbers]:
        """Return the labels in ascending order, and the place of each number there."""
        kept, starts = self._names.tobytes(), self._starts[: self.count + 1].tolist()
        fields = (kept[low:high] for low, high in pairwise(starts))
        texts = [_text(field) for field in fields]
        check_texts(texts, self._spans[: self.count], self._explain)
        labels, rank = np.unique(text_labels(self._source, texts), return_inverse=True)
        return labels, rank.astype(np.int32)


def _text(field: bytes) -> str:
    field = field[1:-1].replace(b'""', b'"') if field[:1] == b'"' else field
    return field.decode(errors="surrogateescape")


@numba.njit(cache=True, nogil=True)
def enrol_texts(
    data: Bytes, cells: Cells, table: Numbers, starts: Cells, spans: Cells, names: Bytes, count: int, numbers: Numbers
) -> tuple[int, int]:
    """Enrol spans of text until there is no more room; return how many were done, and how many texts there are."""
    mask = table.size - 1
    for k in range(cells.size):
        first, length = cells[k] // SPAN, cells[k] % SPAN
        if count == spans.size - 1 or starts[count] + length > names.size:
            return k, count
        slot = hash_cell(data, True, cells[k]) & mask
        while table[slot] >= 0 and not _is_name(data, first, length, names, starts, table[slot]):
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = count
            spans[count] = cells[k]
            for place in range(length):
                names[starts[count] + place] = data[first + place]
            starts[count + 1] = starts[count] + length
            count += 1
        numbers[k] = table[slot]
    return cells.size, count


@numba.njit(cache=True, nogil=True)
def file_texts(names: Bytes, starts: Cells, count: int, table: Numbers) -> None:
    """Put the texts so far into a new table."""
    mask = table.size - 1
    for number in range(count):
        slot = hash_cell(names, True, starts[number] * SPAN + starts[number + 1] - starts[number]) & mask
        while table[slot] >= 0:
            slot = (slot + 1) & mask
        table[slot] = number


@numba.njit(nogil=True)
def _is_name(data: Bytes, first: int, length: int, names: Bytes, starts: Cells, number: int) -> bool:
    if starts[number + 1] - starts[number] != length:
        return False
    for place in range(length):  # noqa: SIM110 (numba has no all() of a generator)
        if data[first + place] != names[starts[number] + place]:
            return False
    return True
