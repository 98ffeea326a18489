"""Where a person can appear twice, in the words of the page.

A person appears in two published sub-graphs, or, where the attacker has an auxiliary graph, in that one and in what was
published: one graph, or several sub-graphs. Sentences that speak of it take their words from here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from thinveil.auditing.results import AuditResult
from thinveil.threats import Threat


@dataclass(frozen=True)
class Places:
    """The words for one kind of release.

    ``named`` says whether there is an auxiliary graph with names, ``several`` whether there are several published
    sub-graphs: then intervals allow for people who share one. A person
    appears ``twice`` there, each time in its ``own`` graph.
    """

    whom: str
    nobody: str
    drawn: str
    inside: str
    between: str
    most: str
    least: str
    in_several: str
    search: str
    whole: str
    caption: str
    means: str
    twice: str
    own: str
    counted: str = "times"
    named: bool = False
    several: bool = True


SUBGRAPHS = Places(
    whom="times that a person appears in two published sub-graphs",
    nobody="no person appears in two of the sub-graphs with enough contacts",
    drawn="sub-graphs",
    inside="inside a sub-graph",
    between="between two of the sub-graphs that they are in, chosen at random",
    most="in the sub-graph where they have most",
    least="Contacts in the sub-graph where the person has fewer",
    in_several="two or more sub-graphs",
    search="another sub-graph that this person is in",
    whole="everybody in one sub-graph with everybody in another",
    caption="Comparing two whole sub-graphs",
    means="these are means over pairs of sub-graphs",
    twice="A person who is in two sub-graphs appears twice, under two pseudonyms.",
    own="sub-graph",
)

TWO_GRAPHS = Places(
    whom="people who are both in the published graph and in the auxiliary graph with names",
    nobody="no person appears in both graphs with enough contacts",
    drawn="the two graphs",
    inside="inside one of the two graphs",
    between="between the published graph and the auxiliary graph",
    most="in the graph where they have most",
    least="Contacts in the graph where the person has fewer",
    in_several="both graphs",
    search="the other graph",
    whole="everybody in the published graph with everybody in the auxiliary graph",
    caption="Comparing the two whole graphs",
    means="these are means over draws",
    twice="A person who is in both graphs appears twice: once under a pseudonym, once by name.",
    own="graph",
    counted="people",
    named=True,
    several=False,
)

GIVEN_GRAPH = replace(TWO_GRAPHS, drawn="releases")  # the auxiliary graph is always the same

SUBGRAPHS_AND_NAMES = Places(
    whom="times that a person of the auxiliary graph with names appears in a published sub-graph",
    nobody="no person of the auxiliary graph appears in a published sub-graph with enough contacts in both",
    drawn="sub-graphs",
    inside="inside a sub-graph, or in the auxiliary graph,",
    between="between one of the sub-graphs that they are in, chosen at random, and the auxiliary graph",
    most="in the auxiliary graph or the sub-graph where they have most",
    least="Contacts in the sub-graph or in the auxiliary graph, whichever are fewer",
    in_several="the auxiliary graph and in at least one sub-graph",
    search="a published sub-graph, or in the auxiliary graph",
    whole="everybody in one published sub-graph with everybody in the auxiliary graph",
    caption="Comparing a whole sub-graph with the whole auxiliary graph",
    means="these are means over sub-graphs",
    twice="A person of the auxiliary graph appears there by name, and under another pseudonym in each sub-graph.",
    own="graph or sub-graph",
    named=True,
)


def places_of(result: AuditResult) -> Places:
    """Return the words that suit a result."""
    if not has_auxiliary(result.plan.threat):
        return SUBGRAPHS
    if has_several(result):
        return SUBGRAPHS_AND_NAMES
    return TWO_GRAPHS if result.auxiliary is None else GIVEN_GRAPH


def has_several(result: AuditResult) -> bool:
    """Whether a draw published several sub-graphs: with egos, or people who are in different ones of them."""
    return has_egos(result) or any(rate.subgraph_pairs > max(1, len(rate.draws)) for rate in result.rates)


def has_auxiliary(threat: Threat) -> bool:
    """Whether the attacker has a second graph with names: such a threat says how far it overlaps with the published."""
    return bool(getattr(threat, "auxiliary", hasattr(threat, "node_overlap")))


def has_egos(result: AuditResult) -> bool:
    """Whether the sub-graphs were cut around egos: then everybody in them has a distance from the ego."""
    return result.egos.subgraphs > 0


def drawn_words(result: AuditResult) -> str:
    """Say what a draw chooses by lot."""
    return "egos" if has_egos(result) else places_of(result).drawn
