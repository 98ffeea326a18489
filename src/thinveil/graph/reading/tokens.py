"""Kernels that take lines of text apart, straight from the bytes.

A cell is 64 bits: the integer that a field spells (its bit pattern, where it needs all 64 bits unsigned), or
a span, which says where the field stands: ``start * 65536 + length``. Why not polars: it cannot part
fields by runs of mixed tabs and spaces, and it does not name the line that is wrong.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Cells = NDArray[np.int64]

LONGEST_FIELD = 1024  # in bytes; what is longer is not a node id but a broken line
SPAN = 65536
_TAB, _NEWLINE, _RETURN, _SPACE, _QUOTE, _HASH, _PERCENT = 9, 10, 13, 32, 34, 35, 37
_PLUS, _MINUS, _ZERO, _NINE, _BRACE = 43, 45, 48, 57, 123
_SAFE_DIGITS = 18  # as many fit an integer of 64 bits, whichever they are
_BAD, _SMALL, _NEGATIVE, _BIG = -1, 0, 1, 2
_MOST_TENTHS, _MOST_LAST = np.uint64((2**64 - 1) // 10), np.uint64((2**64 - 1) % 10)
_MOST_SIGNED = np.uint64(2**63 - 1)
_ONE, _TEN = np.uint64(1), np.uint64(10)


@numba.njit(cache=True, nogil=True)
def read_cells(
    data: Bytes,
    bounds: tuple[int, int],
    delimiter: int,
    slots: NDArray[np.int64],
    is_text: NDArray[np.bool_],
    cells: Cells,
    signs: NDArray[np.int64],
) -> tuple[int, int]:
    """Read the lines between two byte offsets into cells, up to the first bad one.

    Column ``c`` goes to ``cells[slots[c]]`` if that is not negative. ``signs`` takes the line of the first
    negative integer, of the first above 63 bits, and of the first comment with as many columns. Returns how many
    lines were read, and where the bad line starts, or -1. Every cell of a line that was read is written, for each
    row of cells has its column.
    """
    for slot in range(cells.shape[0]):
        holders = 0
        for other in slots:
            holders += other == slot
        if holders != 1:
            raise ValueError("each row of cells needs one column")
    if signs.size != 3:
        raise ValueError("there are three signs")
    position, stop = bounds
    row = 0
    is_plain = slots.size == 2 and slots[0] == 0 and slots[1] == 1 and not is_text[0]
    while position < stop:
        if is_plain:
            position, row = _read_plain(data, position, stop, delimiter, cells, row)
        line = position
        if _is_empty(data, line, stop):
            if signs[2] < 0 and _is_commented(data, line, stop, delimiter, slots.size):
                signs[2] = line
            position, is_marked = _after_line(data, line, stop)
            if is_marked and _has_return(data, line, stop):
                return row, line
            continue
        more = True
        for slot in slots:
            if not more:
                return row, line
            low, high, position, more = _next_field(data, position, stop, delimiter)
            if low < 0:
                return row, line
            if slot < 0:
                continue
            if is_text[slot]:
                if low == high or high - low > LONGEST_FIELD:
                    return row, line
                cells[slot, row] = low * SPAN + (high - low)
            else:
                cells[slot, row], kind = _integer(data, low, high)
                if kind == _BAD:
                    return row, line
                if kind != _SMALL and signs[kind - 1] < 0:
                    signs[kind - 1] = line
        rest = position
        position, is_marked = _after_line(data, rest, stop)
        if is_marked and more and not _is_closed(data, rest, stop, delimiter):
            return row, line
        row += 1
    return row, -1


@numba.njit(nogil=True)
def _read_plain(data: Bytes, position: int, stop: int, delimiter: int, cells: Cells, row: int) -> tuple[int, int]:
    """Read lines of two bare integers, the common case, twice as fast; stop at the first other line."""
    while True:
        line = position
        for side in range(2):
            number, start = np.int64(0), position
            while position < stop and _ZERO <= data[position] <= _NINE:
                number = 10 * number + np.int64(data[position] - _ZERO)
                position += 1
            if position == start or position - start > _SAFE_DIGITS or position + 1 >= stop:
                return line, row
            if side == 1 and data[position] == _RETURN:
                position += 1
            last = data[position]
            if side == 0 and last != delimiter and (delimiter != _SPACE or last != _TAB):
                return line, row
            if side == 1 and last != _NEWLINE:
                return line, row
            cells[side, row] = number
            position += 1
        row += 1


@numba.njit(nogil=True)
def _is_empty(data: Bytes, position: int, stop: int) -> bool:
    """Say whether a line is blank or a comment."""
    while position < stop and (data[position] == _SPACE or data[position] == _TAB or data[position] == _RETURN):
        position += 1
    if position == stop or data[position] == _NEWLINE:
        return True
    return bool(data[position] == _HASH or data[position] == _PERCENT)


@numba.njit(nogil=True)
def _is_commented(data: Bytes, position: int, stop: int, delimiter: int, width: int) -> bool:
    """Say whether an empty line is a comment with as many columns as an edge, its sign close to the first."""
    while position < stop and (data[position] == _SPACE or data[position] == _TAB or data[position] == _RETURN):
        position += 1
    if position >= stop or (data[position] != _HASH and data[position] != _PERCENT):
        return False
    position += 1
    more = position < stop and data[position] > _SPACE and data[position] != _HASH and data[position] != _PERCENT
    for _ in range(width):
        if not more:
            return False
        low, high, position, more = _next_field(data, position, stop, delimiter)
        if low == high:
            return False
    return True


@numba.njit(nogil=True)
def _after_line(data: Bytes, position: int, stop: int) -> tuple[int, bool]:
    """Return where the next line starts, and whether a quote or a return on the way asks for a closer look."""
    is_marked = False
    while position < stop and data[position] != _NEWLINE:
        if data[position] == _QUOTE or data[position] == _RETURN:
            is_marked |= data[position] == _QUOTE or not _ends_line(data, position, stop)
        position += 1
    return position + 1, is_marked


@numba.njit(nogil=True)
def _ends_line(data: Bytes, position: int, stop: int) -> bool:
    """Say whether a return, or several, stand before the end of the line."""
    while position < stop and data[position] == _RETURN:
        position += 1
    return position == stop or bool(data[position] == _NEWLINE)


@numba.njit(nogil=True)
def _has_return(data: Bytes, position: int, stop: int) -> bool:
    """Say whether a return stands within a line: what looks like one line may be several."""
    while position < stop and data[position] != _NEWLINE:
        if data[position] == _RETURN and not _ends_line(data, position, stop):
            return True
        position += 1
    return False


@numba.njit(nogil=True)
def _is_closed(data: Bytes, position: int, stop: int, delimiter: int) -> bool:
    """Say whether all fields that nobody reads end on their line: no quote stays open, no return stands within."""
    blank = _SPACE if delimiter == _TAB else _TAB
    more = True
    while more:
        while position < stop and (data[position] == _SPACE or data[position] == blank):
            position += 1
        if delimiter == _SPACE and position < stop and (data[position] == _HASH or data[position] == _BRACE):
            return True  # a comment, or what networkx writes about an edge
        if position < stop and data[position] == _QUOTE:
            position = _closing_quote(data, position, stop) + 1
            if position == 0:
                return False
        while position < stop and data[position] != _NEWLINE and data[position] != delimiter:
            if delimiter == _SPACE and data[position] == _TAB:
                break
            if data[position] == _RETURN and not _ends_line(data, position, stop):
                return False
            position += 1
        position, more = _after_field(data, position, stop, delimiter)
    return True


@numba.njit(nogil=True)
def _next_field(data: Bytes, position: int, stop: int, delimiter: int) -> tuple[int, int, int, bool]:
    """Return where a field starts (-1: its quotes are wrong) and ends, the next place, and if one follows."""
    blank = _SPACE if delimiter == _TAB else _TAB  # besides the space, what may stand around a field
    while position < stop and (data[position] == _SPACE or data[position] == blank):
        position += 1
    low, closed = position, -1
    if position < stop and data[position] == _QUOTE:
        closed = _closing_quote(data, position, stop)
        if closed < 0:
            return -1, -1, position, False
        position = closed + 1
    while position < stop and data[position] != _NEWLINE and data[position] != delimiter:
        if delimiter == _SPACE and data[position] == _TAB:
            break
        position += 1
    high = position
    at_end = position == stop or data[position] == _NEWLINE
    while high > low and (
        data[high - 1] == _SPACE or data[high - 1] == blank or (at_end and data[high - 1] == _RETURN)
    ):
        high -= 1
    if closed >= 0:
        if high != closed + 1:
            return -1, -1, position, False
        low, high = _inside_quotes(data, low, high)
    position, more = _after_field(data, position, stop, delimiter)
    return low, high, position, more


@numba.njit(nogil=True)
def _after_field(data: Bytes, position: int, stop: int, delimiter: int) -> tuple[int, bool]:
    """Step over what separates a field from the next; also return whether there is one."""
    if delimiter != _SPACE:
        more = position < stop and data[position] != _NEWLINE
        return position + more, more
    while position < stop and (data[position] == _SPACE or data[position] == _TAB):
        position += 1
    return position, position < stop and data[position] != _NEWLINE


@numba.njit(nogil=True)
def _closing_quote(data: Bytes, position: int, stop: int) -> int:
    position += 1
    while position < stop and data[position] != _NEWLINE:
        if data[position] == _QUOTE:
            if position + 1 == stop or data[position + 1] != _QUOTE:
                return position
            position += 1
        position += 1
    return -1


@numba.njit(nogil=True)
def _inside_quotes(data: Bytes, low: int, high: int) -> tuple[int, int]:
    """Take the quotes off, but leave them on a field with doubled quotes inside, as a sign to undo these."""
    for position in range(low + 1, high - 1):
        if data[position] == _QUOTE:
            return low, high
    return low + 1, high - 1


@numba.njit(nogil=True)
def _integer(data: Bytes, low: int, high: int) -> tuple[np.int64, int]:
    """Return the integer that a field spells, and whether it is bad, small, negative or big."""
    negative = low < high and data[low] == _MINUS
    if negative or (low < high and data[low] == _PLUS):
        low += 1
    if low == high:
        return np.int64(0), _BAD
    size = np.uint64(0)
    for position in range(low, high):
        digit = np.uint64(np.uint8(data[position] - _ZERO))
        if digit >= _TEN or size > _MOST_TENTHS or (size == _MOST_TENTHS and digit > _MOST_LAST):
            return np.int64(0), _BAD
        size = size * _TEN + digit
    if negative and size:
        return -np.int64(size - _ONE) - np.int64(1), _BAD if size - _ONE > _MOST_SIGNED else _NEGATIVE
    return np.int64(size), _BIG if size > _MOST_SIGNED else _SMALL
