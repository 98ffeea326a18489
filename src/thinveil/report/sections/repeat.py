"""How to repeat it: the command or the lines of a program, and every parameter that was really used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult
from thinveil.report.shares import listing, printable
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_egos
from thinveil.runtime.parameters import parameters_of

_KINDS = {
    "threat": "what the attacker holds and wants",
    "scheme": "how the graph is anonymized",
    "attack": "how the attacker links people",
    "beside": "another attack on the same releases",
}
"""What stands beside the name of each thing that a plan holds."""


def section(result: AuditResult) -> Markup:
    """Show how the numbers were made."""
    return fill(
        "sections/repeat.html",
        result=result,
        name=printable(result.graph.title) or "unnamed graph",
        auxiliary=printable(result.auxiliary.title) or "unnamed graph" if result.auxiliary else "",
        strangers=listing(result.plan.strangers) if result.plan.strangers else "",
        program=python_lines(result),
        seconds=[(stage, f"{time:.1f}") for stage, time in result.seconds.items() if _took_place(stage, result)],
        parameters=list(parameter_rows(result.plan)),
    )


def python_lines(result: AuditResult) -> str:
    """Return the lines of a program that repeat the audit, for somebody who has the graph."""
    other = ", train_on=other" if result.trained_on is not None else ""
    other += ", auxiliary=auxiliary" if result.auxiliary is not None else ""
    return (
        "import thinveil\n"
        "from thinveil.report import read_settings\n\n"
        'plan, _ = read_settings("settings.toml")\n'
        f"result = thinveil.audit(graph{other}, plan=plan)"
    )


def parameter_rows(plan: Plan) -> Iterator[tuple[str, str, str, str]]:
    """Return owner, name, value and meaning of every parameter of a plan, as ``settings.toml`` holds them."""
    main: list[tuple[str, Any]] = [("threat", plan.threat), ("scheme", plan.scheme), ("attack", plan.attack)]
    owners = main + [("beside", attack) for attack in plan.beside]
    for kind, owner in owners:
        yield kind, "name", owner.name, _KINDS[kind]
        yield from _rows(kind, owner)
    yield from _rows("sampling", plan.sampling)
    yield from (row for row in _rows("plan", plan) if row[1] in ("repeats", "seed"))


def _rows(kind: str, owner: Any) -> Iterator[tuple[str, str, str, str]]:
    for one in parameters_of(owner):
        yield kind, one.name, _print(getattr(owner, one.name)), one.words


def _print(value: object) -> str:
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(map(str, value)) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _took_place(stage: str, result: AuditResult) -> bool:
    return has_egos(result) or stage != "find egos"
