"""What can be chosen by name: schemes, attacks and threats, each with one sentence and its parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from thinveil.runtime.parameters import Parameter
    from thinveil.runtime.registry import Registry


def print_listing(kind: str, *, as_json: bool) -> None:
    """Print all that a registry knows."""
    entries = [*entries_of(kind), *_plugins(kind)]
    typer.echo(json.dumps(entries, indent=2) if as_json else "\n\n".join(map(_lines, entries)))


def entries_of(kind: str) -> list[dict[str, Any]]:
    """Return an entry for each of the schemes, attacks or threats that come along."""
    return [_entry(name, one) for name, one in _registry(kind)]


class Command(TyperCommand):
    """A command whose help shows no value behind an option that takes none."""

    kinds: ClassVar[tuple[str, ...]] = ()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, at its end the names that words may have, those of the user's own among them.

        What can be named is found out only now, for it takes a second.
        """
        for one in self.get_params(ctx):
            if getattr(one, "is_flag", False):
                one.metavar = ""
        self.epilog = "\n\n".join(self.last_words()) or None
        super().format_help(ctx, formatter)

    def last_words(self) -> list[str]:
        """Return the paragraphs at the end of the help."""
        return [f"{kind.capitalize()}: {', '.join(_names(kind))}" for kind in self.kinds]


class SchemeCommand(Command):
    """A command that takes a scheme."""

    kinds: ClassVar[tuple[str, ...]] = ("schemes",)


class NamesCommand(Command):
    """A command that takes an attack on names."""

    kinds: ClassVar[tuple[str, ...]] = ("attacks on names",)


class UtilityCommand(Command):
    """A command that measures utility."""

    def last_words(self) -> list[str]:
        """Return the families of measures, each with its measures."""
        from thinveil.measures.utility import FAMILIES

        told = [f"{one.name} ({', '.join(about.name for about in one.measures)})" for one in FAMILIES]
        return [f"Measures for --utility, by family: {', '.join(told)}"]


class CompareCommand(UtilityCommand):
    """A command that compares schemes, by measures of utility."""

    kinds: ClassVar[tuple[str, ...]] = ("schemes",)

    def last_words(self) -> list[str]:
        """Return the schemes, and the measures."""
        return [*Command.last_words(self), *super().last_words()]


class PlanCommand(Command):
    """A command that takes a whole plan."""

    kinds: ClassVar[tuple[str, ...]] = ("schemes", "threats", "attacks")

    def last_words(self) -> list[str]:
        """Return what can be named, and the settings with their defaults."""
        return [*super().last_words(), f"Settings for --set: {', '.join(_settings())}"]


def _names(kind: str) -> list[str]:
    from thinveil.runtime.plugins import find_plugins
    from thinveil.schemes import SCHEMES

    names = [name for name, _ in _registry(kind)]
    return list(dict.fromkeys([*names, *find_plugins(SCHEMES.group if kind == "schemes" else "")]))


def _settings() -> list[str]:
    """Return the settings that have no option of their own, each with its default."""
    from thinveil.auditing.plan import Sampling
    from thinveil.cli.options import PLAN
    from thinveil.runtime.parameters import parameters_of, show_value

    return [f"{one.name}={show_value(one.default)}" for one in parameters_of(Sampling) if one.name not in PLAN.options]


def _registry(kind: str) -> list[tuple[str, type[Any]]]:
    from thinveil.attacks import ATTACKS
    from thinveil.schemes import SCHEMES
    from thinveil.threats import THREATS

    if kind == "attacks on names":
        return [(name, ATTACKS[name]) for name in ATTACKS if getattr(ATTACKS[name], "names_people", False)]
    registries: dict[str, Registry[Any]] = {"schemes": SCHEMES, "attacks": ATTACKS, "threats": THREATS}
    chosen = registries[kind]
    return [(name, chosen[name]) for name in (*chosen, *chosen.forms)]


def _plugins(kind: str) -> Iterator[dict[str, Any]]:
    """Yield an entry for what each package brings along; one that is broken is an entry that says so."""
    from thinveil.errors import InputError
    from thinveil.runtime.plugins import find_plugins, load_plugin, origin
    from thinveil.schemes import SCHEMES

    known = dict(_registry(kind))
    for name, points in find_plugins(SCHEMES.group if kind == "schemes" else "").items():
        packages = " and ".join(map(origin, points))
        try:
            entry = _entry(name, load_plugin("scheme", name, points)) if name not in known else None
        except InputError as error:
            entry = {"name": name, "what": str(error), "parameters": []}
        yield (entry or {"name": name, "what": "Never used: thinveil has one of this name.", "parameters": []}) | {
            "origin": packages
        }


def _entry(name: str, one: type[Any]) -> dict[str, Any]:
    from thinveil.runtime.parameters import parameters_of

    sentence = (one.__doc__ or "").strip().splitlines()[0] if one.__doc__ else ""
    parameters = [
        {"name": each.name, "default": _default(each), "needed": _is_needed(each), "meaning": each.words,
         "choices": list(each.choices)}
        for each in parameters_of(one)
    ]  # fmt: skip
    return {"name": name, "what": sentence, "parameters": parameters}


def _default(one: Parameter) -> Any:
    return None if _is_needed(one) else one.default


def _is_needed(one: Parameter) -> bool:
    """Whether a parameter has no default."""
    from dataclasses import MISSING

    return one.default is MISSING


def _lines(entry: dict[str, Any]) -> str:
    from thinveil.runtime.parameters import show_value

    origin = f" (from {entry['origin']})" if "origin" in entry else ""
    lines = [f"{entry['name']}: {entry['what']}{origin}"]
    for one in entry["parameters"]:
        choices = f" ({', '.join(one['choices'])})" if one["choices"] else ""
        value = "(needed)" if one["needed"] else show_value(one["default"])
        lines.append(f"  {one['name']}={value}  {one['meaning']}{choices}")
    return "\n".join(lines)
