"""The findings in plain English: a headline, and the sentences that say what it rests on."""

from __future__ import annotations

import math

from thinveil.auditing.results import HEADLINE_FPR, AuditResult, Egos, FoundRate
from thinveil.auditing.settings import Settings
from thinveil.features import find_component, make_channels
from thinveil.features.channels.events import KINDS
from thinveil.measures import rates as metrics
from thinveil.report.events import compared_words, published_sentence, slots_sentence, sum_words
from thinveil.report.people import people_sentence
from thinveil.report.shares import Frequency, of_rate, one_in, percent, plural, round_percent

CATEGORY_WORDS = {
    "1-hop": "at most one hop from both egos",
    "1,2-hop": "at most one hop from one ego, two hops from the other",
    "2-hop": "two hops from both egos",
    "complete": "everybody",
}

_SCHEMES = {
    "d4d-1": "publishes whole 2-hop egonets: around each chosen person, the ego, all contacts, all contacts of "
    "contacts and every edge among them, under fresh pseudonyms",
    "d4d-2": "publishes 2-hop egonets with the edges between 2-hop nodes removed: around each chosen person, the "
    "ego, all contacts and all contacts of contacts, but not who knows whom among the latter, under fresh pseudonyms",
    "overlap": "publishes two sub-graphs under fresh pseudonyms: of all people {people} are in both, and of all "
    "published edges among these people {edges} are in both; the others were deleted at random",
}

_ATTACKS = {
    "strong": "Gradient boosting, learned from {learned}. It compares what two appearances have around them: their own "
    "contacts, the contacts of these, who of them know each other, and coincidences that are exact. Then "
    "links support each other: two appearances who know the same re-linked people are more probably one person, so "
    "links found lead to more links, in rounds",
    "forest": "A forest of decision trees on {compared}, as in Sharad and Danezis (2014), learned from {learned}",
    "signature": "The ad-hoc attack of Sharad and Danezis (2014): two appearances are linked if the sorted degrees "
    "inside the person's own 1-hop network are equal. Nothing is learned",
}

_PROTOCOLS = {
    "paper": "the pairs of different people were drawn as in Sharad and Danezis (2014), two sub-graphs at random "
    "and then anybody from each. Sub-graph size and distance from the ego give part of the answer away, so the "
    "rates are higher than an attacker could reach; the matched protocol asks the harder question",
    "uniform": "the pairs of different people were drawn at random among all appearances in all sub-graphs",
    "matched": "a person was compared with others of the very sub-graph, and at the same distance from its ego, in "
    "which that person really is. It asks whether this person can be told from the others there",
}

_PROTOCOLS_WITHOUT_EGOS = {
    "paper": "the pairs of different people were drawn as in Sharad and Danezis (2014), two sub-graphs at random and "
    "then anybody from each",
    "uniform": _PROTOCOLS["uniform"],
    "matched": "a person who is in two sub-graphs was compared with others of the very sub-graph in which that person "
    "really is. It asks whether this person can be told from the others there",
}

_LEAKS = {
    "paper": "Sub-graph size and distance from the ego give part of the answer away.",
    "uniform": "The wrong candidates come from all sub-graphs, not from the one in which a person is looked for.",
}

_COUNTED = {"degrees": "neighbours", "two-hop": "people within two hops"}
"""Whom the components of a channel count."""

_FEW = 30
"""Pairs of appearances below which nothing is said."""

_SURE = 10
"""False positives from which on a threshold is taken as well placed."""


def has_egos(result: AuditResult) -> bool:
    """Whether the scheme publishes sub-graphs around egos, at a distance from which everybody stands."""
    return result.egos.subgraphs > 0


def drawn_words(result: AuditResult) -> str:
    """Say what a draw chooses by lot."""
    return "egos" if has_egos(result) else "sub-graphs"


def spoken_rate(result: AuditResult) -> FoundRate | None:
    """Return the rate of everybody at the headline's false-positive rate, or at the smallest supported one."""
    supported = [r for r in result.rates if r.category == "complete" and r.tpr is not None]
    exact = [r for r in supported if r.fpr == HEADLINE_FPR]
    return exact[0] if exact else min(supported, key=lambda r: r.fpr, default=None)


def headline(result: AuditResult) -> str:
    """Say in one sentence, or two, how many people an attacker would find again."""
    rate = spoken_rate(result)
    if not any(r.positives for r in result.rates):
        return "Nobody could be compared: no person appears in two of the sub-graphs with enough contacts."
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
        told = _relinked(rate, drawn_words(result))
        return f"{told}, while wrongly linking {one_in(rate.fpr)} pairs of different people."
    return (
        f"The data cannot support a false-positive rate of {one_in(HEADLINE_FPR)}. At {one_in(rate.fpr)}, the "
        f"smallest rate that they support: {_relinked(rate, drawn_words(result)).replace('Of', 'of', 1)}."
    )


def _relinked(rate: FoundRate, drawn: str) -> str:
    share = of_rate(rate)
    assert share is not None  # a spoken rate is a supported one
    whom = "times that a person appears in two published sub-graphs"
    interval = _interval(rate, share, drawn)
    if rate.hits == 0:
        return f"Of {share.base:,} {whom}, an attacker would re-link none ({interval})"
    if rate.hits == rate.positives:
        return f"Of {share.base:,} {whom}, an attacker would re-link all ({interval})"
    return f"Of {share.base:,} {whom}, an attacker would re-link about {share.count} ({interval})"


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
        return (
            f"At this false-positive rate that is no more than guessing would find; the attack beats guessing "
            f"{_where_it_wins(result)}, and a low rate is no proof of safety."
        )
    return ""


def _where_it_wins(result: AuditResult) -> str:
    won = result.wins[0]
    return f"elsewhere (for example in category {won.category} at {one_in(won.fpr)})"


def scheme_sentence(settings: Settings) -> str:
    """Say what is published."""
    known = _SCHEMES.get(settings.scheme, "turns the graph into sub-graphs that should not be linkable")
    shares = {"people": round_percent(settings.node_overlap), "edges": round_percent(settings.edge_overlap)}
    return f"The scheme {settings.scheme} {known.format(**shares)}.{published_sentence(settings)}"


def attack_sentence(result: AuditResult) -> str:
    """Say what the attack does and from what it learned."""
    compared = compared_words(result.settings)
    known = _ATTACKS[result.settings.attack].format(learned=lesson_words(result), compared=compared)
    return f"{known}.{slots_sentence(result.settings)}"


def lesson_words(result: AuditResult) -> str:
    """Say from what the attack learned."""
    if result.trained_on is not None:
        other = result.trained_on
        return f"another graph ({plural(other.nodes, 'node')}, {plural(other.edges, 'edge')})"
    if result.settings.seeds:
        where = "several sub-graphs" if has_egos(result) else "both sub-graphs"
        return f"{people_words(result.settings.seeds)} known in {where}"
    return "other people's sub-graphs of the same graph" if has_egos(result) else "a second release of the same graph"


def people_words(count: int) -> str:
    """Return ``1 person`` or ``3 people``."""
    return "1 person" if count == 1 else f"{count:,} people"


def protocol_sentence(result: AuditResult) -> str:
    """Say what a pair of different people is."""
    settings = result.settings
    unseen = " Only people who stand nowhere in the training release were tested." if settings.unseen else ""
    meaning = (_PROTOCOLS if has_egos(result) else _PROTOCOLS_WITHOUT_EGOS)[settings.protocol]
    return f"Protocol {settings.protocol}: {meaning}.{unseen}"


def leak(result: AuditResult) -> str:
    """Say what the protocol gives away; without egos that is next to nothing, and the sentence empty."""
    return _LEAKS.get(result.settings.protocol, "") if has_egos(result) else ""


def protocol_warning(result: AuditResult) -> str:
    """Say where the protocol flatters the attack; empty where it does not."""
    return f"Protocol {result.settings.protocol}. {leak(result)} Prefer --protocol matched." if leak(result) else ""


def draws_sentence(result: AuditResult) -> str:
    """Say how often new sub-graphs were drawn, and what of them was attacked."""
    settings = result.settings
    often = "once" if settings.repeats == 1 else f"{settings.repeats:,} times"
    unknown = "; how much others would change the rates is not known from one draw" if settings.repeats == 1 else ""
    if settings.seeds:
        count = f"{settings.egonets:,}" if has_egos(result) else "the two"
        return (
            f"{drawn_words(result).capitalize()} were drawn {often}: in {count} sub-graphs of each draw the attacker "
            f"knows {people_words(settings.seeds)}, drawn at random among those who are in two, and attacks the "
            f"others{unknown}."
        )
    if not has_egos(result):
        return f"Sub-graphs were drawn {often}: one release to learn from and another to attack{unknown}."
    return (
        f"Egos were drawn {often}: {settings.egonets:,} "
        f"sub-graphs to learn from and {settings.egonets:,} others to attack{unknown}."
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


def person_sentence(result: AuditResult) -> str:
    """Say what the rate is when people count, and not their pairs of appearances; empty where that is no news."""
    rate = spoken_rate(result)
    if rate is None or rate.per_person is None or not result.found_something:
        return ""
    if result.risk is not None:
        return people_sentence(result.risk)
    if rate.mean is not None and math.isclose(rate.per_person, rate.mean):
        return ""  # everybody has one pair
    return (
        f"Averaged person by person it is {percent(rate.per_person)}: people who appear in many sub-graphs have more "
        "pairs of appearances, and weigh more in the number above."
    )


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
    return (
        f"Worst off are people {CATEGORY_WORDS.get(worst.category, worst.category)}: of {share.base:,} of them "
        f"{about} would be re-linked ({_interval(worst, share, drawn_words(result))}), at the same false-positive rate."
    )


def missing_words(rate: FoundRate) -> str:
    """Say why a rate cannot be given."""
    if not rate.positives:
        return "no such pairs"
    return f"not supported: needs {math.ceil(1 / rate.fpr - 1e-9):,} different negatives"


def is_shaky(rate: FoundRate) -> bool:
    """Whether the threshold of a supported rate rests on few different false positives, in each draw."""
    return rate.tpr is not None and rate.fpr * rate.distinct + 1e-9 < _SURE * max(1, len(rate.draws))


def egos_sentence(egos: Egos) -> str:
    """Say how often the ego can be told from the published sub-graph."""
    if not egos.subgraphs:
        return "No sub-graph was looked at."
    if not egos.detected:
        return f"In none of {egos.subgraphs:,} sub-graphs did exactly one person stand within two hops of all."
    share = metrics.rate(egos.right, egos.subgraphs)
    interval = f"{100 * share.low:.0f} to {100 * share.high:.0f}%"
    verdict = "always" if egos.right == egos.detected else f"in {egos.right:,} of them"
    return (
        f"In {egos.detected:,} of {egos.subgraphs:,} sub-graphs exactly one person stands within two hops of "
        f"everybody, and {verdict} this was the ego: the ego is found in {round_percent(share.value)} of the "
        f"sub-graphs (95% interval {interval}). Who knows the ego knows how far everybody is from "
        f"it, and can use the classifier made for that category."
    )


def bin_words(component: int, settings: Settings) -> str:
    """Say whom a component of a row's vector, in which the channels stand side by side, counts.

    Examples
    --------
    >>> bin_words(0, Settings()), bin_words(69, Settings())
    ('neighbours with 1 to 15 contacts', 'neighbours with more than 1,035 contacts')
    >>> bin_words(71, Settings(scheme="overlap"))
    'people within two hops with 16 to 30 contacts'
    """
    settings = settings.resolved()
    channels = make_channels(settings.features, bins=settings.bins, bin_size=settings.bin_size)
    channel, number = find_component(component, channels)
    if settings.features[channel] in KINDS:
        return sum_words(settings.features[channel], number)
    whom = _COUNTED[settings.features[channel]]
    first, last = number * settings.bin_size, (number + 1) * settings.bin_size
    if number == settings.bins - 1:
        return f"{whom} with more than {first:,} contacts"
    if settings.bin_size == 1:
        return f"{whom} with {plural(last, 'contact')}"
    return f"{whom} with {first + 1:,} to {last:,} contacts"
