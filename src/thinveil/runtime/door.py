"""The door of the library: what a public function is given is of the type that it asks for, or refused in one line.

The annotations of the function are the rule. Classes and their unions are looked at; what an annotation says of calls,
of protocols and of the items of a series is left to the function.
"""

from __future__ import annotations

import functools
import inspect
import numbers
import os
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from thinveil.errors import InputError
from thinveil.runtime.visible import shown


@typing.runtime_checkable
class _Readable(typing.Protocol):
    """An open file: those of Python are of no common class that typing knows."""

    def read(self, size: int, /) -> bytes: ...


_WIDER: dict[type, tuple[type, ...]] = {
    int: (numbers.Integral,),
    float: (numbers.Real,),
    bool: (bool, np.bool_, numbers.Integral),
    str: (str,),
    typing.BinaryIO: (_Readable,),
}
"""What else passes: numpy's numbers are registered as such."""

_WORDS = {
    int: "a whole number", float: "a number", bool: "True or False", str: "a text", os.PathLike: "a path",
    type(None): "None", tuple: "a tuple", typing.BinaryIO: "a file opened in binary mode",
}  # fmt: skip
_SOURCES = {
    "Graph": "a graph: read one with thinveil.read_graph(path)",
    "Model": "a model: make one with thinveil.train(graph), or read one with thinveil.load_model(path)",
    "Release": "a release: make one with thinveil.anonymize(graph), or read one with thinveil.read_release(path)",
    "AuditResult": "the result of an audit: make one with thinveil.audit(graph)",
    "DataFrame": "a table of polars: read one with polars.read_csv(path) or polars.read_parquet(path)",
    "PairForest": "a forest: make one with thinveil.PairForest, or read one with thinveil.load_forest(path)",
    "Plan": "a plan: make one with thinveil.Plan.make()",
}


def guarded(function: Callable[..., Any], home: str, name: str) -> Callable[..., Any]:
    """Return a public function that refuses what is of another type, as a module offers it under a name.

    Examples
    --------
    >>> def double(number: int) -> int:
    ...     return 2 * number
    >>> guarded(double, __name__, "double")("x")
    Traceback (most recent call last):
    ...
    thinveil.errors.InputError: number = 'x' is not a whole number
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*words: Any, **more: Any) -> Any:
        given = signature.bind(*words, **more).arguments
        for one, (classes, wanted) in _rules(function).items():
            if one not in given:
                continue
            if not isinstance(given[one], classes):
                raise InputError(f"{one} = {shown(given[one])} is not {wanted}")
            if isinstance(given[one], str | bytes) and str not in classes:
                raise InputError(f"{one} = {shown(given[one])} is one text, and a list is needed: put it in [ ]")
        return function(*words, **more)

    # so that it can be pickled under the name by which it is public
    checked.__module__, checked.__name__, checked.__qualname__ = home, name, name
    return checked


@functools.cache
def _rules(function: Callable[..., Any]) -> dict[str, tuple[tuple[type, ...], str]]:
    """Return for each parameter the classes that may be given, and how to say that."""
    hints, rules = typing.get_type_hints(function), {}
    for name, one in inspect.signature(function).parameters.items():
        classes = list(_classes(hints.get(name, Any)))
        if one.kind is not one.VAR_KEYWORD and None not in classes:
            known = [kind for kind in classes if kind is not None]
            rules[name] = (tuple(wide for kind in known for wide in _WIDER.get(kind, (kind,))), _words(known))
    return rules


def _classes(hint: Any) -> Iterator[type | None]:
    """Yield the classes of an annotation; None for what cannot be looked at."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        for part in typing.get_args(hint):
            yield from _classes(part)
        return
    kind = typing.get_origin(hint) or hint
    is_plain = isinstance(kind, type) and not getattr(kind, "_is_protocol", False)
    yield kind if is_plain or kind is os.PathLike else None


def _words(classes: list[type]) -> str:
    named = [_SOURCES.get(kind.__name__) or _WORDS.get(kind) or f"a {kind.__name__}" for kind in classes]
    if any(":" in words for words in named):  # how a thing is made is told; that its path would do, goes with it
        named = [words for words in named if words not in (_WORDS[str], _WORDS[os.PathLike])]
    # what is offered first is enough, but for None
    return " or ".join(dict.fromkeys(sorted(named, key=lambda words: ":" in words)))
