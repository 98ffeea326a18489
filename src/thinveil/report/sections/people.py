"""The risk of each person: how many people have which risk, without pointing at anybody."""

from __future__ import annotations

import math

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.measures.people import PAIRS_EACH, PersonRisks, RiskGroup
from thinveil.measures.rates import share_bounds
from thinveil.report.plots import inline_svg
from thinveil.report.riskplots import draw_risks
from thinveil.report.shares import FEW, count_people, one_in, plural_people, round_percent
from thinveil.report.spans import round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import SUBGRAPHS, Places, places_of
from thinveil.report.words import people_sentence

_HOPS = {0: "at most one hop from at least one ego", 2: "two hops from every ego"}


def section(result: AuditResult) -> Markup | None:
    """Show the risks, where they are known."""
    risk, places = result.risk, places_of(result)
    if risk is None:
        return None
    return fill(
        "sections/people.html",
        sentences=[people_sentence(risk, places), *exposed_sentences(risk)],
        fpr=one_in(risk.fpr),
        figure=None if _is_all_or_nothing(risk) else _figure(risk),
        groups=group_rows(risk, places),
        places=places,
        repeats=result.plan.repeats,
    )


def exposed_sentences(risk: PersonRisks) -> list[str]:
    """Say who was linked at least once, and where people are most at risk; nothing of a few people."""
    if max(risk.people, risk.independent) < FEW:
        return []
    told = [_ever_sentence(risk), _sure_sentence(risk)]
    if risk.by_hops:
        near, far = risk.by_hops
        told.append(
            f"People {_HOPS[near.lowest]} run a risk of {_share(near)} on average, people {_HOPS[far.lowest]} one of "
            f"{_share(far)}."
        )
    return [sentence for sentence in told if sentence]


def group_rows(risk: PersonRisks, places: Places = SUBGRAPHS) -> list[tuple[str, str, str, str]]:
    """Return the groups of a table: who, how many, mean risk, interval."""
    named = [(_HOPS[group.lowest], group) for group in risk.by_hops]
    named += [(f"{_degrees(group)}, {places.most}", group) for group in risk.by_degree]
    return [(name, count_people(group.people), round_percent(group.risk), _span(group)) for name, group in named]


def _figure(risk: PersonRisks) -> Markup:
    label = (
        f"People by risk: {risk.never:,.0f} of whom no pair was linked, and by steps of 10% from the lowest risk to "
        f"the highest {', '.join(f'{count:,.0f}' for count in risk.bins)}."
    )
    return inline_svg(draw_risks(risk), name="people", label=label)


def _is_all_or_nothing(risk: PersonRisks) -> bool:
    """Whether everybody's risk is 0 or 1, as where each person has one pair: then there is no more to tell."""
    return risk.ever > 0 and math.isclose(risk.ever, risk.relinked)


def _ever_sentence(risk: PersonRisks) -> str:
    if _is_all_or_nothing(risk):
        return ""
    share = risk.ever / risk.people
    interval = f"95% interval {round_range(*share_bounds(share, risk.independent))}"
    if not risk.ever:
        return (
            f"None of {plural_people(risk.people)} was linked in any of the pairs compared, up to {PAIRS_EACH} for "
            f"each person ({interval}). That is what this attack did not find, not what cannot be found."
        )
    return (
        f"{count_people(risk.ever)} of them ({round_percent(share)}, {interval}) were linked in at least one of the "
        f"pairs compared, up to {PAIRS_EACH} for each person. Who compares more sub-graphs finds more people."
    )


def _sure_sentence(risk: PersonRisks) -> str:
    sure = risk.bins[-1]
    if not sure or _is_all_or_nothing(risk):
        return ""
    return f"Of {count_people(sure)} of them more than 90% of the pairs compared were linked."


def _share(group: RiskGroup) -> str:
    return f"{round_percent(group.risk)} (95% interval {_span(group)})"


def _span(group: RiskGroup) -> str:
    return round_range(group.low, group.high)


def _degrees(group: RiskGroup) -> str:
    span = f"{group.lowest:,} or more" if group.highest is None else f"{group.lowest:,} to {group.highest:,}"
    return f"{span} contacts"
