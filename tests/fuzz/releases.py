"""Releases and their truths: damaged files under right checksums, and tables that hold what they should not.

A case is a zip of all files of a release.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import tempfile
import tomllib
import zipfile
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import tomli_w

from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target
from tests.fuzz.trees import change_tree

_TOKENS = (b"PAR1", b"\x15\x00", b"\xff\xff\xff\x0f", b"subgraphs = 5\n", b"\x19\x4c")
_NUMBERS = (-1, 0, 1, 2, 4, 5, 127, 2**31 - 1, 2**31, 2**48, 2**63 - 1)
_KINDS = (pl.Int8, pl.Int16, pl.UInt64, pl.Float32, pl.Float64, pl.String, pl.Boolean, pl.Int128, pl.Date, pl.Binary)
Files = dict[str, bytes]


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="thinveil-fuzz-")


@cache
def _examples() -> list[bytes]:
    from thinveil.graph import Graph
    from thinveil.runtime.keys import Key
    from thinveil.schemes import make_scheme, seal

    rng, found = np.random.default_rng(1), []
    ends = rng.integers(40, size=(2, 150))
    columns = {"weight": rng.random(150), "direction": rng.integers(0, 2, 150), "time": rng.integers(0, 3, 150)}
    labels = np.array([f"p{v}" for v in range(40)])
    for scheme, more in (("d4d-1:egonets=4,min_size=5", {"columns": columns}), ("d4d-2:egonets=4,min_size=5", {}),
                         ("pseudonyms", {"labels": labels})):  # fmt: skip
        graph = Graph.from_edges(*ends, node_count=40, **more)
        found.append(_pack(_files(seal(make_scheme(scheme).publish(graph, seed=1), Key.of_seed(1)))))
    return found


def _files(release: object) -> Files:
    from thinveil.schemes import write_release

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_release(release, place / "out", place / "truth")  # type: ignore[arg-type]
        return {path.name: path.read_bytes() for path in (*sorted((place / "out").iterdir()), place / "truth")}


def _pack(files: Files) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def _unpack(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _read(data: bytes) -> None:
    from thinveil.features import make_channels, observe
    from thinveil.features.channels.events import KINDS
    from thinveil.features.views import Needs
    from thinveil.schemes import read_release

    place = Path(_folder().name)
    shutil.rmtree(place / "out", ignore_errors=True)
    (place / "out").mkdir()
    for name, content in _unpack(data).items():
        (place / "truth" if name == "truth" else place / "out" / name).write_bytes(content)
    release = read_release(place / "out", place / "truth")
    assert release.secret is not None
    sizes = [one.node_count for one in release.public]
    assert sizes == [one.people.size for one in release.secret]
    assert release.egos.size <= len(release)
    observe(release.public, Needs(make_channels(["degrees", "two-hop"], bins=5), neighbors=True), min_degree=1)
    rows = release.public[0].rows
    if rows is not None and {"weight", "direction", "time"} <= set(rows.columns):
        observe(release.public, Needs(make_channels(KINDS)), min_degree=1)


def _make(chance: Random, example: bytes, *, names: tuple[str, ...]) -> bytes:
    files = _unpack(example)
    name = chance.choice([name for name in files if name in names])
    if name == "release.toml" and chance.random() < 0.7:
        changed = change_tree(chance, tomllib.loads(files[name].decode()))
        files[name] = tomli_w.dumps(changed).encode() if isinstance(changed, dict) else b""
        return _pack(files)
    if name != "release.toml" and chance.random() < 0.6:
        files[name] = _change_table(chance, files[name])
    else:
        files[name] = mutate(chance, files[name], chance.choice(list(files.values())), _TOKENS)
    return _pack(files if name in ("truth", "release.toml") else _mend(files))


def _mend(files: Files) -> Files:
    """Put right checksums on the tables."""
    about = tomllib.loads(files["release.toml"].decode())
    about["sha256"] = {name: hashlib.sha256(files[name]).hexdigest() for name in files if name.endswith(".parquet")}
    return {**files, "release.toml": tomli_w.dumps(about).encode()}


def _change_table(chance: Random, content: bytes) -> bytes:
    table = pl.read_parquet(content)
    name = chance.choice(table.columns)
    kind = chance.randrange(6)
    if kind == 0:
        rows = [chance.randrange(len(table)) for _ in range(chance.choice((0, 1, len(table), len(table) + 1)))]
        table = table[rows]
    elif kind == 1:
        table = table.drop(name) if chance.random() < 0.5 else table.with_columns(table[name].alias("more"))
    elif kind == 2:
        with contextlib.suppress(pl.exceptions.PolarsError):  # not every kind becomes every other
            table = table.with_columns(table[name].cast(chance.choice(_KINDS), strict=False))
    elif kind == 3:
        table = table.with_columns(table[name].shuffle(seed=chance.randrange(100)))
    else:
        table = table.with_columns(_change_column(chance, table[name]))
    buffer = io.BytesIO()
    table.write_parquet(buffer, compression=chance.choice(("zstd", "snappy", "uncompressed", "lz4", "gzip")))
    return buffer.getvalue()


def _change_column(chance: Random, column: pl.Series) -> pl.Series:
    values = column.to_list()
    for _ in range(chance.choice((1, 1, 5, len(values)))):
        place = chance.randrange(len(values))
        values[place] = chance.choice((None, values[chance.randrange(len(values))], *_NUMBERS))
        if isinstance(values[place], int) and column.dtype == pl.String:
            values[place] = str(values[place])
    return pl.Series(column.name, values, dtype=column.dtype if chance.random() < 0.5 else None, strict=False)


_TABLES = ("release.toml", "nodes.parquet", "edges.parquet", "events.parquet")
RELEASE = Target("release", _examples, _read, make=partial(_make, names=_TABLES))
TRUTH = Target("truth", _examples, _read, make=partial(_make, names=("truth",)))
