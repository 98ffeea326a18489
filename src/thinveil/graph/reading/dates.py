"""Dates and times as ISO 8601 spells them: 2024-05-01, 2024-05-01 12:30, 2024-05-01T12:30:00.5+02:00.

Texts come as a table of bytes, a line each, filled up with zeros. The *shape* of a text is the text with every digit
made a 0. Most columns have one shape, and few have more than three: all texts of a shape are read at once, for their
digits stand at the same places.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

Letters = NDArray[np.uint8]
_ZERO, _NINE = ord("0"), ord("9")
_SECONDS, _ZONE = rb"(?P<seconds>:00(?:[.,](?P<part>0{1,9}))?)?", rb"(?P<zone> ?[Zz]|[+-]00(:?00)?)?"
_SHAPE = re.compile(rb"0000-00-00(?:[Tt ]00:00" + _SECONDS + _ZONE + rb")?")
_MOST_SHAPES = 100


def parse_dates(letters: Letters) -> tuple[NDArray[np.int64] | NDArray[np.float64], int]:
    """Return seconds since 1970, UTC, and the row of the first text that is no date, or -1.

    Times without a zone are taken for UTC. A column that has a zone in some rows and none in others is refused, at the
    first row that differs from the first: what is meant is not known.
    """
    shapes = np.where((letters >= _ZERO) & (letters <= _NINE), np.uint8(_ZERO), letters)
    seconds, parts = np.zeros(len(letters), dtype=np.int64), np.zeros(len(letters))
    is_bad, is_open = np.zeros(len(letters), dtype=np.bool_), np.ones(len(letters), dtype=np.bool_)
    has_zone = None
    for _ in range(_MOST_SHAPES):
        if not is_open.any():
            break
        shape = shapes[np.argmax(is_open)]
        rows = np.flatnonzero(is_open & (shapes == shape).all(axis=1))
        found = _SHAPE.fullmatch(shape.tobytes().rstrip(b"\0"))
        is_open[rows] = False
        has_zone = bool(found and found["zone"]) if has_zone is None else has_zone
        if found is None or bool(found["zone"]) != has_zone:
            is_bad[rows] = True
        else:
            seconds[rows], parts[rows], is_bad[rows] = _read_shape(letters[rows], found)
    bad = is_bad | is_open
    return seconds + parts if parts.any() else seconds, int(np.argmax(bad)) if bad.any() else -1


def is_date(text: str) -> bool:
    """Say whether a text is a date or a time."""
    letters = np.frombuffer(text.encode() or b"-", dtype=np.uint8)
    return parse_dates(letters[np.newaxis])[1] < 0


def _read_shape(
    letters: Letters, shape: re.Match[bytes]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return whole seconds, parts of a second, and what is out of range, of texts of one shape."""

    def number(first: int, last: int) -> NDArray[np.int64]:
        value = np.zeros(len(letters), dtype=np.int64)
        for place in range(first, last):
            value = 10 * value + (letters[:, place] - _ZERO)
        return value

    days, is_bad = _days(number(0, 4), number(5, 7), number(8, 10))
    seconds, parts = 86_400 * days, np.zeros(len(letters))
    if shape.end() > 10:
        hour, minute = number(11, 13), number(14, 16)
        second = number(17, 19) if shape["seconds"] else np.zeros_like(hour)
        is_bad |= (hour > 23) | (minute > 59) | (second > 59)
        seconds += 3_600 * hour + 60 * minute + second
    if shape["part"]:
        parts = number(*shape.span("part")) / 10.0 ** len(shape["part"])
    if shape["zone"] and shape["zone"].strip()[:1] not in b"Zz":
        first, last = shape.span("zone")
        hour = number(first + 1, first + 3)
        minute = number(last - 2, last) if last > first + 3 else np.zeros_like(hour)
        is_bad |= (hour > 23) | (minute > 59)
        seconds -= (3_600 * hour + 60 * minute) * (-1 if shape["zone"][:1] == b"-" else 1)
    return seconds, parts, is_bad


def _days(
    year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return days since 1970, and where there is no such day."""
    is_bad = (month < 1) | (month > 12) | (day < 1)
    months = (12 * (year - 1970) + np.clip(month, 1, 12) - 1).astype("datetime64[M]")
    start, end = (moved.astype("datetime64[D]").astype(np.int64) for moved in (months, months + 1))
    return start + day - 1, is_bad | (start + day > end)
