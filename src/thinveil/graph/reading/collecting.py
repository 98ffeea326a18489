"""Edges from formats that are read in plain Python, one by one.

A collector numbers nodes as they come, and keeps two numbers per edge and the values that the user wishes: files of
millions of edges fit. At the end nodes are numbered again, in ascending order of their labels.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.origin import Origin
from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS, Choice, choose_columns
from thinveil.graph.reading.edges import Edges
from thinveil.graph.reading.head import raw_lines
from thinveil.graph.reading.labels import has_control, is_missing, text_labels
from thinveil.graph.reading.layout import is_integer, quote
from thinveil.graph.reading.sources import Source
from thinveil.graph.reading.tokens import LONGEST_FIELD
from thinveil.graph.reading.values import problem_of_value, text_values
from thinveil.runtime.memory import free_memory

Label = str | int
_AS_OBJECTS = 20  # times its size that a file takes as objects of Python
_AS_CSV = "write its edges as CSV"
_TEXT = 'pass --ids string or ids="string"'


def text_lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, without the blanks around it."""
    for number, (_, line) in enumerate(raw_lines(source), start=1):
        try:
            yield number, line.decode().strip()
        except UnicodeDecodeError:
            raise fail(source, "this is not UTF-8 text; save it as UTF-8", number) from None


def whole_text(source: Source) -> str:
    """Return all text of a file whose format is taken apart as a whole, if memory holds what becomes of it."""
    check_memory(source)
    try:
        return source.data.tobytes().decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise source.fail("this is not UTF-8 text; save it as UTF-8") from None


def check_memory(source: Source) -> None:
    """Refuse a file that does not fit memory as objects of Python."""
    needed = _AS_OBJECTS * source.data.size
    if needed > free_memory():
        raise source.fail(f"to read this format takes about {needed:,} bytes, more than memory holds: {_AS_CSV}")


def second_graph(source: Source, line: int | None = None) -> GraphFileError:
    """Return the error about a file with more than one graph, whose nodes may have the same ids."""
    return fail(source, "a second graph starts in this file: give each graph a file of its own", line)


def fail(source: Source, problem: str, line: int | None = None) -> GraphFileError:
    """Return the error that names the file, and a line of it."""
    return GraphFileError(problem, path=source.name, line=line)


def is_plausible(source: Source, nodes: int) -> bool:
    """Say whether a file of this size may promise so many nodes: nobody gets memory for a number alone."""
    return 1 <= nodes <= max(10_000, 4 * source.data.size)


class Collector:
    """Takes nodes and edges; ``names`` are those of an edge's columns, ``source`` and ``target`` among them."""

    def __init__(self, source: Source, options: Options, names: Sequence[str] = IDS) -> None:
        self._source, self._ids = source, options.ids
        try:
            self._choice = choose_columns(options.wish, names, len(names))
        except InputError as error:
            raise source.fail(str(error)) from None
        self._names = names
        self._numbers: dict[Label, int] = {}
        self._shown: dict[Label, str] = {}
        self._ends = array("i")
        self._lines = array("q")
        self._values: dict[str, list[str]] = {role: [] for role in self._choice if role not in IDS}

    def add_node(self, label: object, line: int | None = None, *, shown: str | None = None) -> int:
        """Take a node, new or known, and return its number; ``shown`` is a better name than its label."""
        number = self._numbers.get(label) if type(label) in (str, int) else None  # type: ignore[call-overload]
        if number is None:
            number = self._numbers[self._check_label(label, line)] = len(self._numbers)
        if shown is not None and not is_missing(shown):
            self._shown[label] = shown  # type: ignore[index]
        return int(number)

    def __contains__(self, label: object) -> bool:
        return label in self._numbers

    @property
    def choice(self) -> Choice:
        """Which column has which role."""
        return self._choice

    @property
    def node_count(self) -> int:
        """Number of nodes so far."""
        return len(self._numbers)

    def add_edge(self, fields: Sequence[object], line: int | None = None) -> None:
        """Take an edge: as many fields as there are names; those at the end may be missing, if nobody wants them."""
        for role in IDS:
            column = self._choice[role]
            if column >= len(fields):
                raise fail(self._source, f"the {role} id is missing; fill it in or remove the edge", line)
            self._ends.append(self.add_node(fields[column], line))
        for role, values in self._values.items():
            column = self._choice[role]
            values.append(self._check_value(role, fields[column] if column < len(fields) else None, line))
        if self._values:
            self._lines.append(line or 0)

    def edges(self, words: str, note: str = "") -> Edges:
        """Return all edges; ``words`` say which format this was."""
        if not self._ends:
            raise self._source.fail(f"there are no edges in this {words} file; look whether it is the right one")
        ends = np.frombuffer(self._ends, dtype=np.int32).reshape(-1, 2)
        labels, order = self._sort_labels()
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        source, target = rank[ends[:, 0]], rank[ends[:, 1]]
        columns = {role: self._names[column] for role, column in self._choice.items()}
        return Edges(source, target, labels, self._columns(), len(order), Origin(words, columns=columns, note=note))

    def _check_label(self, label: object, line: int | None) -> Label:
        if not isinstance(label, str | int) or isinstance(label, bool):
            problem = f"{quote(str(label))} is no node id: ids are whole numbers or text"
            raise fail(self._source, problem, line)
        if isinstance(label, str):
            _check_text(self._source, label, line)
        return label

    def _check_value(self, role: str, value: object, line: int | None) -> str:
        text = "" if value is None else str(value)
        if is_missing(text):
            raise fail(self._source, f"the {role} is missing ({quote(text)}); fill it in or remove the edge", line)
        if len(text) > LONGEST_FIELD or not text.isascii():
            raise fail(self._source, problem_of_value(role, text) or f"the {role} {quote(text)} is too long", line)
        return text

    def _sort_labels(self) -> tuple[NDArray[Any] | None, list[int]]:
        """Return the labels in ascending order (None: they are the numbers), and the nodes in that order."""
        labels: list[Label] = list(self._numbers)
        if len(self._shown) == len(labels) == len(set(self._shown.values())):
            labels = [self._shown[label] for label in labels]
            for label in labels:
                _check_text(self._source, str(label), None)
        if self._is_text(labels):
            texts = [str(label) for label in labels]
            order = sorted(range(len(texts)), key=texts.__getitem__)
            return text_labels(self._source, [texts[k] for k in order]), order
        numbers = [int(label) for label in labels]
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        low, high = numbers[order[0]], numbers[order[-1]]
        self._check_range(low, high)
        if low == 0 and high == len(numbers) - 1:
            return None, order
        return np.array([numbers[k] for k in order], dtype=np.uint64 if high >= 2**63 else np.int64), order

    def _is_text(self, labels: list[Label]) -> bool:
        is_number = [isinstance(label, int) for label in labels]
        if self._ids == "string":
            return True
        if any(is_number) and not all(is_number) and self._ids == "auto":
            raise self._source.fail(f'some node ids are numbers and some are text; if 1 and "1" are one, {_TEXT}')
        wrong = next((label for label in labels if isinstance(label, str) and not is_integer(label)), None)
        if wrong is not None and self._ids == "integer":
            raise self._source.fail(f"the node id {quote(str(wrong))} is not an integer (if the ids are text, {_TEXT})")
        # 01 and 1 are two nodes here: as numbers they would be one
        return wrong is not None or len({int(label) for label in labels}) < len(labels)

    def _check_range(self, low: int, high: int) -> None:
        if low < -(2**63) or high >= 2**64:
            wrong = quote(str(low if low < -(2**63) else high))
            raise self._source.fail(f"the node id {wrong} does not fit 64 bits (to keep it as text, {_TEXT})")
        if low < 0 and high >= 2**63:
            kinds = "negative ids and ids above 2**63 - 1 do not fit one 64-bit type"
            raise self._source.fail(f"{kinds} (to keep them as text, {_TEXT})")

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        columns = {}
        for role, texts in self._values.items():
            columns[role], bad = text_values(self._source.name, role, texts)
            if bad >= 0:
                raise fail(self._source, problem_of_value(role, texts[bad]) or "bad value", self._lines[bad] or None)
        return columns


def _check_text(source: Source, label: str, line: int | None) -> None:
    if is_missing(label):
        raise fail(source, f"a node id is missing ({quote(label)}); fill it in or remove the node", line)
    if len(label) > LONGEST_FIELD:
        raise fail(source, f"the node id {quote(label)} is longer than {LONGEST_FIELD} characters; shorten it", line)
    if "\0" in label or any("\ud800" <= character <= "\udfff" for character in label):
        raise fail(source, f"the node id {quote(label)} is not UTF-8 text; save the file as UTF-8", line)
    if has_control(label):
        problem = f"the node id {quote(label)} has a control character in it, such as a tab; remove the character"
        raise fail(source, problem, line)
