"""Who is named with the help of the auxiliary graph, and how far the attacker can trust that."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from thinveil.auditing.findings.naming import Naming
from thinveil.auditing.results import AuditResult
from thinveil.measures.naming import NameGroup
from thinveil.measures.rates import Rate
from thinveil.report.shares import FEW, NOT_GIVEN, percent, plural
from thinveil.report.spans import percent_range, round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_several


def naming_of(result: AuditResult) -> Naming | None:
    """Return what was found about names; None for an attack that gives none."""
    found: Naming | None = result.more.get("identification")
    return found


def section(result: AuditResult) -> Markup | None:
    """Show right, wrong and missing names."""
    found = naming_of(result)
    if found is None:
        return None
    return fill(
        "sections/naming.html",
        sentences=[naming_sentence(result), *_readers(result, found), _ceiling(result, found.groups[0]),
                   *_beliefs(found)],
        groups=[_row(group) for group in found.groups if group.people + group.absent],
        worth=[(f"{100 * one.probability:g}%", f"{one.named:,}", _cell(one.found), _cell(one.precision))
               for one in found.worth],
        has_absent=any(group.absent for group in found.groups),
        several=has_several(result),
    )  # fmt: skip


def naming_sentence(result: AuditResult) -> str:
    """Say how many of the people who can be named are named rightly; empty for an attack that gives no names."""
    found = naming_of(result)
    if found is None:
        return ""
    everybody = found.groups[0]
    if everybody.people < FEW or everybody.right is None or everybody.wrong is None:
        return f"Only {plural(everybody.people, 'published node')} could be named: too few to say anything."
    if found.failed == len(found.verdicts):
        return (
            "The attack knew that it had failed, and named nobody. That is no proof of safety: another attack, or one "
            "that knows a few people beforehand, may succeed."
        )
    counted = " A person who is in several sub-graphs counts once in each." if has_several(result) else ""
    return (
        f"Of all {everybody.people:,} published nodes whose person is in the auxiliary graph, with any number of "
        f"contacts, {_told(everybody.right)} are named rightly and {_told(everybody.wrong)} wrongly; the others "
        f"get no name.{counted}{_failures(found)}"
    )


def _failures(found: Naming) -> str:
    """Say in how many draws the start failed, and what that does to the intervals."""
    if not found.failed:
        return ""
    return (
        f" In {found.failed:,} of {plural(len(found.verdicts), 'draw')} the attack failed, and knew it. Whether it "
        "starts is one trial for each draw: the intervals are as wide as that."
    )


def _readers(result: AuditResult, found: Naming) -> Iterator[str]:
    """Say what the names mean to three attackers that statistics offices know."""
    everybody = found.groups[0]
    if found.precision is None or found.found is None or everybody.right is None:
        return
    where, there = "in both graphs", ""
    if has_several(result):
        where, there = "in a certain sub-graph and in the auxiliary graph", " in that sub-graph"
    yield (
        f"Prosecutor: who knows that a certain person is {where} learns that person's node{there} with a chance of "
        f"{_told(everybody.right)}."
    )
    absent = "" if everybody.absent_named is None else (
        f" Of the {everybody.absent:,} nodes whose person he does not hold, {_told(everybody.absent_named)} get a name "
        "all the same."
    )  # fmt: skip
    yield (
        "Journalist: who does not know who is in the release must believe the names as they come. Of "
        f"{plural(found.precision.trials, 'name')}, {_told(found.precision)} are right.{absent}"
    )
    yield f"Marketer: of all {found.found.trials:,} published nodes, {_told(found.found)} are named rightly."


def _ceiling(result: AuditResult, everybody: NameGroup) -> str:
    if everybody.unique is None:
        return ""
    if has_several(result):
        return (
            f"No attack can name more than {_told(everybody.unique)} of these nodes for certain: each of the others "
            "has a structural twin in its sub-graph, somebody with the same published contacts."
        )
    return (
        f"No attack can name more than {_told(everybody.unique)} for certain: the others have a structural twin, "
        "somebody with the same contacts."
    )


def _beliefs(found: Naming) -> Iterator[str]:
    for number, verdict in enumerate(found.verdicts):
        which = "" if len(found.verdicts) == 1 else f", draw {number + 1}"
        yield f"What the attacker himself believes, without any truth{which}: {verdict.words}."


def _told(share: Rate) -> str:
    return f"{percent(share.value)} (95% interval {round_range(share.low, share.high)})"


def _row(group: NameGroup) -> tuple[str, ...]:
    cells = (group.right, group.wrong, group.unnamed, group.unique, group.absent_named)
    return (group.group, f"{group.people:,}", *map(_cell, cells))


def _cell(share: Rate | None) -> str:
    if share is None:
        return NOT_GIVEN
    if share.trials < FEW:
        return f"{share.hits} of {share.trials}"
    return f"{percent(share.value)} ({percent_range(share.low, share.high)})"
