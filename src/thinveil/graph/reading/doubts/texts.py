"""Doubts about text that is written for people or machines, not tables: logs, settings, programs, prose."""

from __future__ import annotations

import re

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.doubts.rows import AFTER_ALL, Rows
from thinveil.graph.reading.layout import BLANKS, quote

_LOG = re.compile(
    r"(<[0-9]+>)?[A-Z][a-z]{2} +[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} "  # Nov 18 08:00:01 host ...
    r"|\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9]{2}:[0-9]{2}"  # 2026-11-18 08:00:01 ...
    r"|\S+ \S+ \S+ \[[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:"  # 10.0.0.1 - - [18/Nov/2026: ...
    r"|\[ *[0-9]+[.:][0-9]+|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]"  # [   12.345678] ..., [Wed Nov 18 ...
    r"|\[?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b"
    r"|[a-z_]+=\S+ [a-z_]+=|[A-Z]/\S+ *\( *[0-9]+\):"  # time=... level=..., D/Tag( 123):
)
_MARKED = re.compile(r"[()=;'\"<>]|[^}]\{|\}[^}]")
_CODE = re.compile(r"[;{:\\]$|^[})\]]|[=(]|^(//|/\*|--|\*/)|\bend$")
_ABOUT_EDGE = re.compile(r"\{.*\}$")  # networkx: {'weight': 3}
_COMMANDS = """
alias apt cd chmod class const cp def done echo else end export fi fn from func function git if import include let
library ls make mkdir mod module mv npm open package pip pub require return rm set sudo unset use using var
"""
_KEYWORDS = frozenset(_COMMANDS.split())
_VALUE_OF = re.compile(r"[0-9]+:-?[0-9.]+")  # 3:0.5 in files for learners
_STOP = re.compile(r"\w[.,;:!?]$")
_WORDS_OF_PROSE = 4  # in the middle field of an id column: names have fewer


def log(rows: Rows, options: Options) -> str | None:
    """Find lines that begin with a time, as logs do."""
    hits = sum(_LOG.match(line) is not None or "*" in line.split() for line in rows.lines)
    if rows.delimiter == BLANKS and 5 * hits >= 4 * len(rows.lines):
        return f"this looks like a log, not like edges: export who met whom as CSV; {AFTER_ALL}"
    return None


def program(rows: Rows, options: Options) -> str | None:
    """Find settings, ``name: value``, and programs: lines of words, with marks that ids do not have."""
    if rows.integers or rows.delimiter != BLANKS or not rows.ids():
        return None
    marked = sum(_MARKED.search(field) is not None for field in rows.ids())
    coded = sum(_CODE.search(_ABOUT_EDGE.sub("", line).rstrip()) is not None for line in rows.lines)
    is_sparse = all(_VALUE_OF.fullmatch(field) for field in rows.column("target"))
    is_settings = all(field.endswith(":") for field in rows.column("source"))
    is_listed = all(field in _KEYWORDS for field in rows.column("source"))
    if is_settings or is_listed or is_sparse or 4 * marked >= len(rows.ids()) or 3 * coded >= len(rows.lines):
        return (
            f"{quote(rows.lines[-1], 60)}: this looks like settings or a program, not like edges: if each line is "
            f"a node and its neighbours, pass --format adjacency; {AFTER_ALL}"
        )
    return None


def prose(rows: Rows, options: Options) -> str | None:
    """Find text in sentences: words with stops behind them, or whole phrases between commas."""
    fields = rows.ids()
    if rows.integers or not rows.lines or not fields:
        return None
    stops = sum(_STOP.search(field) is not None for field in fields)
    # telephone numbers are written in groups of digits
    lengths = sorted(sum(any(map(str.isalpha, word)) for word in field.split()) for field in fields)
    is_worded = rows.delimiter == BLANKS and 12 * stops >= len(fields) and stops > 1
    if is_worded or (len(rows.fields) > 2 and lengths[len(lengths) // 2] >= _WORDS_OF_PROSE):
        return f"{quote(rows.lines[-1], 60)}: this looks like text for people to read, not like edges; {AFTER_ALL}"
    return None
