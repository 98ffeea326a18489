"""Compressed graph files: gzip, zstd, bzip2, xz, and zip with one graph inside, told by their first bytes.

Packed bytes are fed in small pieces, so that a file made to fill the memory is refused while it is still small. What
unpacks to something packed is refused too: nobody does that by accident more than once.
"""

from __future__ import annotations

import bz2
import io
import lzma
import mmap
import re
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import zstandard

from thinveil.errors import GraphFileError
from thinveil.runtime.memory import most_unpacked

Packed = bytes | bytearray | mmap.mmap

_PIECE = 4096  # of packed bytes; the worst, zstd, makes 128 MiB of it
_XZ_MEMORY = 2**28
_FEW_MEMBERS, _SMALLEST_MEMBER = 10_000, 256
# the first bytes of each kind, and what unpacks one member of a file of this kind
_KINDS: dict[str, tuple[re.Pattern[bytes], Callable[[], Any]]] = {
    "gzip": (re.compile(rb"\x1f\x8b"), lambda: zlib.decompressobj(wbits=31)),
    "zstd": (
        re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
        lambda: zstandard.ZstdDecompressor().decompressobj(),
    ),
    "bzip2": (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.BZ2Decompressor),
    "xz": (re.compile(rb"\xfd7zXZ\x00"), lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)),
}
_ZIP = re.compile(rb"PK(\x03\x04|\x05\x06)")
_BESIDE = re.compile(r"__MACOSX/|(.*/)?(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$", re.IGNORECASE)
_ABOUT = re.compile(
    r"(.*/)?((readme|read_me|licen[cs]e|copying|citation|notice|changelog|changes)([ ._-][^/]*)?"
    r"|[^/]*\.(md|rst|pdf|html?))$",
    re.IGNORECASE,
)
_UNPACK = "unpack it yourself and give the unpacked file"


def kind_of(content: Packed) -> str | None:
    """Return how a file is compressed, or None if it is not."""
    start = content[:16]
    if _ZIP.match(start):
        return "zip"
    return next((kind for kind, (magic, _) in _KINDS.items() if magic.match(start)), None)


def unpack(packed: Packed, name: str, scratch: Path | None = None) -> tuple[Packed, str]:
    """Return what is inside a compressed file, and which of several files was taken; hand anything else through.

    It comes in memory, or in a file of a scratch folder.
    """
    kind, taken = kind_of(packed), ""
    if kind is None:
        return packed, taken
    try:
        if kind == "zip":
            member, taken = _chosen_member(packed, name)
            pieces = _zip_pieces(packed, member)
        else:
            pieces = _pieces(packed, kind, name)
        content = _collect(pieces, len(packed), name) if scratch is None else _spill(pieces, len(packed), name, scratch)
    except GraphFileError:
        raise
    except EOFError:
        raise GraphFileError("the compressed file is cut off; fetch it again", path=name) from None
    except MemoryError:
        raise GraphFileError(f"the compressed file unpacks to more than memory holds; {_UNPACK}", path=name) from None
    except Exception as error:  # five libraries, each with errors of its own, and zipfile with any
        reason = (str(error).splitlines() or ["no reason given"])[0]
        raise GraphFileError(f"the compressed file is damaged ({reason}); fetch it again", path=name) from None
    inner = kind_of(content)
    if inner is not None:
        raise GraphFileError(f"this is compressed twice, with {kind} and {inner} inside it; {_UNPACK}", path=name)
    return content, taken


def _collect(pieces: Iterator[bytes], packed: int, name: str) -> bytearray:
    content, most = bytearray(), most_unpacked(packed)
    for piece in pieces:
        content += piece
        _check_size(len(content), most, packed, name)
    return content


def _spill(pieces: Iterator[bytes], packed: int, name: str, scratch: Path) -> Packed:
    """Write what is inside into a file, as far as the disk has room for it twice, and map that."""
    most = min(most_unpacked(packed, on_disk=True), shutil.disk_usage(scratch).free // 2)
    with open(scratch / "unpacked", "x+b") as file:
        for piece in pieces:
            file.write(piece)
            _check_size(file.tell(), most, packed, name)
        file.flush()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if file.tell() else b""


def _check_size(size: int, most: int, packed: int, name: str) -> None:
    if size > most:
        raise GraphFileError(
            f"{packed:,} compressed bytes unpack to more than {most:,}: this may be made to fill the memory; if it "
            f"is not, {_UNPACK}",
            path=name,
        )


def _pieces(packed: Packed, kind: str, name: str) -> Iterator[bytes]:
    """Unpack member after member: a file may have several, one behind the other."""
    new = _KINDS[kind][1]
    member, members = new(), 1
    is_padding_allowed = kind in ("gzip", "xz")
    for start in range(0, len(packed), _PIECE):
        rest = bytes(packed[start : start + _PIECE])
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\0") if is_padding_allowed else rest
                if not rest:
                    break
                member, members = new(), members + 1
                if members > _FEW_MEMBERS + start // _SMALLEST_MEMBER:
                    raise GraphFileError(f"the compressed file is made of too many parts; {_UNPACK}", path=name)
            yield member.decompress(rest)
            rest = member.unused_data if member.eof else b""
    if not member.eof:
        raise EOFError


def _zip_pieces(packed: Packed, chosen: zipfile.ZipInfo) -> Iterator[bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive, archive.open(chosen) as member:
        while piece := member.read(1 << 20):
            yield piece


def _chosen_member(packed: Packed, name: str) -> tuple[zipfile.ZipInfo, str]:
    """Return the file in which the graph is, and its name where others were left aside that only tell about it."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        inside = archive.namelist()
        if any(one in ("[Content_Types].xml", "xl/workbook.xml", "content.xml") for one in inside):
            raise GraphFileError("this is a spreadsheet; save the sheet as CSV", path=name)
        files = [one for one in archive.infolist() if not one.is_dir() and not _BESIDE.match(one.filename)]
    graphs = [one for one in files if not _ABOUT.fullmatch(one.filename)] if len(files) > 1 else files
    if len(graphs) != 1:
        listed = ", ".join(repr(one.filename) for one in files[:5]) + (", ..." if len(files) > 5 else "")
        problem = f"this zip archive has {len(files)} files inside{': ' if files else ''}{listed}; unpack it first"
        raise GraphFileError(problem, path=name)
    if graphs[0].flag_bits & 1:
        raise GraphFileError("this zip archive is locked with a password; unpack it first", path=name)
    return graphs[0], f"{graphs[0].filename[:60]!r} out of the zip archive" if len(files) > 1 else ""
