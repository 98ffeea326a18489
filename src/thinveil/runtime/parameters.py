"""Parameters live with their owner: the fields of a frozen dataclass, each with a range and one sentence of help.

A scheme, an attack, a threat is such a dataclass. Everything else is made from its fields: the check of their values,
the table in ``settings.toml``, the rows of the report, ``--help``, and the *word* that names a thing with its
parameters on the command line: ``d4d-2:egonets=50,min_size=200``. Several values of one parameter are joined by ``+``:
``forest:features=degrees+contacts``.
"""

from __future__ import annotations

import difflib
import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from thinveil.errors import InputError

_LONGEST = 100  # characters of a value in a message
AT_HAND = {"at_hand": True}
"""Metadata of a field that is no parameter: what an owner has at hand while it works, and no word or table holds."""
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


class Parameter(NamedTuple):
    """One parameter of an owner, as help and reports show it; ``kinds`` are the plain types that it may have."""

    name: str
    kinds: tuple[type, ...]
    default: Any
    words: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]


def parameter(
    default: Any, words: str, *, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """Declare a parameter: a field of a dataclass with its default, one sentence of help, and what is allowed.

    ``low`` itself is allowed but for shares: a parameter that is no whole number must be above it.
    """
    return field(default=default, metadata={"words": words, "low": low, "high": high, "choices": choices})


def parameters_of(owner: Any) -> tuple[Parameter, ...]:
    """Return the parameters of a dataclass, or of one of its objects.

    Examples
    --------
    >>> from thinveil.schemes import D4D2
    >>> [parameter.name for parameter in parameters_of(D4D2)]
    ['egonets', 'min_size', 'most_nodes']
    """
    hints = get_type_hints(owner if isinstance(owner, type) else type(owner))
    return tuple(
        _parameter(one, hints[one.name]) for one in fields(owner) if one.init and "at_hand" not in one.metadata
    )


def check_parameters(owner: Any) -> None:
    """Say which parameter of an object has a value that is not allowed, if one has."""
    for one in parameters_of(owner):
        problem = _problem(one, getattr(owner, one.name))
        if problem:
            raise InputError(f"{_called(owner)}{one.name} = {_quote(getattr(owner, one.name))}: {problem}")


def to_table(owner: Any) -> dict[str, Any]:
    """Return the parameters of an object by name, without the empty ones: TOML has no None."""
    values = {one.name: getattr(owner, one.name) for one in parameters_of(owner)}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def from_table(kind: type, table: Mapping[str, Any]) -> Any:
    """Make an object from its parameters, or say which of them is not known."""
    known = {one.name: one for one in parameters_of(kind)}
    unknown = sorted(set(table) - set(known))
    if unknown:
        takes = f"it takes {', '.join(known)}" if known else "it takes none"
        takes = f"{_meant(unknown[0], known)}{takes}"
        raise InputError(f"{_called(kind)}no parameter is called {unknown[0]!r}: {takes}")
    missing = [one.name for one in known.values() if one.default is MISSING and one.name not in table]
    if missing:
        raise InputError(f"{_called(kind)}{missing[0]} is not given, and has no default: give it")
    # TOML has lists, and no tuples
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in table.items()})


def to_word(name: str, owner: Any) -> str:
    """Return the word that names a thing with those of its parameters that are not the default.

    Examples
    --------
    >>> from thinveil.schemes import D4D2
    >>> to_word("d4d-2", D4D2(egonets=50))
    'd4d-2:egonets=50'
    """
    own = getattr(owner, "to_word", None)
    if own is not None:
        return str(own())
    changed = [
        f"{one.name}={show_value(value)}"
        for one in parameters_of(owner)
        if (value := getattr(owner, one.name)) != one.default
    ]
    return f"{name}:{','.join(changed)}" if changed else name


def split_word(word: str) -> tuple[str, dict[str, str]]:
    """Return the name in a word, and its parameters as they are written.

    Examples
    --------
    >>> split_word("d4d-2:egonets=50,min_size=200")
    ('d4d-2', {'egonets': '50', 'min_size': '200'})
    """
    name, _, rest = word.partition(":")
    pairs = [part.partition("=") for part in rest.split(",") if part.strip()]
    for key, equals, _value in pairs:
        if not equals:
            raise InputError(f"{word!r}: {key.strip()!r} has no value: write NAME:key=value,key=value")
    values = {key.strip(): value.strip() for key, _, value in pairs}
    if len(values) < len(pairs):
        raise InputError(f"{word!r}: a parameter has two values: give it once")
    return name.strip(), values


def read_values(kind: type, written: Mapping[str, str]) -> dict[str, Any]:
    """Turn values as they are written into values of the parameters' types; unknown names pass, to be refused later."""
    known = {one.name: one for one in parameters_of(kind)}
    return {name: _read(known[name], text) if name in known else text for name, text in written.items()}


def suggest(name: str, known: Iterable[str]) -> str:
    """Say what somebody may have meant.

    Examples
    --------
    >>> suggest("d4d_2", ["d4d-1", "d4d-2", "pseudonyms"])
    "did you mean 'd4d-2'? known are d4d-1, d4d-2, pseudonyms"
    """
    known = list(known)
    return f"{_meant(name, known)}known are {', '.join(known)}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like a name, if any is like it."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return near[0] if near else None


def _meant(name: str, known: Iterable[str]) -> str:
    """Ask whether the nearest known name was meant; empty if none is near."""
    best = nearest(name, known)
    return f"did you mean {best!r}? " if best else ""


def _parameter(one: Field[Any], hint: Any) -> Parameter:
    about = one.metadata
    made = one.default is MISSING and one.default_factory is not MISSING
    default = one.default_factory() if made else one.default  # type: ignore[operator]
    return Parameter(
        one.name, _kinds(hint), default, about.get("words", ""), about.get("low"), about.get("high"),
        tuple(about.get("choices", ())),
    )  # fmt: skip


def _kinds(hint: Any) -> tuple[type, ...]:
    """Return the plain types of a type hint; nothing for those that are not checked."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(kind for part in get_args(hint) for kind in _kinds(part))
    if get_origin(hint) is tuple or hint is tuple:
        return (tuple,)
    return (hint,) if hint in (int, float, bool, str, type(None)) else ()


def _problem(one: Parameter, value: Any) -> str:
    """Say what is wrong with a value; empty if nothing is."""
    kinds = (*one.kinds, int) if float in one.kinds else one.kinds
    if kinds and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
        return f"give {_kind_words(one)}"
    if one.choices:
        return _choice_problem(one, value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return _range_problem(one, value) if is_number else ""


def _choice_problem(one: Parameter, value: Any) -> str:
    chosen = value if isinstance(value, tuple) else (value,)
    if all(item in one.choices for item in chosen) and len(set(chosen)) == len(chosen):
        return ""
    wrong = next((str(item) for item in chosen if item not in one.choices), "")
    return f"{_meant(wrong, one.choices)}choose {'among' if tuple in one.kinds else 'one of'} {', '.join(one.choices)}"


def _range_problem(one: Parameter, value: float) -> str:
    low, high = (-float("inf") if one.low is None else one.low), (float("inf") if one.high is None else one.high)
    is_share = float in one.kinds
    if (low < value if is_share and one.low is not None else low <= value) and value <= high:
        return ""
    if one.low is None and one.high is None:
        return "give a number"
    if one.low is None or one.high is None:
        return f"give {one.low:,} or more" if one.high is None else f"give at most {one.high:,}"
    return (
        f"give a number above {one.low:,} and up to {one.high:,}"
        if is_share
        else (f"give a whole number from {one.low:,} to {one.high:,}")
    )


def _kind_words(one: Parameter) -> str:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word", tuple: "words"}
    return " or ".join(words[kind] for kind in one.kinds if kind in words)


def _read(one: Parameter, text: str) -> Any:
    if tuple in one.kinds:
        return () if text.lower() == "none" else tuple(part.strip() for part in text.split("+") if part.strip())
    if bool in one.kinds and text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    for kind in (int, float):
        if kind in one.kinds:
            try:
                return kind(text)
            except ValueError:
                continue
    if type(None) in one.kinds and text.lower() == "none":
        return None
    return text


def _called(owner: Any) -> str:
    name = getattr(owner, "name", "")
    return f"{name}: " if isinstance(name, str) and name else ""


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _quote(value: Any) -> str:
    """Return the start of a value as part of a message of one line."""
    shown = show_value(value)
    shown = shown if shown.isprintable() else repr(shown)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


def show_value(value: Any) -> str:
    """Return a value as it stands in a word.

    Examples
    --------
    >>> show_value(("degrees", "contacts")), show_value(True), show_value(None)
    ('degrees+contacts', 'yes', 'none')
    """
    if isinstance(value, tuple | list):
        return "+".join(map(str, value)) or "none"
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)
