"""From the user's labels to dense node numbers, given in ascending order of the labels.

So a shuffled file gives the same graph. Integers from a narrow range go through a table that says which of
them occur; all others, and texts, through a hash table that enrols each distinct value once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import SPAN, Bytes, Cells
from thinveil.runtime.memory import free_memory
from thinveil.runtime.threads import map_threads

Ends = NDArray[np.int32]  # shape (2, edges): sources and targets
Labels = NDArray[Any]
Explain = Callable[[int], Exception]  # from a byte offset to the error about its line
MISSING = (
    frozenset(("", "nan", "NaN", "NAN", "NA", "N/A", "n/a", "null", "NULL", "None"))
    | frozenset(
        ("<NA>", "NaT", "\\N", "-", "?", ".")  # of pandas, MySQL, people and Stata
    )
    | frozenset(
        ("#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!")  # of spreadsheets
    )
)
CONTROL = re.compile("[\0-\x1f\x7f-\x9f]")
CODED = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8
_NO_BYTES = np.frombuffer(b"", dtype=np.uint8)
_FIRST_TABLE = 1 << 16
_LETTER, _COPIES = 4, 3  # bytes of a letter in an array of texts, and how often the array stands in memory to be sorted


def is_missing(text: str) -> bool:
    """Say whether a field stands for a value that is not there."""
    return text in MISSING


def number_integers(blocks: Sequence[NDArray[Any]]) -> tuple[Ends, Labels | None]:
    """Give numbers to integer labels that come in blocks of shape (2, edges), all int32, int64 or uint64."""
    filled = [block for block in blocks if block.size]
    low = min(int(block.min()) for block in filled)
    high = max(int(block.max()) for block in filled)
    kind = np.uint64 if filled[0].dtype == np.uint64 else np.int64
    # the table numbers with 32 bits: a wider range goes the other way, however dense
    if high - low < min(4 * sum(block.size for block in filled), 2**31 - 1):
        ends, offsets = _number_by_table(filled, low, high - low + 1)
        labels = offsets.astype(kind) + kind(low)
    else:
        enrolled, distinct = _enrol(_NO_BYTES, [block.astype(np.int64) for block in filled], is_text=False)
        labels, rank = np.unique(distinct.astype(kind), return_inverse=True)
        ends = rank.astype(np.int32)[enrolled]
    is_plain = low == 0 and labels.size == high + 1
    return ends, None if is_plain else labels


def number_texts(source: Source, blocks: Sequence[Cells], explain: Explain) -> tuple[Ends, Labels]:
    """Give numbers to text labels given as spans in blocks of shape (2, edges); explain a bad one."""
    enrolled, distinct = _enrol(source.data, blocks, is_text=True)
    texts = [span_bytes(source, span).decode(errors="surrogateescape") for span in distinct.tolist()]
    check_texts(texts, distinct, explain)
    labels, rank = np.unique(text_labels(source, texts), return_inverse=True)
    return rank.astype(np.int32)[enrolled], labels


def check_texts(texts: Sequence[str], spans: Cells, explain: Explain) -> None:
    """Refuse a text that cannot be a label, where it stands first; spans say where each does."""
    bad = [span for text, span in zip(texts, spans.tolist(), strict=True) if _is_bad(text)]
    if bad:
        raise explain(min(bad) // SPAN)


def text_labels(source: Source, texts: Sequence[str]) -> Labels:
    """Return texts as one array, in which each takes as much memory as the longest, unless memory is too small."""
    longest = max(map(len, texts), default=0)
    needed = _LETTER * _COPIES * longest * len(texts)
    if needed > free_memory():
        raise source.fail(
            f"the longest of {len(texts):,} node ids has {longest:,} characters, and to give all of them so much room "
            f"takes {needed:,} bytes, more than memory holds: shorten the long ids"
        )
    return np.array(texts, dtype=np.str_)


def span_bytes(source: Source, span: int) -> bytes:
    """Return the field that a span points at, with doubled quotes undone."""
    start, length = divmod(span, SPAN)
    field = source.data[start : start + length].tobytes()
    return field[1:-1].replace(b'""', b'"') if field[:1] == b'"' else field


def _is_bad(text: str) -> bool:
    """Say whether a text cannot be a label: missing, not UTF-8, or with a control character in it."""
    return is_missing(text) or not (text.isprintable() or not (has_control(text) or CODED.search(text)))


def has_control(text: str) -> bool:
    """Say whether a text has a character that only steers machines: a tab, a return, NUL (which numpy would drop)."""
    return not text.isprintable() and CONTROL.search(text) is not None


def _number_by_table(blocks: Sequence[Cells], low: int, width: int) -> tuple[Ends, NDArray[np.int64]]:
    """Give numbers to values from a narrow range; also return which offsets from its low end occur."""
    occurs = np.zeros(width, dtype=np.bool_)
    ends = np.empty((2, sum(block.shape[1] for block in blocks)), dtype=np.int32)
    parts = _pair_up(blocks, ends)
    map_threads(lambda pair: _mark_offsets(*pair, low, occurs), parts)
    if not occurs.all():
        numbers = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        map_threads(lambda pair: np.take(numbers, pair[1], out=pair[1], mode="clip"), parts)
    return ends, np.flatnonzero(occurs)


def _mark_offsets(block: Cells, part: Ends, low: int, occurs: NDArray[np.bool_]) -> None:
    """Turn values into their offsets from the low end, and mark these."""
    np.subtract(block, block.dtype.type(low), out=part, casting="unsafe")
    for offsets in part:
        occurs[offsets] = True


def _pair_up(blocks: Sequence[Cells], ends: Ends) -> list[tuple[Cells, Ends]]:
    """Return each block with its part of the ends."""
    cuts = np.cumsum([block.shape[1] for block in blocks])[:-1]
    return list(zip(blocks, np.split(ends, cuts, axis=1), strict=True))


def _enrol(data: Bytes, blocks: Sequence[Cells], *, is_text: bool) -> tuple[Ends, Cells]:
    """Enrol cells by first appearance in a growing hash table; also return the distinct cells."""
    ends = np.empty((2, sum(block.shape[1] for block in blocks)), dtype=np.int32)
    enrolment = Enrolment(min(_FIRST_TABLE, 4 << ends.size.bit_length()))
    for block, part in _pair_up(blocks, ends):
        enrolment.add(data, block, is_text=is_text, numbers=part)
    return ends, enrolment.distinct


class Enrolment:
    """A growing hash table of cells, numbered by first appearance."""

    def __init__(self, size: int) -> None:
        self._table, self._distinct, self.count = *_new_table(size), 0

    @property
    def distinct(self) -> Cells:
        """The distinct cells, by their numbers."""
        return self._distinct[: self.count]

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return self._table.nbytes + self._distinct.nbytes

    def add(self, data: Bytes, block: Cells, *, is_text: bool, numbers: Ends | None = None) -> Ends:
        """Return the number of each cell of a block."""
        ends = np.empty(block.shape, dtype=np.int32) if numbers is None else numbers
        for cells, part in zip(block, ends, strict=True):
            done = 0
            while done < cells.size:
                rest = cells[done:], self._table, self._distinct, self.count, part[done:]
                step, self.count = _enrol_cells(data, is_text, *rest)
                done += step
                if done < cells.size:
                    self._grow(data, is_text)
        return ends

    def _grow(self, data: Bytes, is_text: bool) -> None:
        old = self.distinct
        self._table, self._distinct = _new_table(4 * self._table.size)
        # enrolled again in their old order, the distinct cells get their old numbers
        unused = np.empty(old.size, dtype=np.int32)
        _enrol_cells(data, is_text, old, self._table, self._distinct, 0, unused)


def _new_table(size: int) -> tuple[NDArray[np.int32], Cells]:
    return np.full(size, -1, dtype=np.int32), np.empty(size // 2, dtype=np.int64)


@numba.njit(cache=True, nogil=True)
def _enrol_cells(
    data: Bytes,
    is_text: bool,
    cells: Cells,
    table: NDArray[np.int32],
    distinct: Cells,
    count: int,
    numbers: NDArray[np.int32],
) -> tuple[int, int]:
    """Enrol cells until the table is half full; return how many were done, and the distinct count."""
    mask = table.size - 1
    for k in range(cells.size):
        if count == distinct.size:
            return k, count
        slot = hash_cell(data, is_text, cells[k]) & mask
        while table[slot] >= 0 and not _is_same(data, is_text, distinct[table[slot]], cells[k]):
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = count
            distinct[count] = cells[k]
            count += 1
        numbers[k] = table[slot]
    return cells.size, count


@numba.njit(nogil=True)
def hash_cell(data: Bytes, is_text: bool, cell: int) -> np.int64:
    """Mix an integer, or the bytes of a span (FNV-1a), so that the low bits depend on all."""
    mixed = np.uint64(cell)
    if is_text:
        mixed = np.uint64(0xCBF29CE484222325)
        for k in range(cell // SPAN, cell // SPAN + cell % SPAN):
            mixed = (mixed ^ np.uint64(data[k])) * np.uint64(0x100000001B3)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(mixed >> np.uint64(32))


@numba.njit(nogil=True)
def _is_same(data: Bytes, is_text: bool, a: int, b: int) -> bool:
    if a == b or not is_text:
        return a == b
    if a % SPAN != b % SPAN:
        return False
    for k in range(a % SPAN):  # noqa: SIM110 (numba has no all() of a generator)
        if data[a // SPAN + k] != data[b // SPAN + k]:
            return False
    return True
