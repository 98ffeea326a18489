"""Compressed files, and text in UTF-16: what is inside is changed before it is packed, or the packed bytes are."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from functools import partial
from random import Random

import zstandard

from tests.fuzz.graphs import read_wished, wished
from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target
from tests.fuzz.text import EXAMPLES, TOKENS

Pack = Callable[[bytes], bytes]


def _zip(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("edges.csv", content)
        if len(content) % 3 == 0:
            archive.writestr("README", b"how they met")
    return buffer.getvalue()


def _zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=len(content) % 2 == 0).compress(content)


PACKS: dict[str, Pack] = {
    "gzip": partial(gzip.compress, mtime=0),
    "zstd": _zstd,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": _zip,
    "utf-16": lambda content: content.decode(errors="replace").encode("utf-16"),
}


def _make(pack: Pack, chance: Random, example: bytes) -> bytes:
    """Return a changed file that is packed well, a packed file that is changed, a bomb, or one packed twice."""
    lot = chance.random()
    if lot < 0.01:
        return wished(chance, pack(example * chance.choice((1_000, 20_000))))
    if lot < 0.02:
        return wished(chance, pack(chance.choice(list(PACKS.values()))(example)))
    changed = mutate(chance, example, chance.choice(EXAMPLES), TOKENS)
    if lot < 0.3:
        return wished(chance, pack(changed))
    packed = pack(example) + (pack(changed) if lot < 0.5 else b"")
    return wished(chance, mutate(chance, packed, pack(changed), (b"\xff" * 4, b"\0" * 4, b"PK\x03\x04", pack(b""))))


def _target(name: str, pack: Pack) -> Target:
    return Target(
        name,
        lambda: [b"\0" + pack(example) for example in EXAMPLES],
        read_wished,
        make=lambda chance, _: _make(pack, chance, chance.choice(EXAMPLES)),
    )


PACKED = tuple(_target(name, pack) for name, pack in PACKS.items())
