"""What the numbers do not prove, and what their intervals cover."""

from __future__ import annotations

from thinveil.auditing.results import AuditResult
from thinveil.report.events import shape_limit
from thinveil.report.shares import plural
from thinveil.report.words import drawn_words, leak, lesson_words, people_words, spoken_rate


def limits(result: AuditResult) -> list[tuple[str, str]]:
    """Return what the numbers do not prove, each as a claim and its reason."""
    settings = result.settings
    found = [
        ("Other attacks may do better.", f"{_tried(result)} A better one may exist, today or later."),
        ("Low rates are no proof of safety.", "They say what this attack did not find, not what cannot be found."),
        *_favour(result),
        shape_limit(settings),
        _interval_limit(result),
        (
            "Some people were not compared.",
            f"People with {settings.min_degree:,} or fewer contacts inside a sub-graph were left out; the rates "
            "say nothing about them.",
        ),
    ]
    if leak(result):
        claim = f"Protocol {settings.protocol} does not ask “can this person be found?”"
        found.insert(3, (claim, f"{leak(result)} Prefer --protocol matched for that question."))
    return found


def interval_sentence(result: AuditResult) -> str:
    """Say what the intervals of the rates know of."""
    if _has_one_couple(result):
        return "The interval counts pairs of appearances as independent."
    return "The interval allows for pairs of appearances in the same two sub-graphs being found or missed together."


def _has_one_couple(result: AuditResult) -> bool:
    """Whether all pairs of appearances stand in the same two sub-graphs."""
    rate = spoken_rate(result)
    return rate is None or rate.couples <= 1


def _interval_limit(result: AuditResult) -> tuple[str, str]:
    draws = (
        f"nor do they cover the choice of {drawn_words(result)}; several draws (--repeats) do. This run had "
        f"{plural(result.settings.repeats, 'draw')}."
    )
    if _has_one_couple(result):
        reason = f"Pairs of appearances count as independent, which they are not quite, {draws}"
    else:
        reason = (
            "They allow for pairs of appearances in the same two sub-graphs being found or missed together, but not "
            f"for one sub-graph, or one person, being in many of them; {draws}"
        )
    return "The intervals do not cover all that chance can do.", reason


def _tried(result: AuditResult) -> str:
    attacks = {result.settings.attack, *(found.attack for found in result.beside)}
    return "This is one attack." if len(attacks) == 1 else f"These are {len(attacks)} attacks."


def _favour(result: AuditResult) -> list[tuple[str, str]]:
    """Say what the audit gives the attacker that a real one may not have."""
    if result.trained_on is not None or result.settings.attack == "signature":
        return []
    if result.settings.seeds:
        given = f"{people_words(result.settings.seeds)} were known to the attacker beforehand"
    else:
        given = f"The attack learned from {lesson_words(result)}"
    reason = f"{given}; a real attacker may have to learn from another graph (--train-on)."
    return [("The attacker is favoured in one way.", reason)]
