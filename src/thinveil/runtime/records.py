"""Frozen records out of plain data, by the annotations of their fields; and the JSON schema of such data.

What annotations may hold: plain types, ``None``, tuples and lists, mappings from texts, other records, and ``Any``.
Where a field is of a record with heirs, the names of the fields tell which of them is meant.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from thinveil.errors import InputError
from thinveil.runtime.visible import shown

_PLAIN: dict[Any, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "boolean"),
    int: ((int,), "integer"),
    float: ((float, int), "number"),
    str: ((str,), "string"),
    types.NoneType: ((types.NoneType,), "null"),
}
_SERIES = (tuple, list, Sequence)


def from_plain(hint: Any, value: Any, where: str = "") -> Any:
    """Return a value of an annotated type out of plain data, or say where the data is of another kind.

    Examples
    --------
    >>> from_plain(tuple[float, ...] | None, [0.5, 1])
    (0.5, 1)
    >>> from_plain(dict[str, int], {"a": "b"})
    Traceback (most recent call last):
    ...
    thinveil.errors.InputError: a = 'b' is not of type integer
    """
    if hint is Any:
        return value
    if parts := _alternatives(hint):
        return _one_of(parts, value, where)
    origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin in _PLAIN:
        kinds, word = _PLAIN[origin]
        if not isinstance(value, kinds) or (isinstance(value, bool) and origin is not bool):
            raise InputError(f"{_named(where)}{shown(value)} is not of type {word}")
        return value
    if dataclasses.is_dataclass(origin):
        return _record(typing.cast(type[Any], origin), value, where)
    if origin in _SERIES:
        if not isinstance(value, list):
            raise InputError(f"{_named(where)}{shown(value)} is not a list")
        return tuple(_items(inner, value, where))
    if not isinstance(value, dict):
        raise InputError(f"{_named(where)}{shown(value)} is not a table")
    return {name: from_plain(inner[1], one, _join(where, name)) for name, one in value.items()}


def _one_of(parts: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and types.NoneType in parts:
        return None
    others = [part for part in parts if part is not types.NoneType]
    for part in others[:-1]:
        try:
            return from_plain(part, value, where)
        except InputError:
            continue
    return from_plain(others[-1], value, where)


def _items(inner: tuple[Any, ...], value: list[Any], where: str) -> Iterator[Any]:
    is_open = len(inner) < 2 or inner[1] is Ellipsis
    if not is_open and len(inner) != len(value):
        raise InputError(f"{_named(where)}{shown(value)} is not a list of {len(inner)}")
    for k, one in enumerate(value):
        yield from_plain(inner[0] if is_open else inner[k], one, f"{where}[{k}]")


def _record(kind: type[Any], value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise InputError(f"{_named(where)}{shown(value)} is not a table")
    kind = next((heir for heir in _heirs(kind) if set(_fields(heir)) == set(value)), kind)
    known = _fields(kind)
    for name in value:
        if name not in known:
            raise InputError(f"{_join(where, name)} is not known: it may be of another version")
    missing = [one.name for one in dataclasses.fields(kind) if one.name not in value and _is_needed(one)]
    if missing:
        raise InputError(f"{_join(where, missing[0])} is missing")
    return kind(**{name: from_plain(known[name], one, _join(where, name)) for name, one in value.items()})


def schema_of(hint: Any) -> dict[str, Any]:
    """Return the JSON schema of what a type looks like as plain data.

    Examples
    --------
    >>> schema_of(tuple[float, ...] | None)
    {'anyOf': [{'type': 'array', 'items': {'type': 'number'}}, {'type': 'null'}]}
    """
    if hint is Any:
        return {}
    if parts := _alternatives(hint):
        return {"anyOf": [schema_of(part) for part in parts]}
    origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin in _PLAIN:
        return {"type": _PLAIN[origin][1]}
    if dataclasses.is_dataclass(origin):
        kinds = [_schema_of_record(kind) for kind in _heirs(typing.cast(type[Any], origin))]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin not in _SERIES:
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if len(inner) < 2 or inner[1] is Ellipsis:
        return {"type": "array", "items": schema_of(inner[0])}
    return {"type": "array", "prefixItems": [schema_of(one) for one in inner], "minItems": len(inner), "items": False}


def _schema_of_record(kind: type[Any]) -> dict[str, Any]:
    known = _fields(kind)
    about = " ".join((kind.__doc__ or "").split())
    return {
        "type": "object", "title": kind.__name__, "description": about,
        "properties": {name: schema_of(one) for name, one in known.items()}, "required": list(known),
        "additionalProperties": False,
    }  # fmt: skip


def _alternatives(hint: Any) -> tuple[Any, ...]:
    is_union = isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
    return typing.get_args(hint) if is_union else ()


def _heirs(kind: type[Any]) -> list[type[Any]]:
    """Return a record's class and those made of it."""
    return [kind, *(heir for one in kind.__subclasses__() for heir in _heirs(one))]


def _fields(kind: type[Any]) -> Mapping[str, Any]:
    hints = typing.get_type_hints(kind)
    return {one.name: hints[one.name] for one in dataclasses.fields(kind)}


def _is_needed(one: dataclasses.Field[Any]) -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _named(where: str) -> str:
    return f"{where} = " if where else ""
