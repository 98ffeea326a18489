"""A first line that nobody listed, but that names columns all the same, by what its names are and what stands below.

A guess of this kind is made over the first lines, and taken back if all lines together speak against it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from thinveil.graph.reading.names import has_sure_word, plain
from thinveil.graph.reading.pairs import are_paired, find_twins, is_like_twin, twin_part

_NAME = re.compile(r"[^\W\d_]+([_ .-]?[^\W\d_]+){0,4}[_ .-]?[0-9]?")
_ENOUGH = 8  # rows: in fewer, ids that end like twins may be chance


def guess_header(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether the first row names columns: a pair of names, or a well-known one beside another word."""
    first, below = rows[0], rows[1:]
    places = find_twins(first) or (0, 1)
    if not below or max(places) >= len(first):
        return False
    names = first[places[0]], first[places[1]]
    sides = [[row[place] for row in below if place < len(row)] for place in places]
    ids = set(sides[0]) | set(sides[1])
    if not all(map(_is_name, names)) or not ids or {plain(name) for name in names} & {plain(label) for label in ids}:
        return False
    if are_paired(*names):
        return not _is_twin_below(names, ids, len(below))
    # of a table of people and things, the same names would say nothing
    return len(below) > 1 and any(map(has_sure_word, names)) and bool(set(sides[0]) & set(sides[1]))


def has_twins_below(rows: Sequence[Sequence[str]]) -> bool:
    """Say whether ids below are called as the first two fields: userC beside userA and userB, which are ids then."""
    part = twin_part(rows[0][0], rows[0][1])
    return part is not None and any(is_like_twin(part, label) for row in rows[1:] for label in row[:2])


def _is_name(field: str) -> bool:
    return len(field) <= 64 and _NAME.fullmatch(field) is not None


def _is_twin_below(names: tuple[str, str], ids: set[str], count: int) -> bool:
    """Say whether ids are called as the first two: then these are ids too."""
    part = twin_part(*names)
    if part is None:
        return False
    is_numbered = names[0][-1].isdigit() and count < _ENOUGH
    if is_numbered and any(re.fullmatch(r"[^\W\d_]+[_ .-]?[0-9]+", label) for label in ids):
        return True
    return any(is_like_twin(part, label) for label in ids)
