"""Doubts about what stands in a cell: half an id, several ids, or an id with quotes or brackets around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from unicodedata import normalize

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.doubts.rows import AFTER_ALL, UNSEEN, Rows, Whole
from thinveil.graph.reading.layout import BLANKS, is_number, quote

_OPENED = re.compile(r"(- ?)?[\[({].*[^\])}]|\w+\([^()]+")  # (1; knows(anna
_QUOTES = ("''", "``", "‘’", "“”", "”“", "„“", "””", "«»", "‹›")
_SEVERAL = (";", "|", ",", " ")
_SURE = ";|"  # what parts ids in a cell; a comma and a space are found in names too
_NOBODY = (
    *("unknown", "anonymous", "anonym", "withheld", "private", "private number", "unavailable", "undefined", "none"),
    *("null", "n.a.", "(null)", "(none)", "(blank)", "unbekannt", "inconnu", "desconocido", "desconhecido"),
    *("sconosciuto", "onbekend", "<unknown>", "not available", "no caller id", "missing", "hidden", "restricted"),
    *("redacted", "masked", "blocked", *("x" * size for size in range(4, 17))),
)
_STROKES = "-=+|_*~.:"
_FORMULA = re.compile(r"=[A-Z@+(-]")
_FIRST_ACCENT = 0x300  # of those that stand alone
_LIST = re.compile(r"\[.*\]|\{.*[,'\"].*\}|\(.*,.*\)")
_MANY = 1000  # labels that are looked at one by one


def cut_ids(rows: Rows, options: Options) -> str | None:
    """Phone numbers and names with spaces, which spaces between columns cut up."""
    width = rows.width()
    if rows.delimiter != BLANKS or options.delimiter:
        return None
    fields = rows.fields
    has_plus = all(row[0].startswith("+") for row in fields)
    is_constant = len(fields) > 1 and len({row[0] for row in fields}) == 1
    is_padded = width >= 4 and width % 2 == 0 and all(_is_group(row) for row in fields)
    if (has_plus and (is_constant or min(map(len, fields)) > 2)) or is_padded or _is_cut_name(rows, width):
        return (
            f"{quote(rows.lines[-1], 60)}: ids with spaces in them would be cut up: put a comma or a tab between "
            "the two ids, and pass --delimiter"
        )
    return None


def _is_group(row: Sequence[str]) -> bool:
    is_short = all(field.isdecimal() and 2 <= len(field) <= 4 for field in row)
    return is_short and any(field.startswith("0") for field in row)


def _is_cut_name(rows: Rows, width: int) -> bool:
    if rows.integers or width < 4 or width % 2 or len(rows.fields) < 2:
        return False
    columns = [set(column) for column in zip(*rows.fields, strict=True)]
    if any(is_number(field) for column in columns for field in column) or columns[0] & columns[1]:
        return False
    return any(columns[place] & columns[place + width // 2] for place in range(width // 2))


def brackets(rows: Rows, options: Options) -> str | None:
    """Find pairs as a program prints them: a bracket opens before the first id, and does not close behind it."""
    opened = sum(_OPENED.fullmatch(field) is not None for field in rows.column("source"))
    if 5 * opened >= 4 * len(rows.fields):
        shown = rows.lines[0] if rows.lines else rows.column("source")[0]
        return f"{quote(shown, 60)} is in brackets: write two ids on each line, with a comma between them"
    return None


def quoted(whole: Whole, options: Options) -> str | None:
    """Find ids in other quotes than double ones, of which a part is quoted, or all."""
    texts = whole.texts
    if texts is None:
        return None
    for opening, closing in map(tuple, _QUOTES):
        is_quoted = np.char.startswith(texts, opening) & np.char.endswith(texts, closing) & (np.char.str_len(texts) > 2)
        found = texts[is_quoted]
        is_mixed = any(whole.find(label[1:-1]) >= 0 for label in found[:_MANY].tolist())
        if found.size and (is_mixed or 2 * found.size > texts.size):
            return (
                f"the id {quote(str(found[0]), 30)} stands in quotes that are none in CSV: write double quotes, or none"
            )
    return None


def several(whole: Whole, options: Options) -> str | None:
    """Find cells with several ids in them, as the recipients of a mail."""
    texts = whole.texts
    for mark in _SEVERAL if texts is not None else ():
        found = np.flatnonzero(np.char.find(texts, mark) > 0)  # type: ignore[arg-type]
        if not found.size:
            continue
        cells = [node for node in found[:_MANY].tolist() if _are_ids(whole, node, mark)]
        if not cells and mark in _SURE and _is_one_sided(whole, found):
            cells = found[:1].tolist()
        if mark not in _SURE and not _are_lists(whole, cells):
            continue
        if cells:
            label = whole.label(cells[0])
            return (
                f"the cell {quote(label, 60)} seems to hold several ids: write a line for each pair, or pass "
                "--format edge-list if it is one id"
            )
    return None


def _are_ids(whole: Whole, node: int, mark: str) -> bool:
    """Say whether the parts of a label are ids themselves: all of them, or one beside a mark that names do not have."""
    parts = [part for part in map(str.strip, whole.label(node).split(mark)) if part]
    known = sum(whole.find(part) >= 0 for part in parts)
    are_mails = all("@" in part for part in parts)
    return len(parts) > 1 and (known == len(parts) or are_mails or (mark in _SURE and known > 0))


def _are_lists(whole: Whole, cells: list[int]) -> bool:
    """Say whether what names have in them too parts ids here: Anna Maria may be one, beside Anna and Maria."""
    return len(cells) > 1 and not whole.sides[:, cells].any(axis=1).all()


def _is_one_sided(whole: Whole, found: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    """Say whether a mark stands in many ids of one column, and in none of the other."""
    has_mark = np.zeros(whole.node_count, dtype=np.bool_)
    has_mark[found] = True
    shares = sorted(float(has_mark[side].mean()) for side in whole.sides)
    return shares[0] == 0 and shares[1] >= 0.2 and whole.edges.source.size > 2


def nobody(whole: Whole, options: Options) -> str | None:
    """Find ids that stand for nobody: all calls from unknown numbers would be one person's."""
    forms = (form(word) for word in _NOBODY for form in (str, str.capitalize, str.upper, str.title))
    found = next((text for text in forms if whole.find(text) >= 0), None)
    if found is None:
        return None
    return (
        f"the id {quote(found)} stands for nobody, or for many: remove its rows, or pass --format edge-list if it is "
        "somebody's"
    )


def drawn(whole: Whole, options: Options) -> str | None:
    """Find lines that are drawn in a table of text, and formulas of a spreadsheet."""
    line = next((label for label in whole.odd.tolist() if len(label) > 1 and not label.strip(_STROKES)), None)
    if line is not None:
        return f"the cell {quote(line, 30)} is a line drawn for people: remove the line, or export the table as CSV"
    formula = next((label for label in whole.odd.tolist() if _FORMULA.match(label)), None)
    if formula is not None:
        return f"the cell {quote(formula, 30)} is a formula of a spreadsheet: export the values"
    return None


def invisible(whole: Whole, options: Options) -> str | None:
    """Find two ids that differ by blanks which nobody sees, such as one that does not break."""
    texts = whole.texts
    if texts is None:
        return None
    bares: set[str] = set()
    for label in whole.padded.tolist():
        bare = label.strip(UNSEEN)
        if not bare or bare in bares or whole.find(bare) >= 0:
            return f"the ids {quote(label, 40)} and {quote(bare, 40)} differ by blanks that nobody sees: remove these"
        bares.add(bare)
    return None


def spelled_twice(whole: Whole, options: Options) -> str | None:
    """Find two ids of the same letters, with accents that stand alone in one and are part of a letter in the other."""
    texts = whole.texts
    if texts is None or np.ascontiguousarray(texts).view(np.uint32).max() < _FIRST_ACCENT:
        return None
    seen: set[str] = set()
    for label in texts.tolist():
        composed = normalize("NFC", label)
        if composed != label and (composed in seen or whole.find(composed) >= 0):
            return (
                f"the id {quote(composed, 40)} is spelled with two kinds of accents, which look the same (Unicode NFC "
                "and NFD): spell all ids in one way, in Python by unicodedata.normalize('NFC', id)"
            )
        seen |= {composed} if composed != label else set()
    return None


def mails(whole: Whole, options: Options) -> str | None:
    """Find one mail address that is written in capitals here and not there: to the post, both are one."""
    if whole.texts is None:
        return None
    seen: dict[str, str] = {}
    for label in whole.texts[np.char.find(whole.texts, "@") > 0].tolist():
        other = seen.setdefault(label.lower(), label)
        if other != label:
            return (
                f"the ids {quote(other, 40)} and {quote(label, 40)} are one mail address: write all of them in small "
                "letters, or pass --format edge-list if they are two"
            )
    return None


def lists(whole: Whole, options: Options) -> str | None:
    """Find lists as programs print them in the cells of one column: ['lea', 'max'], [19, 27]."""
    found = [label for label in whole.odd.tolist() if _LIST.fullmatch(label)]
    if not found:
        return None
    nodes = np.array([whole.find(label) for label in found])
    shares = sorted(float(counts[nodes].sum() / whole.edges.source.size) for counts in whole.counts_by_side)
    if shares[0] > 0 or 2 * shares[1] < 1:
        return None
    return f"the cell {quote(found[0], 40)} is a list: write a line for each pair of ids; {AFTER_ALL}"


def prefixed(whole: Whole, options: Options) -> str | None:
    """Find what a program put before the ids of one column, as grep does the name of the file."""
    if whole.texts is None:
        return None
    sides = [whole.texts[side] for side in whole.sides]
    for mine, other in (sides, sides[::-1]):
        prefix = re.sub(r"[^:/]*$", "", _common_start(str(mine[0]), str(mine[-1])))
        if not prefix or mine.size < 3:
            continue
        bare = [re.sub(r"^[0-9]+:", "", label.removeprefix(prefix)) for label in mine[:_MANY].tolist()]
        if 3 * int(np.isin(bare, other).sum()) >= len(bare):
            return (
                f"{quote(prefix, 40)} stands before all ids of one column, and not before those of the other: remove "
                f"it there (grep: -h); {AFTER_ALL}"
            )
    return None


def _common_start(first: str, last: str) -> str:
    """Return how both texts begin, and so do all that stand between them in order."""
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
