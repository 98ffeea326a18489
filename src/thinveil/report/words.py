"""The findings in plain English: the headline, and the sentences that stand beside it."""

from __future__ import annotations

import math

from thinveil.auditing.results import HEADLINE_FPR, AuditResult, FoundRate
from thinveil.measures.people import PersonRisks
from thinveil.report.places import SUBGRAPHS, Places, drawn_words, has_egos, places_of
from thinveil.report.shares import Frequency, count_people, of_rate, one_in, percent, plural

CATEGORY_WORDS = {
    "1-hop": "at most one hop from both egos",
    "1,2-hop": "at most one hop from one ego, two hops from the other",
    "2-hop": "two hops from both egos",
    "complete": "everybody",
}

_FEW = 30
"""Pairs of appearances below which nothing is said."""


def spoken_rate(result: AuditResult) -> FoundRate | None:
    """Return the rate of everybody at the headline's false-positive rate, or at the smallest supported one."""
    supported = [r for r in result.rates if r.category == "complete" and r.tpr is not None]
    exact = [r for r in supported if r.fpr == HEADLINE_FPR]
    return exact[0] if exact else min(supported, key=lambda r: r.fpr, default=None)


def headline(result: AuditResult) -> str:
    """Say in one sentence, or two, how many people an attacker would find again."""
    rate = spoken_rate(result)
    if not any(r.positives for r in result.rates):
        return f"Nobody could be compared: {places_of(result).nobody}."
    if rate is None:
        return "The test is too small to say anything: it cannot support any of the false-positive rates."
    if rate.positives < _FEW:
        return (
            f"The test is too small to say anything: only {plural(rate.positives, 'pair')} of appearances of one "
            "person could be compared."
        )
    if not result.found_something:
        return "The attack found nothing: it re-links people no better than guessing would."
    if rate.fpr == HEADLINE_FPR:
        return f"{_relinked(rate, result)}, while wrongly linking {one_in(rate.fpr)} pairs of different people."
    return (
        f"The data cannot support a false-positive rate of {one_in(HEADLINE_FPR)}. At {one_in(rate.fpr)}, the "
        f"smallest rate that they support: {_relinked(rate, result).replace('Of', 'of', 1)}."
    )


def _relinked(rate: FoundRate, result: AuditResult) -> str:
    share = of_rate(rate)
    assert share is not None  # a spoken rate is a supported one
    interval, whom = _interval(rate, share, drawn_words(result)), places_of(result).whom
    found = "none" if rate.hits == 0 else "all" if rate.hits == rate.positives else f"about {share.count}"
    return f"Of {share.base:,} {whom}, an attacker would re-link {found} ({interval})"


def _interval(rate: FoundRate, share: Frequency, drawn: str) -> str:
    """Say how sure a share is: how far draws lie apart says more than the interval over their pairs."""
    span = f"{share.low} to {share.high}"
    return f"{span} in {len(rate.draws)} draws of {drawn}" if len(rate.draws) > 1 else f"95% interval {span}"


def caution(result: AuditResult) -> str:
    """Return what must be read together with the headline; empty where nothing must."""
    rate = spoken_rate(result)
    if rate is None or not result.found_something:
        return (
            "This does not mean that the data are safe to publish: another attack, or more data for this one, "
            "may find what this one did not."
        )
    if rate.low is not None and rate.low <= rate.fpr:
        won = result.wins[0]
        return (
            "At this false-positive rate that is no more than guessing would find. The attack beats guessing elsewhere "
            f"(for example in category {won.category} at {one_in(won.fpr)}), and a low rate is no proof of safety."
        )
    return ""


def worst_sentence(result: AuditResult) -> str:
    """Name the category in which most people are found; empty where it is no worse than for everybody."""
    spoken = spoken_rate(result)
    if spoken is None or not result.found_something:
        return ""
    worst = max((r for r in result.rates if r.fpr == spoken.fpr), key=lambda r: r.tpr or 0.0)
    share = of_rate(worst)
    if share is None or worst.category == "complete":
        return ""
    about = "all" if worst.hits == worst.positives else f"about {share.count}"
    egos = " (an ego is the person around whom a sub-graph was cut)" if has_egos(result) else ""
    return (
        f"Most at risk are people {CATEGORY_WORDS.get(worst.category, worst.category)}{egos}. Of {share.base:,} times "
        f"that such a person appears twice, {about} would be re-linked "
        f"({_interval(worst, share, drawn_words(result))}), at the same false-positive rate."
    )


def person_sentence(result: AuditResult) -> str:
    """Say what the rate is when people count, and not their pairs of appearances; empty where that is no news."""
    rate = spoken_rate(result)
    if rate is None or rate.per_person is None or not result.found_something:
        return ""
    if result.risk is not None:
        return people_sentence(result.risk, places_of(result))
    if rate.mean is not None and math.isclose(rate.per_person, rate.mean):
        return ""  # everybody has one pair
    return (
        f"Averaged person by person it is {percent(rate.per_person)}: people who appear in many sub-graphs have more "
        "pairs of appearances, and weigh more in the number above."
    )


def people_sentence(risk: PersonRisks | None, places: Places = SUBGRAPHS) -> str:
    """Say how many people would be re-linked; empty where that is not known.

    Examples
    --------
    >>> counts = {"ever": 300.0, "never": 700.0, "bins": (30.0,) * 10, "by_degree": (), "by_hops": ()}
    >>> people_sentence(PersonRisks(0.001, 1000.0, 120.0, 101.2, 139.5, draws=(120.0,), **counts))
    'Of 1,000 people who could be compared, about 120 would be re-linked (95% interval 101 to 140) between two of the sub-graphs that they are in, chosen at random.'
    """  # noqa: E501
    if risk is None:
        return ""
    low, high = (risk.low, risk.high) if len(risk.draws) == 1 else (min(risk.draws), max(risk.draws))
    span = f"{math.floor(low + 1e-9):,} to {math.ceil(high - 1e-9):,}"
    interval = f"95% interval {span}" if len(risk.draws) == 1 else f"{span} in {len(risk.draws)} draws"
    found = "none" if risk.relinked == 0 else f"about {count_people(risk.relinked)}"
    return (
        f"Of {risk.people:,.0f} people who could be compared, {found} would be re-linked ({interval}) {places.between}."
    )


def spread_sentence(result: AuditResult) -> str:
    """Say how far the draws lie apart, which the interval does not; empty for a single draw."""
    rate = spoken_rate(result)
    if rate is None or len(rate.draws) < 2:
        return ""
    return (
        f"Over {len(rate.draws):,} draws of {drawn_words(result)} the share re-linked ranged from "
        f"{percent(min(rate.draws))} to {percent(max(rate.draws))}: the interval does not cover the choice of "
        f"{drawn_words(result)}."
    )


def interval_sentence(result: AuditResult) -> str:
    """Say what the intervals of the rates know of."""
    if has_one_group(result):
        return "The interval counts pairs of appearances as independent."
    return "The interval allows for pairs of appearances in the same two sub-graphs being found or missed together."


def has_one_group(result: AuditResult) -> bool:
    """Whether all pairs of appearances of a draw stand in the same two sub-graphs."""
    rate = spoken_rate(result)
    return rate is None or rate.subgraph_pairs <= max(1, len(rate.draws))
