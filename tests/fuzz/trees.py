"""Random changes of what TOML and JSON hold: tables and lists of plain values."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    True, False, -1, 0, 1, 2, 7, 2**31, 2**63, 10**30, 10**300, 0.5, -0.0, 1e308, float("inf"),
    float("nan"), "", "x", "linkage", "d4d-1", "forest", "a\nb", "x" * 500, "\u2028", "1", "none", [], {}, [[]],
    [1, "x"], ["complete"], {"name": "strong"}, {"name": 1}, [{}], [[[[[[[[]]]]]]]],
)  # fmt: skip


def change_tree(chance: Random, tree: Any, values: tuple[Any, ...] = VALUES) -> Any:
    """Return a copy in which one to four entries are replaced, taken away, doubled or put under another name."""
    tree = copy.deepcopy(tree)
    for _ in range(1 + int(4 * chance.random() ** 3)):
        places = list(_places(tree))
        if not places:
            return chance.choice(values)
        _change(chance, *chance.choice(places), values)
    return tree


def _places(tree: Any) -> Any:
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        yield tree, key
        yield from _places(value)


def _change(chance: Random, holder: Any, key: Any, values: tuple[Any, ...]) -> None:
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, dict):
        holder[chance.choice(("x", "name", "seed", "", "beside", "graph"))] = holder.pop(key)
    elif kind == 2 and isinstance(holder, list):
        holder.append(holder[key])
    elif kind == 3 and isinstance(holder[key], int | float):
        holder[key] = holder[key] * chance.choice((-1, 2, 1000, 0.5)) + chance.choice((0, 1, -1))
    else:
        holder[key] = copy.deepcopy(chance.choice(values))
