"""Which column is which: the user's wishes, a header's names, or the first two columns.

A role is what a column is for: ``source`` and ``target`` hold node ids; ``weight``, ``time`` and
``direction`` are values of the edge. A choice maps roles to column numbers, counted from 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

from thinveil.errors import InputError
from thinveil.graph.reading.contents import columns_of, counts_up, holds_numbers, holds_values, share_ids
from thinveil.graph.reading.names import id_columns, is_attribute, is_value_name
from thinveil.graph.reading.pairs import are_paired, find_twins
from thinveil.runtime.parameters import nearest

Column = int | str
Choice = dict[str, int]
IDS = ("source", "target")
_MOST_COLUMNS = 16  # that are compared with one another

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
    ("from_user", "to_user"),
    ("follower", "following"),
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


# of Neo4j: :START_ID, :END_ID(Person), personId:START_ID
_NEO4J = (re.compile(r".*:start_id(\([^()]*\))?"), re.compile(r".*:end_id(\([^()]*\))?"))


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


def check_directed(directed: bool, direction: Column | None) -> None:
    """Refuse two answers to the question which way a row goes."""
    if directed and direction is not None:
        raise InputError("--directed and --direction exclude each other: the column says which way each row goes")


def known_pair(names: Sequence[str]) -> tuple[int, int] | None:
    """Return where a well-known pair of names such as caller and callee stands, if it does."""
    lowered = [name.strip().lower() for name in names]
    for first, second in _PAIRS:
        if first in lowered and second in lowered:
            return lowered.index(first), lowered.index(second)
    starts, ends = ([k for k, name in enumerate(lowered) if mark.fullmatch(name)] for mark in _NEO4J)
    return (starts[0], ends[0]) if len(starts) == len(ends) == 1 else None


def choose_columns(wish: Wish, names: Sequence[str] | None, width: int, rows: Sequence[Sequence[str]] = ()) -> Choice:
    """Return the column of each role, or say what is missing.

    Parameters
    ----------
    wish
        What the user asked for.
    names
        The header, or None if there is none.
    width
        Number of columns.
    rows
        The first rows below the header, as far as they are known: what they hold may tell which columns have ids.

    """
    choice = {role: _find_column(role, column, names, width) for role, column in wish.given().items()}
    if "source" not in choice:
        choice |= zip(IDS, _find_ids(choice, names, width, rows), strict=True)
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


def _find_ids(
    taken: Mapping[str, int], names: Sequence[str] | None, width: int, rows: Sequence[Sequence[str]]
) -> tuple[int, int]:
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
        found = _find_twins(names or (), free) or _find_shared(names, free, rows)
        if found is not None:
            return found
        if names is not None:
            raise InputError(
                f"the header does not say which columns hold the node ids; {_describe(names, width)}: "
                "choose two of them with --source and --target (source= and target=)"
            )
    if len(free) < 2:
        raise InputError(f"no two columns are left for the node ids; {_describe(names, width)}")
    return free[0], free[1]


def _find_twins(names: Sequence[str], free: Sequence[int]) -> tuple[int, int] | None:
    twins = find_twins(names)
    return twins if twins is not None and set(twins) <= set(free) else None


def _find_shared(
    names: Sequence[str] | None, free: Sequence[int], rows: Sequence[Sequence[str]]
) -> tuple[int, int] | None:
    """Return the two columns that hold ids, if the others hold none, by what stands in them and how they are called.

    Without a header, the first two columns are only left where one of them holds what is no id.
    """
    columns = columns_of(rows, 1 + max(free))
    left = [k for k in free if columns[k] and not holds_values(columns[k])]
    if names is None:
        return _only_pair(left, columns) if set(free[:2]) - set(left) else None
    left = [k for k in left if names[k].strip() or not counts_up(columns[k])]
    texts = [k for k in left if not holds_numbers(columns[k])]
    unnamed = [k for k in left if not is_value_name(names[k])]
    plainer = [k for k in unnamed if not is_attribute(names[k])]
    for few in (left, texts, unnamed, plainer):
        if len(few) == 2 and _are_ends(names, columns, few):
            return few[0], few[1]
    pair = _only_pair(unnamed, columns)
    return None if pair is None or all(is_attribute(names[k]) for k in pair) else pair


def _are_ends(names: Sequence[str], columns: Sequence[Sequence[str]], few: Sequence[int]) -> bool:
    one, other = few
    # of a table of pandas without names, the columns are numbers
    is_unnamed = [names[k].strip() for k in range(3)] == ["", "0", "1"] and few == [1, 2]
    return is_unnamed or are_paired(names[one], names[other]) or share_ids(columns[one], columns[other])


def _only_pair(left: Sequence[int], columns: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the only two columns that hold ids of the same people, if there are two and no more."""
    if len(left) > _MOST_COLUMNS:
        return None
    pairs = [(i, j) for i, j in combinations(left, 2) if share_ids(columns[i], columns[j])]
    return pairs[0] if len(pairs) == 1 else None


def _describe(names: Sequence[str] | None, width: int) -> str:
    if names is None:
        return f"there is no header, give numbers from 0 to {width - 1}"
    listed = ", ".join(repr(name) for name in names[:20])
    return f"the columns are {listed}" + (", ..." if len(names) > 20 else "")
