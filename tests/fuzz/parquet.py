"""Parquet tables: mostly the footer is changed, where a table says of itself what it is."""

from __future__ import annotations

import io
from functools import cache
from random import Random

from tests.fuzz.graphs import read_wished, wished
from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target


@cache
def _examples() -> tuple[bytes, ...]:
    import polars as pl

    numbers = {"u": [1, 2, 3] * 20, "v": [4, 5, 6] * 20, "w": [0.5, 1.5, 2.5] * 20}
    texts = {"caller": ["a", "b", "c", "d"] * 9, "callee": ["x", "y", "z", "a"] * 9, "t": [[1, 2], [3], None, []] * 9}
    files = []
    for compression in ("uncompressed", "snappy", "zstd", "gzip", "lz4"):
        for columns in (numbers, texts):
            buffer = io.BytesIO()
            pl.DataFrame(columns).write_parquet(buffer, compression=compression, statistics=len(files) % 4 < 2)  # type: ignore[arg-type]
            files.append(buffer.getvalue())
    return tuple(files)


def _make(chance: Random, example: bytes) -> bytes:
    if chance.random() < 0.4:
        return wished(chance, mutate(chance, example, chance.choice(_examples()), (b"PAR1",)))
    start = len(example) - 8 - int.from_bytes(example[-8:-4], "little")
    footer = bytearray(example[start:-8])
    for _ in range(1 + int(4 * chance.random() ** 2)):
        _change(chance, footer)
    body = example[:start] if chance.random() < 0.8 else mutate(chance, example[:start], example, ())
    return wished(chance, body + bytes(footer) + len(footer).to_bytes(4, "little") + b"PAR1")


def _change(chance: Random, footer: bytearray) -> None:
    place, lot = chance.randrange(len(footer) + 1), chance.random()
    if lot < 0.5 and place < len(footer):
        footer[place] = chance.randrange(256)
    elif lot < 0.8:
        footer[place:place] = bytes([chance.choice((0, 0xFF, 0x80, 0x7F, 0x1C, 0x19))] * chance.choice((1, 4, 9, 500)))
    else:
        del footer[place : place + chance.randrange(5)]


PARQUET = Target(
    "parquet", lambda: [b"\0" + example for example in _examples()[::2]], read_wished, make=lambda c, e: _make(c, e[1:])
)
