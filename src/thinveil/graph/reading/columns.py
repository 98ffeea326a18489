"""Which column is which: the user's wishes, a header's names, or the first two columns.

A role is what a column is for: ``source`` and ``target`` hold node ids; ``weight``, ``time`` and
``direction`` are values of the edge. A choice maps roles to column numbers, counted from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from thinveil.errors import InputError
from thinveil.graph.reading.names import id_columns
from thinveil.runtime.parameters import nearest

Column = int | str
Choice = dict[str, int]
IDS = ("source", "target")

# pairs of names under which public edge lists give the two ends, in lower case
_PAIRS = (
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("source_id", "target_id"),
    ("src_id", "dst_id"),
    ("from", "to"),
    ("from_id", "to_id"),
    ("fromnodeid", "tonodeid"),
    ("from_node", "to_node"),
    ("caller", "callee"),
    ("sender", "recipient"),
    ("sender", "receiver"),
    ("follower", "followee"),
    ("follower", "followed"),
    ("user_a", "user_b"),
    ("user1", "user2"),
    ("user_1", "user_2"),
    ("user_id1", "user_id2"),
    ("id_1", "id_2"),
    ("id1", "id2"),
    ("node_1", "node_2"),
    ("node1", "node2"),
    ("node_a", "node_b"),
    ("u", "v"),
    ("i", "j"),
    ("head", "tail"),
)


@dataclass(frozen=True)
class Wish:
    """The columns the user asked for: names, or numbers from 0."""

    source: Column | None = None
    target: Column | None = None
    weight: Column | None = None
    time: Column | None = None
    direction: Column | None = None

    def __post_init__(self) -> None:
        if (self.source is None) != (self.target is None):
            raise InputError("source and target go together: give both columns or neither")
        for role, column in self.given().items():
            is_number = isinstance(column, int) and not isinstance(column, bool) and column >= 0
            if not is_number and not (isinstance(column, str) and column):
                raise InputError(f"{role}={column!r}: a column is a name, or a number from 0")

    def given(self) -> dict[str, Column]:
        """Return the roles that were asked for."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {role: column for role, column in pairs if column is not None}

    def names(self) -> list[str]:
        """Return the columns that can only be found in a header."""
        return [c for c in self.given().values() if isinstance(c, str) and not is_column_number(c)]


def known_pair(names: Sequence[str]) -> tuple[int, int] | None:
    """Return where a well-known pair of names such as caller and callee stands, if it does."""
    lowered = [name.strip().lower() for name in names]
    for first, second in _PAIRS:
        if first in lowered and second in lowered:
            return lowered.index(first), lowered.index(second)
    return None


def choose_columns(wish: Wish, names: Sequence[str] | None, width: int) -> Choice:
    """Return the column of each role, or say what is missing.

    Parameters
    ----------
    wish
        What the user asked for.
    names
        The header, or None if there is none.
    width
        Number of columns.

    """
    choice = {role: _find_column(role, column, names, width) for role, column in wish.given().items()}
    if "source" not in choice:
        choice |= zip(IDS, _find_ids(choice, names, width), strict=True)
    _check_distinct(choice, names)
    return choice


def _check_distinct(choice: Choice, names: Sequence[str] | None) -> None:
    """Refuse two roles on one column: each cell of a line is read once, for one role."""
    holders: dict[int, str] = {}
    for role, column in choice.items():
        other = holders.setdefault(column, role)
        if other != role:
            called = f"number {column}" if names is None else f"number {column}, {names[column]!r}"
            raise InputError(
                f"{other} and {role} are the same column, {called}: "
                f"choose another with --{other} or --{role} ({other}= or {role}=)"
            )


def _find_column(role: str, column: Column, names: Sequence[str] | None, width: int) -> int:
    found = [] if names is None else find_name(str(column), names)
    if len(found) > 1:
        raise InputError(f"columns {found} are all called {column!r}: give the number of one of them for {role}")
    if found and isinstance(column, str):
        return found[0]
    if isinstance(column, str) and not is_column_number(column):
        meant = nearest(column, names or ())
        hint = "" if meant is None else f"; did you mean {meant!r}?"
        raise InputError(f"there is no column {column!r} for {role}; {_describe(names, width)}{hint}")
    if not 0 <= int(column) < width:
        raise InputError(f"there is no column number {column} for {role}; {_describe(names, width)}")
    return int(column)


def is_column_number(column: str) -> bool:
    """Say whether a text is the number of a column rather than its name."""
    return column.isascii() and column.isdecimal() and len(column) < 10


def find_name(name: str, names: Sequence[str]) -> list[int]:
    """Return where a name stands in a header: exactly so, or else without regard to case."""
    exact = [k for k, other in enumerate(names) if other == name]
    return exact or [k for k, other in enumerate(names) if other.strip().casefold() == name.strip().casefold()]


def _find_ids(taken: Mapping[str, int], names: Sequence[str] | None, width: int) -> tuple[int, int]:
    """Return the two id columns where the user named none: a known pair, or the two that are left."""
    free = [column for column in range(width) if column not in taken.values()]
    if names is not None:
        pair = known_pair(names)
        if pair is not None:
            return pair
        named = [column for column in id_columns(names) if column in free]
        if len(named) == 2:
            return named[0], named[1]
        if len(free) > 2:
            raise InputError(
                f"the header does not say which columns hold the node ids; {_describe(names, width)}: "
                "choose two of them with --source and --target (source= and target=)"
            )
    if len(free) < 2:
        raise InputError(f"no two columns are left for the node ids; {_describe(names, width)}")
    return free[0], free[1]


def _describe(names: Sequence[str] | None, width: int) -> str:
    if names is None:
        return f"there is no header, give numbers from 0 to {width - 1}"
    listed = ", ".join(repr(name) for name in names[:20])
    return f"the columns are {listed}" + (", ..." if len(names) > 20 else "")
