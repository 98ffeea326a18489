"""What these numbers do not prove."""

from __future__ import annotations

from markupsafe import Markup

from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult
from thinveil.report.plans import is_learning, known_people, leak, teacher_words, used_events
from thinveil.report.shares import listing, plural, plural_people
from thinveil.report.templates import fill
from thinveil.report.whereabouts import drawn_words, places_of
from thinveil.report.words import has_one_group


def section(result: AuditResult) -> Markup:
    """Show the limits."""
    return fill("sections/limits.html", limits=limits(result))


def limits(result: AuditResult) -> list[tuple[str, str]]:
    """Return what the numbers do not prove, each as a claim and its reason."""
    plan = result.plan
    return [
        ("Other attacks may do better.", f"{_tried(plan)} A better one may exist, today or later."),
        ("Low rates are no proof of safety.", "They say what this attack did not find, not what cannot be found."),
        *_favour(result),
        *_protocol(result),
        shape_limit(plan),
        _intervals(result),
        (
            "Some people were not compared.",
            f"People with {plan.sampling.min_degree:,} or fewer contacts {places_of(result).inside} were left out; the "
            "rates say nothing about them.",
        ),
    ]


def shape_limit(plan: Plan) -> tuple[str, str]:
    """Return what was attacked, and what was not."""
    used = used_events(plan.attack)
    unused = [word for word in ("times", "weights") if not any(word in told for told in used)]
    rest = ", ".join(["attributes", *unused]).capitalize()
    return (
        f"Only {listing(['the shape of the network', *used])} {'were' if used else 'was'} attacked.",
        f"{rest} and anything else published beside {'them' if used else 'it'} were not used and add risk.",
    )


def _tried(plan: Plan) -> str:
    attacks = len({plan.attack, *plan.beside})
    return "This is one attack." if attacks == 1 else f"These are {attacks} attacks."


def _favour(result: AuditResult) -> list[tuple[str, str]]:
    """Say what the audit gives the attacker that a real one may not have."""
    known = known_people(result.plan)
    own = result.auxiliary is not None and not known
    if result.trained_on is not None or own or not is_learning(result.plan.attack):
        return []
    given = f"{plural_people(known)} were known to the attacker beforehand"
    if not known:
        given = f"The attack learned from {teacher_words(result)}"
    reason = f"{given}; a real attacker may have to learn from another graph (--train-on)."
    return [("The attacker is favoured in one way.", reason)]


def _protocol(result: AuditResult) -> list[tuple[str, str]]:
    if not leak(result):
        return []
    claim = f"Protocol {result.plan.sampling.protocol} does not ask “can this person be found?”"
    return [(claim, f"{leak(result)} Prefer --protocol matched for that question.")]


def _intervals(result: AuditResult) -> tuple[str, str]:
    grouped = (
        "They allow for pairs of appearances of one person, or in one sub-graph, being found or missed together, as "
        "far as that can be seen in so many sub-graphs."
    )
    pairs = "Pairs of appearances count as independent, which they are not quite."
    return (
        "The intervals do not cover all that chance can do.",
        f"{pairs if has_one_group(result) else grouped} Nor do they cover the choice of {drawn_words(result)}; several "
        f"draws (--repeats) do. This run had {plural(result.plan.repeats, 'draw')}.",
    )
