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
    return _markup(head.text)


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
