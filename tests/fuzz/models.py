"""Models: archives damaged at random, and archives whose checksum is right but whose content is hostile.

What is loaded all the same is used on a small release, so that the kernels see it.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target
from tests.fuzz.trees import VALUES, change_tree

_TOKENS = (b"PK\x01\x02", b"PK\x03\x04", b"\x93NUMPY", b"'shape': (4000000000,)", b"'descr': '|O'", b"\xff\xff\xff\xff")
_WORDS = ("signature:large=2", "forest:trees=3,bins=4,bin_size=2", "forest:trees=3,bins=4,slots=2",
          "strong:rounds=1")  # fmt: skip
_NUMBERS = (0, 1, -1, 2, 63, 64, 127, 2**15, 2**31 - 1, -(2**31), 2**40, 1e300, -1e300, 0.5, float("nan"), float("inf"))
_KINDS = ("<i1", "<u1", "<i4", "<i8", "<u4", "<u8", "<f4", "<f8", ">i4", "|b1")
Arrays = dict[str, NDArray[Any]]


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="thinveil-fuzz-")


@cache
def _graph() -> Any:
    from thinveil.graph import Graph
    from thinveil.graph.synthetic import synthetic_graph

    plain = synthetic_graph(150, seed=3)
    source = np.repeat(np.arange(plain.node_count), plain.degrees)
    once = np.flatnonzero(source < plain.indices)
    times = np.random.default_rng(1).integers(0, 2, once.size)
    return Graph.from_edges(source[once], plain.indices[once], node_count=plain.node_count, columns={"time": times})


@cache
def _release() -> Any:
    from thinveil.schemes import make_scheme

    return make_scheme("d4d-1:egonets=4,min_size=20").publish(_graph(), seed=2)


@cache
def _examples() -> list[bytes]:
    from thinveil import save_model, train

    found = []
    for number, word in enumerate(_WORDS):
        few = {"min_degree": 2, "train_pairs": 200, "train_negatives": 300}
        path = Path(_folder().name, f"example{number}")
        save_model(train(_graph(), "d4d-1:egonets=6,min_size=20", attack=word, seed=5, **few), path)
        found.append(path.read_bytes())
    return found


def _read(data: bytes) -> None:
    from thinveil import link, load_model
    from thinveil.features import observe
    from thinveil.features.pairs import Pairs, Question

    path = Path(_folder().name, "model")
    path.write_bytes(data)
    model = load_model(path)
    needs, least = model.plan.attack.needs, model.plan.sampling.min_degree
    if needs.slots > 50 or sum(channel.width for channel in needs.channels) > 10_000:
        return  # as large as it says: true to its word, and slow
    view = observe(_release().public, needs, min_degree=least)
    scores = model.fitted.enter(view).score(Pairs(*np.arange(len(view) // 2 * 2).reshape(2, -1)), Question())
    assert np.isfinite(scores).all()
    for category in model.categories:
        model.fitted.lesson(Question(category, model.plan.sampling.protocol))
    link(_release(), model, sure=0.01)


def _make(chance: Random, example: bytes) -> bytes:
    if chance.random() < 0.3:
        return mutate(chance, example, example, _TOKENS)
    with np.load(io.BytesIO(example)) as archive:
        parts = {name: archive[name] for name in archive.files}
    about = json.loads(parts.pop("about").tobytes())
    del parts["checksum"]
    if chance.random() < 0.5 or not parts:
        about = change_tree(chance, about, (*VALUES, None))
    else:
        name = chance.choice(sorted(parts))
        is_forest = about["plan"]["attack"]["name"] == "forest"
        parts[name] = _change_forest(chance, parts[name]) if is_forest else _change_array(chance, parts[name])
    return _pack(json.dumps(about).encode(), parts, sorted(parts))


def _change_forest(chance: Random, part: NDArray[Any]) -> NDArray[Any]:
    """Change the file of a forest inside a model, and mend that too."""
    with np.load(io.BytesIO(part.tobytes())) as archive:
        parts = {name: archive[name] for name in archive.files}
    about, order = json.loads(parts["about"].tobytes()), ["nodes", "gains", "roots"]
    if chance.random() < 0.3:
        about = change_tree(chance, about, (*VALUES, None))
    else:
        name = chance.choice(order)
        parts[name] = _change_array(chance, parts[name])
    return np.frombuffer(_pack(json.dumps(about).encode(), parts, order), dtype=np.uint8)


def _pack(about: bytes, parts: Arrays, order: list[str]) -> bytes:
    sha = hashlib.sha256(about)
    for name in order:
        sha.update(f"{name} {parts[name].dtype.str} {parts[name].shape}".encode())
        sha.update(np.ascontiguousarray(parts[name]).tobytes())
    buffer = io.BytesIO()
    checksum = np.frombuffer(sha.digest(), dtype=np.uint8)
    kept = {name: parts[name] for name in order}
    np.savez(buffer, about=np.frombuffer(about, dtype=np.uint8), checksum=checksum, **kept)  # type: ignore[arg-type]
    return buffer.getvalue()


def _change_array(chance: Random, array: NDArray[Any]) -> NDArray[Any]:
    kind = chance.randrange(6)
    with np.errstate(all="ignore"):
        if kind == 0:
            return array.astype(chance.choice(_KINDS))
        if kind == 1:
            return array[: chance.randrange(len(array) + 1)] if array.ndim else array
        if kind == 2:
            return np.concatenate((array, array[:1])) if array.ndim else array
        if kind == 3:
            return np.stack((array, array))
        changed = array.copy()
        for _ in range(chance.choice((1, 1, 3, 20))):
            if changed.size:
                place = chance.randrange(changed.size)
                new = changed.flat[chance.randrange(changed.size)] if kind == 4 else chance.choice(_NUMBERS)
                changed.flat[place] = np.array(new).astype(array.dtype)
    return changed


MODEL = Target("model", _examples, _read, make=_make)
