"""The head of a file: its first lines, which are all that recognition looks at, however large the file is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from thinveil.graph.reading.sources import Source

_MOST_BYTES = 1 << 16
_MOST_LINES = 400
_CHUNK = 1 << 20
SEPARATOR = re.compile(r'"?sep=([,;|\t ]?)"?', re.IGNORECASE)
_MARK = b"\xef\xbb\xbf"  # a byte order mark is no part of the first line


class Head:
    """The first 400 lines of a file, or its first 64 KiB where that is less; bytes that are not UTF-8 are replaced."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def text(self) -> str:
        """The first bytes as text, without a byte order mark."""
        return self.source.data[:_MOST_BYTES].tobytes().decode("utf-8", errors="replace").removeprefix("\ufeff")

    @cached_property
    def lines(self) -> list[str]:
        """The first lines without their ends; the last only if it is whole, or the only one."""
        lines = self.text.split("\n")
        if self.source.data.size > _MOST_BYTES and len(lines) > 1:
            lines.pop()
        return [line.rstrip("\r") for line in lines[:_MOST_LINES]]

    @cached_property
    def is_whole(self) -> bool:
        """Whether the head is all of the file."""
        return self.source.data.size <= _MOST_BYTES and self.text.count("\n") < _MOST_LINES

    @cached_property
    def data(self) -> list[str]:
        """Those of the lines that are neither blank nor a comment, without the blanks around them."""
        stripped = (line.strip() for line in self.lines)
        found = [line for line in stripped if line and not line.startswith(("#", "%"))]
        return found[1:] if found and SEPARATOR.fullmatch(found[0]) else found

    @cached_property
    def separator(self) -> str | None:
        """The delimiter that the first line names, as spreadsheets write it: ``sep=;``."""
        named = SEPARATOR.fullmatch(self.lines[0].strip())
        return named[1].strip() or "\t" if named else None


def raw_lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield where each line starts, and its bytes without the line end."""
    start = len(_MARK) if source.starts_with(_MARK) else 0
    while start < source.data.size:
        stop = source.line_end(start + _CHUNK)
        for line in source.data[start:stop].tobytes().removesuffix(b"\n").split(b"\n"):
            yield start, line
            start += len(line) + 1
        start = stop
