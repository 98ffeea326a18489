"""Files of scores: ``.npy`` (a matrix), ``.npz`` (a sparse matrix of scipy) and ``.csv`` (node, person, score).

A file comes from somebody else's program: its kind, its size and its types are looked at before anything is read, no
pickle is ever opened, and one line says what is wrong.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from thinveil.attacks.matching.base import F64, I32
from thinveil.errors import InputError
from thinveil.graph import Graph

MOST_SCORES = 100_000_000
"""More scores than this are not read."""

_SPARSE = {"csr": ("indptr", "indices"), "csc": ("indptr", "indices"), "coo": ("row", "col")}
_COLUMNS = ["node", "person", "score"]


class Scores(NamedTuple):
    """One line per candidate: its node, its person, and its score."""

    node: I32
    person: I32
    score: F64


def read_scores(path: Path, auxiliary: Graph, target: Graph) -> Scores:
    """Read a file of scores, by its ending."""
    readers = {".npy": _read_matrix, ".npz": _read_sparse, ".csv": _read_table}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: scores are read from .npy, .npz and .csv files: give the file one of these endings")
    try:
        scores = reader(path, auxiliary, target)
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    if not np.isfinite(scores.score).all():
        raise InputError(f"{path}: a score is not a number, or infinite: give finite scores only")
    return scores


def _read_matrix(path: Path, auxiliary: Graph, target: Graph) -> Scores:
    with path.open("rb") as file:
        shape, kind = _read_head(path, file, path.name)
    _check_shape(path, shape, auxiliary, target)
    _check_kind(path, kind)
    _check_count(path, int(np.prod(shape, dtype=object)))
    try:
        table = np.load(path, allow_pickle=False)  # mapped, a file that is cut meanwhile ends the process
    except ValueError:
        raise _damaged(path) from None
    node, person = (each.astype(np.int32).ravel() for each in np.indices(shape, sparse=False, dtype=np.int32))
    return Scores(node, person, np.asarray(table, dtype=np.float64).ravel())


def _read_sparse(path: Path, auxiliary: Graph, target: Graph) -> Scores:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            read = _part_reader(path, archive, parts)
            form = str(read("format", "SU", 1).astype(str)[0])
            if form not in _SPARSE:
                raise InputError(f"{path}: a sparse matrix of format {form[:20]!r}: save it as csr, csc or coo")
            shape = tuple(int(size) for size in read("shape", "iu", 2))
            _check_shape(path, shape, auxiliary, target)
            data, ends = read("data", "fiu", MOST_SCORES), [read(name, "iu", MOST_SCORES) for name in _SPARSE[form]]
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, RuntimeError, NotImplementedError):
        raise _damaged(path) from None
    row, column = _places(path, form, shape, data.size, ends)
    _check_twice(path, row, column, shape[1])
    return Scores(row.astype(np.int32), column.astype(np.int32), data.astype(np.float64))


def _part_reader(
    path: Path, archive: zipfile.ZipFile, parts: dict[str, zipfile.ZipInfo]
) -> Callable[[str, str, int], NDArray[Any]]:
    """Return what reads one array of an archive, after a look at its type and size."""

    def read(name: str, kinds: str, most: int) -> NDArray[Any]:
        if name not in parts:
            raise InputError(f"{path}: has no {name!r}: save a sparse matrix by scipy.sparse.save_npz")
        with archive.open(parts[name]) as file:
            shape, kind = _read_head(path, file, name)
            count = int(np.prod(shape, dtype=object))
            if kind.kind not in kinds or len(shape) > 1 or count > most or kind.itemsize > 64:
                raise InputError(f"{path}: {name!r} is {kind} of shape {shape}: save it by scipy.sparse.save_npz")
            if parts[name].file_size - file.tell() != count * kind.itemsize:
                raise _damaged(path)
            return np.frombuffer(file.read(), dtype=kind)

    return read


def _places(path: Path, form: str, shape: tuple[int, ...], count: int, ends: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return row and column of every score, or say that the file is damaged."""
    first, second = (end.astype(np.int64) for end in ends)
    if form != "coo":
        starts, lines = first, shape[0] if form == "csr" else shape[1]
        is_whole = starts.size == lines + 1 and starts[0] == 0 and starts[-1] == count and (np.diff(starts) >= 0).all()
        if not is_whole:
            raise _damaged(path)
        first = np.repeat(np.arange(lines), np.diff(starts))
    places = [second, first] if form == "csc" else [first, second]
    for place, size in zip(places, shape, strict=True):
        if place.size != count or (count and (place.min() < 0 or place.max() >= size)):
            raise _damaged(path)
    return places


def _read_table(path: Path, auxiliary: Graph, target: Graph) -> Scores:
    try:
        table = pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as problem:
        raise InputError(f"{path}: is not a table: {str(problem).splitlines()[0][:100]}") from None
    if table.columns != _COLUMNS:
        raise InputError(f"{path}: the first line is not node,person,score: give these three columns")
    score = table["score"].str.strip_chars().cast(pl.Float64, strict=False)
    if score.null_count():
        bad = table["score"].filter(score.is_null())[0]
        raise InputError(f"{path}: score {str(bad)[:40]!r} is not a number: give a number in every line")
    node, person = _numbers(path, table["node"], target, "node"), _numbers(path, table["person"], auxiliary, "person")
    _check_twice(path, node, person, auxiliary.node_count)
    return Scores(node, person, score.to_numpy().astype(np.float64))


def _numbers(path: Path, written: pl.Series, graph: Graph, words: str) -> I32:
    """Turn names as they are written into numbers of nodes."""
    labels = np.arange(graph.node_count) if graph.labels is None else graph.labels
    known = {str(label): number for number, label in enumerate(labels.tolist())}
    numbers = [known.get(name, -1) for name in written.to_list()]
    if -1 in numbers:
        stranger = str(written[numbers.index(-1)])[:40]
        raise InputError(f"{path}: {words} {stranger!r} is not in the graph: give names as they stand in its file")
    return np.array(numbers, dtype=np.int32)


def _read_head(path: Path, file: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type of an array, without its content."""
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, kind = read(file)
    except (ValueError, OverflowError):
        raise InputError(f"{path}: {name} is not an array of numpy: save it by numpy.save") from None
    return shape, kind


def _check_shape(path: Path, shape: tuple[int, ...], auxiliary: Graph, target: Graph) -> None:
    wanted = target.node_count, auxiliary.node_count
    if shape != wanted:
        raise InputError(f"{path}: the scores have shape {shape}: give {wanted}, rows for nodes and columns for people")


def _check_kind(path: Path, kind: np.dtype[Any]) -> None:
    if kind.kind not in "fiu" or kind.itemsize > 8:
        raise InputError(f"{path}: the scores are of type {kind}: give floats or whole numbers")


def _check_count(path: Path, count: int) -> None:
    if count > MOST_SCORES:
        raise InputError(f"{path}: {count:,} scores are more than {MOST_SCORES:,}: save the best as sparse .npz")


def _check_twice(path: Path, node: NDArray[Any], person: NDArray[Any], people: int) -> None:
    pairs = node.astype(np.int64) * people + person
    if np.unique(pairs).size < pairs.size:
        raise InputError(f"{path}: a node and a person stand together twice: give one score for each pair")


def _damaged(path: Path) -> InputError:
    return InputError(f"{path}: the file is damaged, or no file of scores: save it once more")
