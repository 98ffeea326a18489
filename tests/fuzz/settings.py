"""The settings of an audit: TOML text, and tables of values that do not belong there."""

from __future__ import annotations

import tempfile
import tomllib
from functools import cache
from pathlib import Path
from random import Random

import tomli_w

from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target
from tests.fuzz.trees import change_tree

_TOKENS = (
    b"[[beside]]\n",
    b"[plan]\n",
    b"= nan",
    b"= 1979-05-27",
    b'"""',
    b"a.b.c.d = 1\n",
    b"[" * 2_000,
    b"9" * 5_000,
)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="thinveil-fuzz-")


def _examples() -> list[bytes]:
    from thinveil.auditing.plan import Plan

    graph = {
        "name": "calls.csv",
        "sha256": "0" * 64,
        "digest": "1" * 64,
        "nodes": 5,
        "edges": 9,
        "reader": {"ids": "auto"},
    }
    plans = [
        Plan.make("d4d-2:egonets=10"), Plan.make("pseudonyms", "forest:trees=5,slots=2", threat="identification"),
        Plan.make("d4d-1", "signature", protocol="paper", repeats=3),
    ]  # fmt: skip
    tables = [{"thinveil": "0.1", **plan.tables(), "graph": graph, "train_on": graph} for plan in plans]
    return [*(tomli_w.dumps(one).encode() for one in tables), b'[scheme]\nname = "d4d-1"\negonets = 20\n']


def _read(data: bytes) -> None:
    from thinveil.report import read_settings

    path = Path(_folder().name, "settings.toml")
    path.write_bytes(data)
    plan, _ = read_settings(path)
    plan.resolved().tables()
    plan.measured  # noqa: B018


def _make(chance: Random, example: bytes) -> bytes:
    if chance.random() < 0.5:
        return mutate(chance, example, example, _TOKENS)
    changed = change_tree(chance, tomllib.loads(example.decode()))
    return tomli_w.dumps(changed).encode() if isinstance(changed, dict) else b""


SETTINGS = Target("settings", _examples, _read, make=_make)
