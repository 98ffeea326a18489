"""A plan in plain English: the threat, the scheme, the attack, the protocol and the draws.

Words about a scheme, an attack or a threat are its own. One that a user wrote may lack them: what is said then stands
here, and nowhere else.
"""

from __future__ import annotations

from typing import Any

from thinveil.attacks import Attack
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import AuditResult
from thinveil.report.shares import listing, plural, plural_people
from thinveil.report.whereabouts import drawn_words, has_egos, places_of
from thinveil.schemes.base import title_of as scheme_title

_NO_SCHEME_WORDS = "publishes sub-graphs that should not be linkable"

_PROTOCOLS = {
    "paper": "pairs of different people were drawn as in Sharad and Danezis (2014): two sub-graphs at random, and then "
    "anybody from each",
    "uniform": "pairs of different people were drawn at random among all appearances in all sub-graphs",
    "matched": "the wrong candidates for a person were drawn from the sub-graph that this person is really in{near}. "
    "The question is whether the attacker can tell this person from the others there",
}

_PROTOCOLS_OF_TWO_GRAPHS = {
    "paper": "pairs of different people were drawn as in Sharad and Danezis (2014): one from each graph, at random",
    "uniform": "pairs of different people were drawn at random, one from each graph",
    "matched": "each person who is in both graphs was compared with others of the other graph. The question is whether "
    "the attacker can tell this person from the others there",
}

_PROTOCOLS_OF_NAMES = {
    "paper": "pairs of different people were drawn as in Sharad and Danezis (2014): somebody of a sub-graph drawn at "
    "random, and anybody of the auxiliary graph",
    "uniform": "pairs of different people were drawn at random: one among all appearances in all sub-graphs, and one "
    "in the auxiliary graph",
    "matched": "each person of the auxiliary graph who is in a sub-graph was compared with others of that "
    "sub-graph{near}, or each published appearance with other people of the auxiliary graph. The question is whether "
    "the attacker can tell this person from the others there",
}

_LEAKS = {
    "paper": "The size of a sub-graph and the distance from its ego give part of the answer away.",
    "uniform": "The wrong candidates come from all sub-graphs, not from the one in which a person is looked for.",
}


def title_of(attack: Attack) -> str:
    """Say in a few words what an attack is."""
    return str(getattr(attack, "title", "an attack of the user's own"))


def is_learning(attack: Attack) -> bool:
    """Whether an attack learns anything."""
    return bool(getattr(attack, "learns", True))


def known_people(plan: Plan) -> int:
    """Return how many people of the attacked release the attacker knows beforehand."""
    return getattr(plan.threat, "known", None) or 0


def used_events(attack: Attack) -> list[str]:
    """Name what of the events an attack uses."""
    channels = attack.needs.channels
    return list(dict.fromkeys(word for channel in channels for word in getattr(channel, "events", ())))


def _fixed_auxiliary(threat: Any) -> str:
    """Say what the attacker holds beside a release that was made elsewhere."""
    return (
        "The attacker holds the release and a graph with names, and wants to know which name belongs to which "
        f"published node. He has {100 * threat.node_overlap:g}% of the people in that graph, and "
        f"{100 * threat.edge_overlap:g}% of the edges among them."
    )


def threat_sentence(plan: Plan) -> str:
    """Say what the attacker holds, wants and knows."""
    known = known_people(plan)
    told = _described(plan.threat, f"The threat is {plan.threat.name}, one of the user's own")
    if getattr(plan.scheme, "is_fixed", False) and getattr(plan.threat, "auxiliary", False):
        told = _fixed_auxiliary(plan.threat)
    if known:
        told += f" The attacker knows {plural_people(known)} beforehand, and attacks the others."
    if getattr(plan.threat, "unseen", False):
        told += " Only people who are not in the release to learn from were tested."
    return told


def scheme_sentence(plan: Plan) -> str:
    """Say what is published."""
    words, used = _described(plan.scheme, _NO_SCHEME_WORDS), used_events(plan.attack)
    events = f" With each edge come its {listing(used)}." if used else ""
    return f"The scheme {scheme_title(plan.scheme)} {words}{events}"


def attack_sentence(result: AuditResult) -> str:
    """Say what the attack does and from what it learned."""
    attack = result.plan.attack
    told = _described(attack, f"The attack {attack.name}: {title_of(attack)}")
    return f"{told} It learned from {teacher_words(result)}." if is_learning(attack) else told


def teacher_words(result: AuditResult) -> str:
    """Say from what the attack learned."""
    known = known_people(result.plan)
    if result.trained_on is not None:
        other = result.trained_on
        return f"another graph ({plural(other.nodes, 'node')}, {plural(other.edges, 'edge')})"
    if known:
        return f"{plural_people(known)} known in {places_of(result).in_several}"
    owners = (result.plan.scheme, result.plan.threat)  # a release that was made elsewhere is what can be learned from
    own = next((words for one in owners if (words := getattr(one, "teacher_words", None))), None)
    return own or f"a second release of the same graph{', around other people' if has_egos(result) else ''}"


def protocol_sentence(result: AuditResult) -> str:
    """Say what a pair of different people is."""
    protocol = result.plan.sampling.protocol
    places = places_of(result)
    words = _PROTOCOLS if not places.named else _PROTOCOLS_OF_NAMES if places.several else _PROTOCOLS_OF_TWO_GRAPHS
    near = ", and from people as far from its ego as this person is" if has_egos(result) else ""
    if places.named:
        near = " who are as far from its ego" if has_egos(result) else ""
    return f"Protocol {protocol}: {words[protocol].format(near=near)}.{_flattery(result)}"


def _flattery(result: AuditResult) -> str:
    """Say that the rates are too high, with a space before; empty where they are not."""
    if not leak(result):
        return ""
    return f" {leak(result)} So the rates are higher than a real attacker could reach: prefer --protocol matched."


def leak(result: AuditResult) -> str:
    """Say what the protocol gives away; without egos that is next to nothing, and the sentence empty."""
    return _LEAKS.get(result.plan.sampling.protocol, "") if has_egos(result) else ""


def protocol_warning(result: AuditResult) -> str:
    """Say where the protocol flatters the attack; empty where it does not."""
    protocol = result.plan.sampling.protocol
    return f"Protocol {protocol}. {leak(result)} Prefer --protocol matched." if leak(result) else ""


def draws_sentence(result: AuditResult) -> str:
    """Say how often new sub-graphs were drawn, and what of them was attacked."""
    repeats = result.plan.repeats
    often = "once" if repeats == 1 else f"{repeats:,} times"
    drawn = drawn_words(result)
    unknown = " How much other draws would change the rates is not known from one draw." if repeats == 1 else ""
    return f"{drawn[0].upper()}{drawn[1:]} were drawn {often}: {_one_draw(result)}.{unknown}"


def _one_draw(result: AuditResult) -> str:
    """Say what is learned from and what is attacked in each draw."""
    plan, known = result.plan, known_people(result.plan)
    count = f"{result.egos.subgraphs / plan.repeats:,.0f} sub-graphs" if has_egos(result) else "one release"
    if known:
        among = f"drawn at random among those who are in {places_of(result).in_several}"
        place = count if places_of(result).several else "the two graphs"
        return f"in {place} of each draw the attacker knows {plural_people(known)}, {among}"
    if not any(is_learning(attack) for attack in (plan.attack, *plan.beside)):
        return f"{count} to attack"
    if result.trained_on is not None:
        other = "as many" if has_egos(result) else "one"
        return f"{count} of another graph to learn from and {other} of this graph to attack"
    if getattr(plan.threat, "auxiliary", False) and not getattr(plan.scheme, "is_fixed", False):
        return f"{count} of this graph to attack, and what the attacker makes of his own graph to learn from"
    other = "as many others" if has_egos(result) else "another"
    return f"{count} to learn from and {other} to attack"


def _described(thing: Any, instead: str) -> str:
    """Return what a thing says of itself, or something instead, with a full stop."""
    describe = getattr(thing, "describe", None)
    return f"{str(describe() if describe else instead).rstrip('.')}."
