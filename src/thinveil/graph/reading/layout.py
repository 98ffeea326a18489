"""How a text file is laid out: delimiter, header, columns, and where the edges start.

Only the first lines are looked at, in plain Python. The same splitting explains bad lines: the kernel says
which line is bad, this module's functions say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinveil.errors import InputError
from thinveil.graph.reading.columns import IDS, Choice, Wish, choose_columns, find_name, known_pair
from thinveil.graph.reading.head import Head, raw_lines
from thinveil.graph.reading.names import is_header, stem
from thinveil.graph.reading.sources import Source

BLANKS = " "  # as a delimiter: any run of spaces and tabs
DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": BLANKS, "pipe": "|"}
_CANDIDATES = ("\t", ",", ";", BLANKS)
_INTEGER = re.compile(r"[+-]?[0-9]+")
# possessive (++): a long run of digits is looked at once
_NUMBER = re.compile(r"[+-]?([0-9]++(\.[0-9]*+)?|\.[0-9]++)([eE][+-]?[0-9]++)?")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')  # it gives nothing back: a line of quotes takes no time to refuse
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_EXPECTED = "expected two node ids on each line, separated by a tab, spaces, a comma or a semicolon"
_BINARY_CHECK = 4096
_LONGEST_LINE = 200_000  # what is longer is no edge, and would be taken apart in plain Python
_TELEPHONE = re.compile(r"\+?\(?[0-9]+\)?(?:[ ./-]\(?[0-9]+\)?)+")


@dataclass(frozen=True)
class Line:
    """A line that is neither blank nor a comment, where it starts, and the comment right before it."""

    text: str
    start: int
    comment: str | None = None


@dataclass(frozen=True)
class Layout:
    """Where the edges of a text file are: from byte ``start`` on, ``choice`` says in which columns."""

    delimiter: str
    start: int
    choice: Choice
    width: int
    integers: bool
    names: Sequence[str] | None = None
    header_lines: int = 0

    def roles(self) -> list[str]:
        """Return what is read, source and target first."""
        return [*IDS, *(role for role in self.choice if role not in IDS)]


def sniff_layout(head: Head, wish: Wish, *, delimiter: str | None, ids: str) -> Layout:
    """Find out how a text file is laid out, or say why it cannot be an edge list.

    The first two lines decide; only whether the first of them is a header is also told by the lines below.
    """
    source = head.source
    lines = _first_lines(source)
    split_by = check_delimiter(delimiter) if delimiter else _sniff_delimiter([line.text for line in lines])
    rows = [split_line(line.text, split_by) for line in lines]
    if len(rows[0]) < 2:
        problem = f"{quote(lines[0].text)} has only one column; {_EXPECTED}"
        raise source.fail(problem, offset=lines[0].start)
    names, skipped = _find_header(wish, rows, lines[0], split_by, head)
    if skipped == len(lines) or (len(lines) == 1 and len(rows[0]) > 2 and not names and not _has_number(rows[0])):
        raise source.fail("there is a header but no edges below it; look whether this is the right file")
    try:
        choice = choose_columns(wish, names, len(names or rows[0]))
    except InputError as error:
        raise source.fail(str(error)) from None
    first = rows[skipped]
    integers = ids == "integer" or (ids == "auto" and all(_has_integer(first, choice[role]) for role in IDS))
    if integers and delimiter is None and split_line(lines[skipped].text, BLANKS) == first:
        split_by = BLANKS  # files of numbers often mix tabs and spaces
    # an empty field would go unseen among blanks, and its right neighbour be taken for it: count them all
    width = max(1 + max(choice.values()), len(first) if split_by == BLANKS else 0)
    return Layout(split_by, lines[skipped].start, choice, width, integers, names, skipped)


def check_delimiter(delimiter: str) -> str:
    """Return the delimiter, given by its name or as one character of ASCII that can part fields."""
    delimiter = DELIMITERS.get(str(delimiter).lower(), str(delimiter))
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\r\n\0+-.':
        raise InputError(f"delimiter={delimiter!r}: one character is needed, or one of {', '.join(DELIMITERS)}")
    return delimiter


def split_line(text: str, delimiter: str) -> list[str]:
    """Split a line into its fields, with quotes and the blanks around fields taken off."""
    blanks = " \t" if delimiter != "\t" else " "
    parting = re.compile(r"[ \t]" if delimiter == BLANKS else re.escape(delimiter))
    text = text.strip(blanks + "\r")
    fields, position = [], 0
    while True:
        quoted = _QUOTED.match(text, position)
        parted = parting.search(text, quoted.end() if quoted else position)
        field = text[position : parted.start() if parted else len(text)].rstrip(blanks)
        whole = quoted is not None and quoted.end() == position + len(field)
        fields.append(quoted[1].replace('""', '"') if quoted and whole else field)
        if parted is None:
            return fields
        position = _skip(text, parted.end(), blanks)


def _skip(text: str, position: int, blanks: str) -> int:
    while position < len(text) and text[position] in blanks:
        position += 1
    return position


def quote(text: str, limit: int = 80) -> str:
    """Return a text as it may stand in a message: quoted, on one line, not too long."""
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def is_integer(text: str) -> bool:
    """Say whether a field spells an integer of any size."""
    return _INTEGER.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Say whether a field spells a number."""
    return _NUMBER.fullmatch(text) is not None


def line_text(source: Source, offset: int) -> str:
    """Return the line around a byte, without its end; bytes that are not UTF-8 are replaced."""
    start = source.line_start(offset)
    line = source.data[start : source.line_end(start)].tobytes()
    return line.decode("utf-8", errors="replace").removeprefix("\ufeff").rstrip("\r\n")


def _first_lines(source: Source) -> list[Line]:
    """Return the first two lines with data, or say that there are none."""
    if not source.data.size:
        raise source.fail(f"the file is empty; {_EXPECTED}")
    if not source.data[:_BINARY_CHECK].all():
        raise source.fail(f"this is a binary file of an unknown kind; {_EXPECTED}")
    lines: list[Line] = []
    for line in _data_lines(source):
        lines.append(line)
        if len(line.text) > _LONGEST_LINE:
            problem = f"{quote(line.text)} has {len(line.text):,} characters: an edge stands on a short line"
            raise source.fail(f"{problem} (a whole adjacency matrix cannot be read)", offset=line.start)
        if len(lines) == 2:
            break
    if lines and "\r" in lines[0].text:
        raise source.fail("the lines end with a carriage return alone; convert the file to Unix line ends")
    if not lines:
        raise source.fail(f"the file holds only comments and blank lines; {_EXPECTED}")
    return lines


def _data_lines(source: Source) -> Iterator[Line]:
    comment = None
    for start, line in raw_lines(source):
        stripped = line.strip(b" \t\r")
        if stripped.startswith((b"#", b"%")):
            comment = stripped.decode("utf-8", errors="replace").lstrip("#%").strip()
        elif stripped:
            yield Line(line_text(source, start), start, comment)
            comment = None


def _sniff_delimiter(texts: list[str]) -> str:
    """Choose the delimiter that separates numbers if there is one, else the first that separates anything."""
    for lines in (texts, texts[:1]):
        parting = [d for d in _CANDIDATES if all(len(split_line(text, d)) > 1 for text in lines)]
        if ";" in parting and not any("," in _DECIMAL_COMMA.sub("", text) for text in lines):
            parting = [d for d in parting if d != ","]  # 1;2;1,5: these are decimal commas
        numeric = [d for d in parting if _parts_numbers(split_line(lines[-1], d))]
        if parting:
            return (numeric or parting)[0]
    return BLANKS


def _parts_numbers(fields: list[str]) -> bool:
    """Say whether the first two fields are integers, or telephone numbers, which may have spaces in them."""
    return all(_has_integer(fields, k) for k in (0, 1)) or all(map(is_telephone, fields[:2]))


def is_telephone(text: str) -> bool:
    """Say whether a field is digits in groups, as in +225 07 01 02 03."""
    return _TELEPHONE.fullmatch(text) is not None and sum(map(str.isdecimal, text)) >= 7


def _has_integer(fields: list[str], column: int) -> bool:
    return column < len(fields) and is_integer(fields[column])


def _find_header(
    wish: Wish, rows: list[list[str]], first: Line, delimiter: str, head: Head
) -> tuple[list[str] | None, int]:
    """Return the names of the columns, if there are any, and how many lines they take away from the data."""
    comment = split_line(first.comment, delimiter) if first.comment else []
    if wish.names() and not _names_any(wish, rows[0]):
        if _names_any(wish, comment):
            return comment, 0
        return (None, 0) if _has_number(rows[0]) else (rows[0], 1)
    if wish.names():
        return rows[0], 1
    if _turns_numeric(wish, rows):
        return rows[0], 1
    pair = known_pair(rows[0])
    below = [split_line(line, delimiter) for line in head.data[1:]] or rows[1:]  # comments may outgrow the head
    others = [rows[0], *(row for row in below if row != rows[0])]  # files put together have several headers
    if (pair and not _occurs_below(pair, others)) or (not _has_number(rows[0]) and is_header(others)):
        return rows[0], 1
    if len(comment) == len(rows[0]) and known_pair(comment):
        return comment, 0
    return None, 0


def _occurs_below(pair: tuple[int, int], rows: list[list[str]]) -> bool:
    """Say whether names of the first row are ids of others: then it is an edge like them."""
    names = {stem(rows[0][column]) for column in pair}
    return any(column < len(row) and stem(row[column]) in names for row in rows[1:] for column in pair)


def _names_any(wish: Wish, header: list[str]) -> bool:
    return any(find_name(name, header) for name in wish.names())


def _turns_numeric(wish: Wish, rows: list[list[str]]) -> bool:
    """Say whether the first line has no numbers but the second has them where they count."""
    if len(rows) < 2 or _has_number(rows[0]):
        return False
    given = wish.given()
    columns = [int(given[role]) for role in IDS] if "source" in given else [0, 1]
    if all(_has_integer(rows[1], column) for column in columns):
        return True
    return len(rows[0]) > 2 and _has_number(rows[1])


def _has_number(fields: list[str]) -> bool:
    return any(is_number(field) for field in fields)
