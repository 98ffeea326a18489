"""How the file of a graph, or an object of another library, was read.

It is said on top of every command, so that no wrong reading goes unseen.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_LONGEST_NAME = 30
_ENDS = ("source", "target")


@dataclass(frozen=True)
class Origin:
    """The format of a file and what was found out about it; a format fills in what it knows, the reader the rest.

    ``columns`` says for each role (source, target, weight, ...) under which name or number it stands, ``ids`` whether
    ids are integers or text, ``rows`` how many edges the file gives, repeated ones too, and ``first`` holds the ids of
    the first of them. ``note`` says what was chosen where a file could be read in another way.
    """

    format: str = ""
    delimiter: str | None = None
    header: bool | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ids: str = ""
    rows: int = 0
    first: tuple[tuple[Any, Any], ...] = ()
    note: str = ""
    file: str = ""

    def words(self) -> str:
        """Return one line for people, without any id.

        Examples
        --------
        >>> columns = {"source": "caller", "target": "callee"}
        >>> Origin("CSV", "commas", True, columns, "integer", 3600, file="data/calls.csv").words()
        'read calls.csv as CSV: commas, header, caller -> callee, integer ids; 3,600 rows'
        """
        facts = [self.delimiter, {True: "header", False: "no header", None: None}[self.header], self._ends()]
        facts += [f"{role} in {_short(name)}" for role, name in self.columns.items() if role not in _ENDS]
        facts += [f"{self.ids} ids"]
        told = ", ".join(fact for fact in facts if fact)
        rows = "1 row" if self.rows == 1 else f"{self.rows:,} rows"
        note = f" ({self.note})" if self.note else ""
        taken = f"read {_short(os.path.basename(self.file))} as" if self.file else "taken from"
        return f"{taken} {self.format}: {told}; {rows}{note}"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for ``info``; the first rows have ids in them."""
        facts = {name: getattr(self, name) for name in ("format", "delimiter", "header", "ids", "rows", "note")}
        told = {name: value for name, value in facts.items() if value not in (None, "")}
        return {**told, "columns": dict(self.columns), "first": [list(pair) for pair in self.first]}

    def _ends(self) -> str:
        ends = [_short(self.columns[role]) for role in _ENDS if role in self.columns]
        return f"columns {ends[0]} and {ends[1]}" if ends and self.header is False else " -> ".join(ends)


def _short(name: str) -> str:
    """Return a name as it may stand on a terminal: printable, and not long."""
    shown = "".join(character if character.isprintable() else "?" for character in name)
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 3] + "..."
