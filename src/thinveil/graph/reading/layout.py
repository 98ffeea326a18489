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
from thinveil.graph.reading.contents import columns_of, counts_up, holds_numbers, holds_values
from thinveil.graph.reading.head import SEPARATOR, Head, raw_lines
from thinveil.graph.reading.headings import guess_header, has_twins_below
from thinveil.graph.reading.labels import is_missing
from thinveil.graph.reading.names import is_header, stem
from thinveil.graph.reading.sources import Source

BLANKS = " "  # as a delimiter: any run of spaces and tabs
DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": BLANKS, "pipe": "|"}
CANDIDATES = ("\t", ",", ";", "|", BLANKS)
_INTEGER = re.compile(r"[+-]?[0-9]+")
# possessive (++): a long run of digits is looked at once
_NUMBER = re.compile(r"[+-]?([0-9]++(\.[0-9]*+)?|\.[0-9]++)([eE][+-]?[0-9]++)?")
_QUOTED = re.compile(r'"((?:[^"]|"")*+)"')  # it gives nothing back: a line of quotes takes no time to refuse
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_EXPECTED = "expected two node ids on each line, separated by a tab, spaces, a comma, a semicolon or a pipe"
_HEXADECIMAL = re.compile(r"[0-9a-f]{6,}|[0-9A-F]{6,}")
_SAFE_DIGITS, _LONGEST_NUMBER = 18, 1000
RETURNS = "the lines end with a carriage return alone; convert the file to Unix line ends"
OPEN_QUOTE = "a quoted cell goes on over the next line: export the table without that column, or as Parquet"
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
    """Where the edges of a text file are: from byte ``start`` on, ``choice`` says in which columns.

    ``is_guess``: the first lines say that the first of them is a header, and all lines must bear it out.
    """

    delimiter: str
    start: int
    choice: Choice
    width: int
    integers: bool
    names: Sequence[str] | None = None
    header_lines: int = 0
    is_guess: bool = False

    def roles(self) -> list[str]:
        """Return what is read, source and target first."""
        return [*IDS, *(role for role in self.choice if role not in IDS)]


def sniff_layout(head: Head, wish: Wish, *, delimiter: str | None, ids: str, may_guess: bool = True) -> Layout:
    """Find out how a text file is laid out, or say why it cannot be an edge list.

    The first two lines decide; only whether the first of them is a header is also told by the lines below.
    """
    source = head.source
    lines = _first_lines(source)
    split_by = check_delimiter(delimiter) if delimiter else _sniff_delimiter([line.text for line in lines], head.data)
    rows = [split_line(line.text, split_by) for line in lines]
    if len(rows[0]) < 2:
        problem = f"{quote(lines[0].text)} has only one column; {_EXPECTED}"
        if is_integer(lines[0].text.strip()) and len(rows[-1]) > 1:
            problem += " (if it is the number of nodes or edges, remove it)"
        raise source.fail(problem, offset=lines[0].start)
    below = [split_line(line, split_by) for line in head.data[1:]] or rows[1:]  # comments may outgrow the head
    names, skipped = _find_header(wish, rows, lines[0], split_by, below)
    is_guess = (
        names is None and may_guess and not _has_number(rows[0]) and guess_header(_without_repeats(rows[0], below))
    )
    if is_guess:
        names, skipped = rows[0], 1
    if skipped == len(lines) or (len(lines) == 1 and len(rows[0]) > 2 and not names and not _has_number(rows[0])):
        raise source.fail("there is a header but no edges below it; look whether this is the right file")
    try:
        choice = choose_columns(wish, names, len(names or rows[0]), below if skipped else [rows[0], *below])
    except InputError as error:
        raise source.fail(str(error)) from None
    first = rows[skipped]
    are_integers = all(_has_integer(first, choice[role]) for role in IDS) and not _are_codes(below, choice)
    integers = ids == "integer" or (ids == "auto" and are_integers)
    if integers and delimiter is None and split_line(lines[skipped].text, BLANKS) == first:
        split_by = BLANKS  # files of numbers often mix tabs and spaces
    # an empty field would go unseen among blanks, and its right neighbour be taken for it: count them all
    width = max(1 + max(choice.values()), count_columns(first) if split_by == BLANKS else 0)
    # comments below a header stand among the edges
    start = source.line_end(lines[0].start) if skipped else lines[0].start
    return Layout(split_by, start, choice, width, integers, names, skipped, is_guess)


def count_columns(fields: list[str]) -> int:
    """Return the number of fields before a comment, or what networkx writes about an edge: {'weight': 3}."""
    return next(
        (place for place, field in enumerate(fields) if place > 1 and field.startswith(("{", "#"))), len(fields)
    )


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


def has_open_quote(text: str, delimiter: str) -> bool:
    """Say whether a double quote opens a field and does not close it, as the kernel does: the cell goes on below."""
    blanks = " \t" if delimiter != "\t" else " "
    parting = re.compile(r"[ \t]" if delimiter == BLANKS else re.escape(delimiter))
    position = _skip(text, 0, blanks)
    while True:
        if delimiter == BLANKS and text[position : position + 1] in ("#", "{"):
            return False
        quoted = _QUOTED.match(text, position)
        if quoted is None and text.startswith('"', position):
            return True
        parted = parting.search(text, quoted.end() if quoted else position)
        if parted is None:
            return False
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
        raise source.fail(RETURNS)
    if not lines:
        raise source.fail(f"the file holds only comments and blank lines; {_EXPECTED}")
    return lines


def _data_lines(source: Source) -> Iterator[Line]:
    comment, is_first = None, True
    for start, line in raw_lines(source):
        stripped = line.strip(b" \t\r")
        if stripped.startswith((b"#", b"%")):
            if b"\r" in stripped:
                raise source.fail(RETURNS, offset=start)
            comment = stripped.decode("utf-8", errors="replace").lstrip("#%").strip()
        elif stripped and not (is_first and SEPARATOR.fullmatch(stripped.decode(errors="replace"))):
            yield Line(line_text(source, start), start, comment)
            comment = None
        is_first &= not stripped


def _sniff_delimiter(texts: list[str], head: list[str]) -> str:
    """Choose the delimiter that separates numbers if there is one, else the first that separates anything."""
    if _parts_full_names(head):
        return ";"
    for lines in (texts, texts[:1]):
        parting = [d for d in CANDIDATES if all(len(split_line(text, d)) > 1 for text in lines)]
        # a quoted field keeps its first quote where what parts columns stands inside it
        parting = [d for d in parting if not any(f.startswith('"') for t in lines for f in split_line(t, d))] or parting
        if ";" in parting and not any("," in _DECIMAL_COMMA.sub("", text) for text in lines):
            parting = [d for d in parting if d != ","]  # 1;2;1,5: these are decimal commas
        numeric = [d for d in parting if _parts_numbers(split_line(lines[-1], d))]
        if parting:
            return (numeric or parting)[0]
    return BLANKS


def _parts_full_names(lines: list[str]) -> bool:
    """Say whether semicolons part names that have commas in them: Meyer, Anna;Gross, Emil."""
    rows = [split_line(line, ";") for line in lines]
    have_commas = all(re.search(r"[^\W\d], ?[^\W\d]", field) for row in rows for field in row[:2])
    return have_commas and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1


def _parts_numbers(fields: list[str]) -> bool:
    """Say whether the first two fields are integers, or telephone numbers, which may have spaces in them."""
    return all(_has_integer(fields, k) for k in (0, 1)) or all(map(is_telephone, fields[:2]))


def is_telephone(text: str) -> bool:
    """Say whether a field is digits in groups, as in +225 07 01 02 03."""
    return _TELEPHONE.fullmatch(text) is not None and sum(map(str.isdecimal, text)) >= 7


def _are_codes(rows: list[list[str]], choice: Choice) -> bool:
    """Say whether ids that begin with integers are none: hexadecimal ones of one length, or larger than 64 bits."""
    ids = [row[choice[role]] for row in rows for role in IDS if choice[role] < len(row)]
    if all(map(is_integer, ids)):
        big = sum(_SAFE_DIGITS < len(label) < _LONGEST_NUMBER and int(label) >= 2**64 for label in ids)
        return 2 * big > len(ids)
    return len({len(label) for label in ids}) == 1 and all(map(_HEXADECIMAL.fullmatch, ids))


def _has_integer(fields: list[str], column: int) -> bool:
    return column < len(fields) and is_integer(fields[column])


def _find_header(
    wish: Wish, rows: list[list[str]], first: Line, delimiter: str, below: list[list[str]]
) -> tuple[list[str] | None, int]:
    """Return the names of the columns, if there are any, and how many lines they take away from the data."""
    comment = split_line(first.comment, delimiter) if first.comment else []
    if wish.names() and not _names_any(wish, rows[0]):
        if _names_any(wish, comment):
            return comment, 0
        return (None, 0) if _has_number(rows[0]) else (rows[0], 1)
    if wish.names():
        return rows[0], 1
    others = _without_repeats(rows[0], below)
    if _turns_numeric(wish, rows) or _is_above_values(others) or _is_numbered(others):
        return rows[0], 1
    pair = known_pair(rows[0])
    is_listed = not _has_number(rows[0]) and is_header(others) and not has_twins_below(others)
    if is_listed or (pair and not _occurs_below(pair, others)):
        return rows[0], 1
    if len(comment) == len(rows[0]) and known_pair(comment):
        return comment, 0
    return None, 0


def _without_repeats(first: list[str], below: list[list[str]]) -> list[list[str]]:
    """Return all rows without the first one again: files put together have several headers."""
    lowered = [field.lower() for field in first]
    return [first, *(row for row in below if len(row) != len(first) or [field.lower() for field in row] != lowered)]


def _is_above_values(rows: list[list[str]]) -> bool:
    """Say whether a word stands above a column of dates, times or fractions alone."""
    first, width = rows[0], len(rows[0])
    if len(rows) < 2 or width < 3 or _has_number(first) or any(holds_numbers([field]) for field in first):
        return False
    columns = columns_of(rows[1:], width)
    return any(columns[k] and not is_missing(first[k]) and holds_values(columns[k]) for k in range(width))


def _is_numbered(rows: list[list[str]]) -> bool:
    """Say whether columns have numbers for names, as pandas writes them beside those of the rows: ,0,1."""
    first = rows[0]
    is_numbered = len(first) > 2 and first == ["", *(str(k) for k in range(len(first) - 1))]
    return is_numbered and len(rows) > 1 and counts_up([row[0] for row in rows[1:]])


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
    pairs = zip(rows[0], rows[1], strict=False)
    return len(rows[0]) > 2 and any(is_number(below) and not is_missing(above) for above, below in pairs)


def _has_number(fields: list[str]) -> bool:
    return any(is_number(field) for field in fields)
