"""The findings in plain English: the headline, and the sentences that stand beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from thinveil.auditing.results import HEADLINE_FPR, AuditResult, FoundRate
from thinveil.measures.people import PersonRisks
from thinveil.report.shares import (
    FEW,
    Frequency,
    about_people,
    frequency,
    of_rate,
    one_in,
    percent,
    plural,
    plural_people,
)
from thinveil.report.spans import ends_of, percent_range, whole_range
from thinveil.report.whereabouts import SUBGRAPHS, Places, drawn_words, has_egos, places_of

CATEGORY_WORDS = {
    "1-hop": "at most one hop from both egos",
    "1,2-hop": "at most one hop from one ego, two hops from the other",
    "2-hop": "two hops from both egos",
    "complete": "everybody",
}

_NAMED_WORDS = {"1-hop": "at most one hop from the ego", "2-hop": "two hops from the ego"}
"""Where one of two appearances is in an auxiliary graph, which has no ego."""

_ALONE = "That counts people as independent."
_TOGETHER = "That allows for people who share sub-graphs being re-linked or missed together."


def category_words(result: AuditResult) -> Mapping[str, str]:
    """Return who the people of each category are, in words."""
    return {**CATEGORY_WORDS, **_NAMED_WORDS} if places_of(result).named else CATEGORY_WORDS


def spoken_rate(result: AuditResult) -> FoundRate | None:
    """Return the rate of everybody at the headline's false-positive rate, or at the smallest supported one."""
    supported = [r for r in result.rates if r.category == "complete" and r.tpr is not None]
    exact = [r for r in supported if r.fpr == HEADLINE_FPR]
    return exact[0] if exact else min(supported, key=lambda r: r.fpr, default=None)


def telling_rate(result: AuditResult) -> FoundRate | None:
    """Return the rate of which the headline speaks; None where it rests on too few pairs to say anything."""
    rate = spoken_rate(result)
    return rate if rate is not None and rate.positives >= FEW else None


def headline(result: AuditResult) -> str:
    """Say in one sentence, or two, how many people an attacker would find again."""
    rate = spoken_rate(result)
    if not any(r.positives for r in result.rates):
        return f"Nobody could be compared: {places_of(result).nobody}."
    if rate is None:
        return "The test is too small to say anything: it cannot support any of the false-positive rates."
    if telling_rate(result) is None:
        return (
            f"The test is too small to say anything: only {plural(rate.positives, 'pair')} of appearances of one "
            "person could be compared."
        )
    if all_failed(result):
        return _failed(rate, result)
    if not result.found_something:
        return _nothing(rate, result)
    if rate.fpr == HEADLINE_FPR:
        return f"{_relinked(rate, result)}, while wrongly linking {one_in(rate.fpr)} pairs of different people."
    return (
        f"The data cannot support a false-positive rate of {one_in(HEADLINE_FPR)}. At {one_in(rate.fpr)}, the "
        f"smallest rate that they support: {_relinked(rate, result).replace('Of', 'of', 1)}."
    )


def failed_draws(result: AuditResult) -> int:
    """Return in how many draws the attack knew that it had failed; 0 for one that does not check itself."""
    return getattr(result.more.get("identification"), "failed", 0)


def all_failed(result: AuditResult) -> bool:
    """Whether the attack knew in every draw that it had failed."""
    return failed_draws(result) == result.plan.repeats


def _failed(rate: FoundRate, result: AuditResult) -> str:
    """Say that an attack that did not start tells next to nothing of another draw."""
    ends, draws = ends_of(rate), result.plan.repeats
    assert ends is not None  # a spoken rate is a supported one
    most = frequency(0.0, 0.0, ends[1])
    return (
        f"The attack failed{'' if draws == 1 else f' in all {draws:,} draws'}, and knew it: nobody was re-linked. Its "
        "start succeeds in one draw and fails in another, so that this tells little: in the next one it may re-link up "
        f"to {most.high} of {most.base:,} {places_of(result).whom} (95% confidence). More draws tell more: give "
        f"--repeats {max(5, 2 * draws)}."
    )


def _nothing(rate: FoundRate, result: AuditResult) -> str:
    """Say that no more was found than guessing may find, and how much may have escaped."""
    ends = ends_of(rate)
    assert ends is not None  # a spoken rate is a supported one
    most = frequency(0.0, 0.0, ends[1])
    return (
        f"The attack found nothing{' that guessing might not find' if rate.hits else ''}: it re-linked "
        f"{rate.hits or 'none'} of {plural(rate.positives, 'pair')} of appearances of one person. With 95% confidence "
        f"it would re-link at most {most.high} of {most.base:,} {places_of(result).whom}, while wrongly linking "
        f"{one_in(rate.fpr)} pairs of different people."
    )


def upper_bounds(result: AuditResult) -> dict[str, Any] | None:
    """Return the largest shares that 95% intervals allow, for machines; None where no rate is supported.

    ``pairs`` is that of pairs of appearances, ``people`` that of people (None where it is not known), both at ``fpr``.
    """
    rate, risk = spoken_rate(result), result.risk
    ends = None if rate is None else ends_of(rate)
    if rate is None or ends is None:
        return None
    known = risk is not None and risk.fpr == rate.fpr and risk.people > 0
    people = _people_ends(risk)[1] / risk.people if risk is not None and known else None
    return {"confidence": 0.95, "fpr": rate.fpr, "pairs": ends[1], "people": people}


def _relinked(rate: FoundRate, result: AuditResult) -> str:
    share = of_rate(rate)
    assert share is not None  # a spoken rate is a supported one
    found, interval = _found(rate, share, result)
    places, least = places_of(result), result.plan.sampling.min_degree
    # the names beside it are counted of everybody
    compared = f", with more than {least} contacts in each" if places.named and least else ""
    return f"Of {share.base:,} {places.whom}{compared}, an attacker would re-link {found} ({interval})"


def _found(rate: FoundRate, share: Frequency, result: AuditResult) -> tuple[str, str]:
    """Say how many were found, and how sure that is; of none, or all, on how many pairs it rests as well."""
    interval = f"95% interval {share.low} to {share.high}{_widened(len(rate.draws), ' of ' + drawn_words(result))}"
    if 0 < rate.hits < rate.positives:
        return f"about {share.count}", interval
    return "all" if rate.hits else "none", f"{interval}; {plural(rate.positives, 'pair')} tested"


def _widened(draws: int, drawn: str = "") -> str:
    """Say that an interval was made to hold all draws; empty where there is one."""
    return f", widened to hold all {draws:,} draws{drawn}" if draws > 1 else ""


def quick_sentence(result: AuditResult) -> str:
    """Say that this is only a first look, and what to run for the whole; empty where it is no quick one."""
    if not result.plan.quick:
        return ""
    return (
        "This is a quick first look (--quick), with fewer sub-graphs and fewer pairs than usual: the whole audit often "
        "finds more people, and tells it more surely. For that, run the same without --quick, and "
        "not from the settings of a quick look."
    )


def caution(result: AuditResult) -> str:
    """Return what must be read together with the headline; empty where nothing must."""
    return " ".join(one for one in (quick_sentence(result), _doubt(result)) if one)


def _doubt(result: AuditResult) -> str:
    """Say how little a low rate means; empty where it is high."""
    rate = spoken_rate(result)
    if rate is None or not result.found_something:
        return (
            "This does not mean that nobody can be found: another attack, or more data for this one, may find what "
            "this one did not."
        )
    won = next((one for one in result.wins if one.positives >= FEW), result.wins[0])
    example = f"(for example in category {won.category} at {one_in(won.fpr)})"
    if telling_rate(result) is None:
        return f"Yet the attack beats guessing {example}: that the test is small is no proof of safety."
    if rate not in result.wins and rate.low is not None and rate.low <= rate.fpr:
        return (
            "At this false-positive rate that is no more than guessing would find. The attack beats guessing elsewhere "
            f"{example}, and a low rate is no proof of safety."
        )
    return ""


def worst_sentence(result: AuditResult) -> str:
    """Name the category in which most people are found; empty where it is no worse than for everybody."""
    spoken = telling_rate(result)
    if spoken is None or not result.found_something:
        return ""
    telling = (r for r in result.rates if r.fpr == spoken.fpr and r.positives >= FEW)
    worst = max(telling, key=lambda r: r.tpr or 0.0)
    share = of_rate(worst)
    if share is None or (worst.tpr or 0.0) <= (spoken.tpr or 0.0):
        return ""
    found, interval = _found(worst, share, result)
    egos = " (an ego is the person around whom a sub-graph was cut)" if has_egos(result) else ""
    who = category_words(result).get(worst.category, worst.category)
    return (
        f"Most at risk are people {who}{egos}. Of {share.base:,} times "
        f"that such a person appears twice, {found} would be re-linked ({interval}), at the same false-positive rate."
    )


def person_sentence(result: AuditResult) -> str:
    """Say what the rate is when people count, and not their pairs of appearances; empty where that is no news."""
    rate = telling_rate(result)
    if rate is None or rate.per_person is None:
        return ""
    if all_failed(result):
        return ""  # the headline says it
    if result.risk is not None:
        return people_sentence(result.risk, places_of(result))
    if not result.found_something:
        return ""
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
    >>> counts = {"independent": 1000, "ever": 300.0, "never": 700.0, "bins": (30.0,) * 10, "by_degree": (), "by_hops": ()}
    >>> people_sentence(PersonRisks(0.001, 1000.0, 120.0, 101.2, 139.5, draws=(120.0,), shares=(0.12,), **counts))
    'Of 1,000 people who could be compared, about 120 would be re-linked (95% interval 101 to 140) between two of the sub-graphs that they are in, chosen at random. That allows for people who share sub-graphs being re-linked or missed together.'
    """  # noqa: E501
    if risk is None:
        return ""
    if max(risk.people, risk.independent) < FEW:
        return f"Only {plural_people(risk.people)} could be compared: too few to say how many would be re-linked."
    low, high = _people_ends(risk)
    counted = _TOGETHER if places.several else _ALONE
    whom = f"Of {plural_people(risk.people)} who could be compared,"
    if not risk.relinked:
        return (
            f"{whom} none was re-linked {places.between}. With 95% confidence this attack would re-link at most "
            f"{math.ceil(high - 1e-9):,} of them. {counted}"
        )
    interval = f"95% interval {whole_range(low, high)}{_widened(len(risk.draws))}"
    return (
        f"{whom} {about_people(risk.relinked, risk.people)} would be re-linked ({interval}) {places.between}. {counted}"
    )


def _people_ends(risk: PersonRisks) -> tuple[float, float]:
    """Return between which numbers of people it lies: the 95% interval, widened to hold the share of every draw."""
    # draws differ in how many could be compared: only their shares can stand beside the mean number of people
    drawn = [share * risk.people for share in risk.shares]
    return min(risk.low, *drawn, risk.people), min(max(risk.high, *drawn, 0.0), risk.people)


def spread_sentence(result: AuditResult) -> str:
    """Say how far the draws lie apart, which the interval does not; empty for a single draw."""
    rate = telling_rate(result)
    if rate is None or rate.low is None or rate.high is None or len(rate.draws) < 2:
        return ""
    least, most, drawn = min(rate.draws), max(rate.draws), drawn_words(result)
    ranged = f"was {percent(least)} each time" if least == most else f"ranged from {percent(least)} to {percent(most)}"
    return (
        f"Over {len(rate.draws):,} draws of {drawn} the share re-linked {ranged}; the 95% interval over all their "
        f"pairs is {percent_range(rate.low, rate.high)}, and by itself does not cover the choice of {drawn}."
    )


def interval_sentence(result: AuditResult) -> str:
    """Say what the intervals of the rates know of."""
    if has_one_group(result):
        return "The interval counts pairs of appearances as independent."
    return "The interval allows for pairs of one person, or in one sub-graph, being found or missed together."


def has_one_group(result: AuditResult) -> bool:
    """Whether all pairs of appearances of a draw stand in the same two sub-graphs."""
    rate = spoken_rate(result)
    return rate is None or rate.subgraph_pairs <= max(1, len(rate.draws))
