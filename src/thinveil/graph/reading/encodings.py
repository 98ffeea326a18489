"""Text that is not UTF-8, as spreadsheets and Windows write it: UTF-16 and UTF-32, turned into UTF-8.

They are told by a byte order mark, or by the zeros that every second byte of plain text has there.
"""

from __future__ import annotations

import codecs

from thinveil.errors import GraphFileError
from thinveil.graph.reading.packing import Packed
from thinveil.runtime.memory import free_memory

_MARKS = {
    "UTF-32LE": codecs.BOM_UTF32_LE,  # it begins with the mark of UTF-16LE
    "UTF-32BE": codecs.BOM_UTF32_BE,
    "UTF-16LE": codecs.BOM_UTF16_LE,
    "UTF-16BE": codecs.BOM_UTF16_BE,
}
_LOOKED_AT, _FEWEST = 64, 6  # bytes without a mark
_PIECE = 1 << 20


def encoding_of(content: Packed) -> str | None:
    """Return the name of a text's encoding; None where it is UTF-8, or no text.

    Examples
    --------
    >>> encoding_of("1,2".encode("utf-16-be")), encoding_of(b"1,2")
    ('UTF-16BE', None)
    """
    start = bytes(content[:_LOOKED_AT])
    marked = next((name for name, mark in _MARKS.items() if start.startswith(mark)), None)
    if marked or len(start) < _FEWEST or len(start) % 2:
        return marked
    even, odd = start[::2], start[1::2]
    for name, letters, zeros in (("UTF-16LE", even, odd), ("UTF-16BE", odd, even)):
        if not any(zeros) and all(letter in b"\t\r\n" or 32 <= letter < 127 for letter in letters):
            return name
    return None


def as_utf8(content: Packed, name: str) -> tuple[Packed, str]:
    """Return text in UTF-8, and what the user should know; anything else is handed through."""
    encoding = encoding_of(content)
    if encoding is None:
        return content, ""
    convert = f"turn it into UTF-8 yourself (iconv -f {encoding[:6]} -t UTF-8)"
    if len(content) > free_memory() // 4:
        raise GraphFileError(f"this is {encoding} text, too large to be turned into UTF-8 here: {convert}", path=name)
    decoder, text = codecs.getincrementaldecoder(encoding)(), bytearray()
    mark = _MARKS[encoding]
    first = len(mark) if content[: len(mark)] == mark else 0
    try:
        for start in range(first, len(content), _PIECE):
            text += decoder.decode(bytes(content[start : start + _PIECE])).encode()
        decoder.decode(b"", final=True)
    except UnicodeError:
        raise GraphFileError(f"this is {encoding} text with damage in it; save it as UTF-8", path=name) from None
    return text, f"{encoding[:6]} text"
