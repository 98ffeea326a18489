"""Which schemes are compared: those that a user names, or a grid that shows what there is to choose from.

A file of schemes is TOML: a list of words, or tables of parameters with several values each::

    schemes = ["pseudonyms", "d4d-2:egonets=50"]

    [[grid]]
    name = "sparsify"
    share = [0.1, 0.3, 0.5]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from thinveil.errors import InputError
from thinveil.runtime.inputs import MOST_TOML, parse_toml, read_input
from thinveil.schemes import SCHEMES

CEILING, FLOOR = "pseudonyms", "random-graph"
"""What every scheme lies between: names removed and nothing else, and a graph in which nothing is left."""

DEFAULT_GRID: tuple[str, ...] = (
    CEILING,
    "sparsify:share=0.1",
    "sparsify:share=0.3",
    "sparsify:share=0.5",
    "add-delete:share=0.1",
    "add-delete:share=0.3",
    "switch:share=0.1",
    "switch:share=0.5",
    "random-walk:steps=2",
    "random-walk:steps=5",
    "k-degree:k=10",
    "k-degree:k=50",
    "drop-hubs",
    "tmf:epsilon=8",
    "dp-degrees:epsilon=1",
    "d4d-1",
    "d4d-2",
    FLOOR,
)
"""The schemes that are compared where nobody chose."""


def read_grid(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Read the words of a file of schemes."""
    try:
        tables = parse_toml(read_input(path, MOST_TOML))
        return tuple(_words(tables))
    except InputError as error:
        raise InputError(f"{os.fspath(path)}: {error}") from None


def _words(tables: Mapping[str, Any]) -> Iterator[str]:
    unknown = sorted(set(tables) - {"schemes", "grid"})
    if unknown:
        raise InputError(f"unknown entry {unknown[0]!r}: allowed are schemes and [[grid]]")
    words, grids = tables.get("schemes", []), tables.get("grid", [])
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError('schemes must be a list of words, such as ["pseudonyms", "d4d-2:egonets=50"]')
    if not isinstance(grids, list) or not all(isinstance(one, dict) for one in grids):
        raise InputError("grid must be tables [[grid]], each with a name and parameters")
    if not words and not grids:
        raise InputError("names no scheme: give schemes = [...] or tables [[grid]]")
    yield from words
    for grid in grids:
        values = {name: value if isinstance(value, list) else [value] for name, value in grid.items()}
        for chosen in product(*values.values()):
            yield SCHEMES.word(SCHEMES.make(dict(zip(values, chosen, strict=True))))


def check_words(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words, each once, or say which one names no scheme."""
    unique = tuple(dict.fromkeys(words))
    for word in unique:
        SCHEMES.make(word)
    if not unique:
        raise InputError("no scheme to compare: name some, such as pseudonyms d4d-2")
    return unique


def is_file(word: str) -> bool:
    """Whether a word is rather the name of a file of schemes."""
    return word.endswith(".toml") and Path(word).is_file()
