"""What can be chosen by name: schemes, attacks and threats, each with one sentence and its parameters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from thinveil.runtime.parameters import Parameter
    from thinveil.runtime.registry import Registry


def print_listing(kind: str, *, as_json: bool) -> None:
    """Print all that a registry knows."""
    entries = [_entry(name, one) for name, one in _registry(kind)]
    typer.echo(json.dumps(entries, indent=2) if as_json else "\n\n".join(map(_lines, entries)))


class SchemeCommand(TyperCommand):
    """A command whose help ends with the names that its words may have, those of the user's own among them."""

    kinds: ClassVar[tuple[str, ...]] = ("schemes",)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help; what can be named is found out only then, for it takes a second."""
        self.epilog = "\n\n".join(
            f"{kind.capitalize()}: " + ", ".join(name for name, _ in _registry(kind)) for kind in self.kinds
        )
        super().format_help(ctx, formatter)


class PlanCommand(SchemeCommand):
    """A command that takes a whole plan."""

    kinds: ClassVar[tuple[str, ...]] = ("schemes", "threats", "attacks")


def _registry(kind: str) -> list[tuple[str, type[Any]]]:
    from thinveil.attacks import ATTACKS
    from thinveil.schemes import SCHEMES
    from thinveil.threats import THREATS

    registries: dict[str, Registry[Any]] = {"schemes": SCHEMES, "attacks": ATTACKS, "threats": THREATS}
    return [(name, registries[kind][name]) for name in registries[kind]]


def _entry(name: str, one: type[Any]) -> dict[str, Any]:
    from thinveil.runtime.parameters import parameters_of

    sentence = (one.__doc__ or "").strip().splitlines()[0] if one.__doc__ else ""
    parameters = [
        {"name": each.name, "default": _default(each), "meaning": each.words, "choices": list(each.choices)}
        for each in parameters_of(one)
    ]
    return {"name": name, "what": sentence, "parameters": parameters}


def _default(one: Parameter) -> Any:
    from dataclasses import MISSING

    return None if one.default is MISSING else one.default


def _lines(entry: dict[str, Any]) -> str:
    from thinveil.runtime.parameters import show_value

    lines = [f"{entry['name']}: {entry['what']}"]
    for one in entry["parameters"]:
        choices = f" ({', '.join(one['choices'])})" if one["choices"] else ""
        lines.append(f"  {one['name']}={show_value(one['default'])}  {one['meaning']}{choices}")
    return "\n".join(lines)
