"""Values of edges: weights and times are numbers, a direction is a word or a sign.

Numbers have a decimal point or comma, and a time may be a date. Where the value of an edge is bad, its row number is
handed back, and the reader that knows the line explains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from thinveil.graph.reading.dates import is_date, parse_dates
from thinveil.graph.reading.layout import is_integer, is_number, quote
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import SPAN, Bytes, Cells

_LONGEST_VALUE = 64
ONE_KIND = "give numbers in all lines, or dates in all, with a zone in all or in none"
_AS_DATE = "write dates as 2024-05-01 or 2024-05-01T12:30:00, and seconds from a later start"
_TWO_THINGS = "give numbers with a point, or with a comma in all lines and not always three digits behind it"
# +1: from source to target; -1: from target to source; 0: both
_DIRECTIONS = {
    **dict.fromkeys(("1", "+1", "out", "outgoing", "->"), 1),
    **dict.fromkeys(("-1", "in", "incoming", "<-"), -1),
    **dict.fromkeys(("0", "both", "<->"), 0),
}


def edge_values(source: Source, role: str, spans: Cells) -> tuple[NDArray[Any], int]:
    """Return the values that spans spell, and the row of the first bad one, or -1."""
    long = np.flatnonzero(spans % SPAN > _LONGEST_VALUE)
    if long.size:
        return np.empty(0), int(long[0])
    letters = np.zeros((spans.size, int((spans % SPAN).max())), dtype=np.uint8)
    _gather(source.data, spans, letters)
    texts = letters.view(f"S{letters.shape[1]}")[:, 0]
    if role == "direction":
        return parse_directions(texts)
    # the first row decides what all of them are
    if role == "time" and is_date(texts[0].decode(errors="replace")):
        return parse_dates(letters)
    values, bad = _parse_numbers(texts)
    return values, 0 if bad < 0 and role == "time" and spells_dates(values) else bad


def text_values(name: str, role: str, texts: Sequence[str]) -> tuple[NDArray[Any], int]:
    """Return the same of texts that stand in no file."""
    coded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in coded], dtype=np.int64)
    letters = Source(name, np.frombuffer(b"".join(coded) or b" ", dtype=np.uint8))
    return edge_values(letters, role, (np.cumsum(lengths) - lengths) * SPAN + lengths)


def spells_dates(values: NDArray[Any]) -> bool:
    """Say whether all numbers may be dates: 20240501, 202405011230 or 20240501123000. They are no seconds."""
    if values.dtype.kind not in "iu" or not values.size:
        return False
    days = values
    for digits in (6, 4):
        if 10 ** (7 + digits) <= values[0] < 10 ** (8 + digits):
            days = values // 10**digits
    year, month, day = days // 10_000, days // 100 % 100, days % 100
    return bool(((year >= 1900) & (year < 2100) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


def problem_of_value(role: str, text: str) -> str | None:
    """Say in words why a field is no value for its role, if it is none."""
    if role == "direction":
        words = ", ".join(_DIRECTIONS)
        return None if text.lower() in _DIRECTIONS else f"the direction {quote(text)} is not one of {words}"
    if is_number(text.replace(",", ".")) and len(text) <= _LONGEST_VALUE and np.isfinite(float(text.replace(",", "."))):
        if role == "time" and is_integer(text) and spells_dates(np.array([min(abs(int(text)), 2**62)])):
            return f"the time {quote(text)} may be a date or a number, and so may all others: {_AS_DATE}"
        return f"the {role} {quote(text)} may mean two things: {_TWO_THINGS}" if "," in text else None
    if role == "time":
        if is_date(text):
            return f"the time {quote(text)} is not spelled like that of the first line: {ONE_KIND}"
        return f"the time {quote(text)} is not a finite number, nor a date such as 2024-05-01 or 2024-05-01T12:30:00Z"
    return f"the {role} {quote(text)} is not a finite number"


def parse_directions(texts: NDArray[np.bytes_]) -> tuple[NDArray[np.int8], int]:
    """Return +1, -1 or 0 for each text, and the row of the first bad one, or -1."""
    words, which = np.unique(texts, return_inverse=True)
    signs = [_DIRECTIONS.get(word.decode(errors="replace").lower(), 2) for word in words.tolist()]
    values = np.array(signs, dtype=np.int8)[which]
    return values, _first(values == 2)


def _parse_numbers(texts: NDArray[np.bytes_]) -> tuple[NDArray[Any], int]:
    """Return int64 if all texts are integers that fit it, else float64."""
    commas = np.char.find(texts, b",")
    if (commas >= 0).any():
        bad = _first_doubtful(texts, commas)
        if bad >= 0:
            return np.empty(0), bad
        texts = np.char.replace(texts, b",", b".")
    for kind in (np.int64, np.float64):
        try:
            values = texts.astype(kind)
        except (ValueError, OverflowError):
            continue
        # Python's own spelling of numbers allows more than a file should: 1_000, nan, inf
        return values, _first(~np.isfinite(values) | (np.char.find(texts, b"_") >= 0))
    words = (text.decode(errors="replace") for text in texts.tolist())
    return np.empty(0), next(row for row, word in enumerate(words) if problem_of_value("number", word))


def _first_doubtful(texts: NDArray[np.bytes_], commas: NDArray[np.int64]) -> int:
    """Return the first row from which it cannot be told whether commas part decimals or thousands, or -1."""
    has_comma = commas >= 0
    other = has_comma & ((np.char.find(texts, b".") >= 0) | (np.char.count(texts, b",") > 1))
    if other.any() or (np.char.find(texts, b".") >= 0).any():
        return _first(other) if other.any() else int(np.argmax(has_comma))
    behind = np.char.str_len(texts) - commas - 1
    may_be_thousands = (behind == 3) & (commas <= 4) & ~np.char.startswith(np.char.lstrip(texts, b"+-"), b"0")
    return int(np.argmax(has_comma)) if may_be_thousands[has_comma].all() else -1


def _first(is_bad: NDArray[np.bool_]) -> int:
    return int(np.argmax(is_bad)) if is_bad.any() else -1


@numba.njit(cache=True, nogil=True)
def _gather(data: Bytes, spans: Cells, letters: NDArray[np.uint8]) -> None:
    for row in range(spans.size):
        start = spans[row] // SPAN
        for k in range(spans[row] % SPAN):
            letters[row, k] = data[start + k]
