"""Files that are no graphs, refused by name: each with the words that tell what it is and what to do.

Only what is certain stands here. What is merely doubtful, and may be an edge list after all, is in ``doubts``.
"""

from __future__ import annotations

import re

from thinveil.graph.reading.formats.graphml import ROOT
from thinveil.graph.reading.head import Head

_EXPORT = "export its edges as CSV"
_MAGICS = {
    b"%PDF": f"a PDF document: {_EXPORT}",
    b"%!PS": f"a PostScript document: {_EXPORT}",
    b"{\\rtf": f"a document of a word processor: {_EXPORT}",
    b"SQLite format 3\0": f"an SQLite database: {_EXPORT}",
    b"\xd0\xcf\x11\xe0": f"an old Office document, such as .xls: {_EXPORT}",
    b"\x93NUMPY": "an array of numpy: write its pairs of nodes as text, with numpy.savetxt",
    b"ARROW1": "an Arrow or Feather file: write it as Parquet",
    b"FEA1": "an old Feather file: write it as Parquet",
    b"Obj\x01": "an Avro file: write it as Parquet",
    b"ORC": "an ORC file: write it as Parquet",
    b"RDX2": f"a file of R: {_EXPORT} with write.csv",
    b"RDX3": f"a file of R: {_EXPORT} with write.csv",
    b"X\n\0\0": f"a file of R: {_EXPORT} with write.csv",
    b"$FL2": f"a file of SPSS: {_EXPORT}",
    b"<stata_dta>": f"a file of Stata: {_EXPORT}",
    b"MATLAB ": f"a file of MATLAB: {_EXPORT}",
    b"\x89PNG": f"a picture: {_EXPORT}",
    b"\xff\xd8\xff": f"a picture: {_EXPORT}",
    b"GIF8": f"a picture: {_EXPORT}",
    b"7z\xbc\xaf": "a 7z archive: unpack it first",
    b"Rar!": "a rar archive: unpack it first",
    b"\x7fELF": "a program, not a graph",
    b">>graph6<<": "a graph6 file: write its edges as text",
    b"version https://git-lfs": "a Git LFS pointer, which stands for a file that was not fetched: run 'git lfs pull'",
    b"version https://hawser": "a Git LFS pointer, which stands for a file that was not fetched: run 'git lfs pull'",
    b"/annex/objects/": "a git-annex pointer, which stands for a file that was not fetched: run 'git annex get'",
    b"-----BEGIN ": "a key or a certificate: keep it out of other people's hands",
    b"-- MySQL dump": f"a database dump: {_EXPORT}",
    b"--\n-- PostgreSQL": f"a database dump: {_EXPORT}",
    b"diff --git ": "a patch of program code",
}
_PICKLE = re.compile(rb"\x80[\x02-\x05][\x95}\](cX\x8c]")
_TAR = slice(257, 262)
_STATEMENTS = re.compile(r"\s*(CREATE TABLE|INSERT INTO|DROP TABLE|BEGIN TRANSACTION|PRAGMA |SELECT )", re.IGNORECASE)
_LFS = re.compile(r"oid sha256:[0-9a-f]{64}$", re.MULTILINE)
_CODE = f"a program: {_EXPORT} with it"
_STARTS = tuple(
    (re.compile(start, re.IGNORECASE), what)
    for start, what in (
        (r"#!\s*/", _CODE),
        (r"<\?php", _CODE),
        (r"\s*dl\s+(n|nr|nc|nm|format|data|labels)\b", f"a DL file of UCINET: {_EXPORT}, or as Pajek"),
        (
            r"%\s*bip\b",
            "a graph of KONECT between two kinds of things, whose numbers say nothing of each other: write the "
            "ids of each kind in its own way, as u1 and g1, and leave the first line out",
        ),
        (r"begin:v(card|calendar)", f"a file of contacts or dates: {_EXPORT}"),
        (r"From \S+ .*\n(\S+: .*\n)", "a mailbox: write who wrote to whom as CSV"),
        (
            r"(From|To|Subject|Date|Received|Return-Path|Message-ID): .*\n([A-Za-z-]+: |\s)",
            "a mail: write who wrote to whom as CSV",
        ),
        (r"\s*(%[^\n]*\n\s*)*\\[a-z]+[\[{]", f"a LaTeX document: {_EXPORT}"),
        (r"\s*@\w+\{", f"a list of literature: {_EXPORT}"),
        (r"commit [0-9a-f]{7,40}\s", "a log of git: write who worked with whom as CSV"),
        (r">\S.*\n[A-Z*\n-]+\n", f"a file of sequences: {_EXPORT}"),
        (r"\s*(\w+ *<- *)?(structure|data\.frame|list|c)\(", f"an object that R printed: {_EXPORT} with write.csv"),
        (r"@startuml", f"a diagram of PlantUML: {_EXPORT}"),
        (r"\s*\{'", "a dictionary that Python printed: write it with json.dump"),
        (r"\s*\[[^\]\n]+\]\s*\n\s*[\w.-]+\s*=", f"a file of settings: {_EXPORT}"),
        (r"[^:\s]+:[^:\s]*:[0-9]*:[0-9]*:[^:\n]*:[^:\n]*:[^:\n]*\n", "a list of accounts"),
        (r"\s*[┌╔+|│][─═-]{3}", f"a table drawn for people: {_EXPORT}"),
    )
)
_PAGES = ("html", "head", "body", "script", "title", "meta")


def check_foreign(head: Head) -> None:
    """Refuse a file that is certainly no graph, or none of a kind that can be read."""
    what = _binary(head.source.data[:512].tobytes()) or _text(head)
    if what:
        raise head.source.fail(f"this is {what}")


def _binary(start: bytes) -> str | None:
    for magic, what in _MAGICS.items():
        if start.removeprefix(b"\xef\xbb\xbf").startswith(magic):
            return what
    if _PICKLE.match(start):
        return f"a pickle of Python, which could run any program when read: {_EXPORT}"
    return "a tar archive: unpack it first" if start[_TAR] == b"ustar" else None


def _text(head: Head) -> str | None:
    if _LFS.search(head.text[:1000]) and "\nsize " in head.text[:1000]:
        return _MAGICS[b"version https://git-lfs"]
    if _STATEMENTS.match(head.text):
        return f"a list of database statements: {_EXPORT}"
    if re.match(r"p\s+cnf\s", next((line for line in head.lines if not re.match(r"c(\s|$)", line)), "")):
        return "a formula in DIMACS, not a graph"
    if _is_lgl(head):
        return "an LGL file, with a node on each line that begins with #: write two ids on each line"
    known = next((what for start, what in _STARTS if start.match(head.text)), None)
    return known or _markup(head.text)


def _is_lgl(head: Head) -> bool:
    """Say whether comments are nodes, and the lines below each of them its neighbours, alone or with a weight."""
    named = [line[1:].split() for line in head.lines if line.startswith("#")]
    rows = [line.split() for line in head.data]
    if len(named) < 2 or not all(len(words) == 1 for words in named) or not head.lines[0].startswith("# "):
        return False
    is_weighted = all(len(row) == 2 and re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", row[1]) for row in rows)
    nodes = {words[0] for words in named}
    return bool(rows) and (is_weighted or all(len(row) == 1 for row in rows)) and bool(nodes & {row[0] for row in rows})


def _markup(text: str) -> str | None:
    if not text.lstrip().startswith("<"):
        return None
    root = ROOT.match(text)
    name = root[1].lower() if root else ""
    if name in _PAGES or "<html" in text[:2000].lower() or "<!doctype html" in text[:2000].lower():
        return "a web page, perhaps one that tells why a download failed: look at it, and fetch the file again"
    if name == "graphml":
        return None
    if name == "gexf":
        return "a GEXF file: export GraphML or CSV instead"
    is_xml = root is not None and ("</" in text or "/>" in text)
    return f"XML with the root <{name[:40]}>; of XML only GraphML can be read" if is_xml else None
