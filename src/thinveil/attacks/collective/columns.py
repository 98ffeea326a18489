"""The columns of evidence: what speaks for or against an appearance belonging to a cluster.

``Evidence`` is written by the kernels, ``Lead`` by ``margins``; a model learns from both. A comparison of two
appearances holds the used columns of both and the ``Verdict`` of that model.

*Common* contacts are the known contacts of the cluster whom the appearance knows too. Of the cluster's known contacts,
those are *expected* who are present in the appearance's sub-graph. Inner appearances show all their contacts, and count
once more on their own. *Trusted* columns also count contacts that are only guessed, each by how far it is trusted.
"""

from __future__ import annotations

from thinveil.features.columns import Columns

_CONTACTS, _TIES = "contacts already linked", "shared contacts with linked contacts"
_APPEARANCES, _LIKENESS = "appearances already linked", "likeness of the two by themselves"
_PLACE, _GUESSED = "place among the inner nodes", "contacts that are linked or guessed"
_SPREAD, _MISSING = "how far links have spread", "linked contacts that are missing"
_LEAD, _PROBABILITY = "lead over the next best", "probability of the link"


class Evidence(Columns):
    """What a kernel writes about an appearance and a cluster, the appearance's own part in the cluster left out."""

    COMMON = "common contacts", _CONTACTS
    COMMON_WEIGHT = "their weight", _CONTACTS
    COMMON_INNER = "common inner contacts", _CONTACTS
    COMMON_INNER_WEIGHT = "their weight", _CONTACTS
    SHARE_OF_OWN = "share of the appearance's contacts that are common", _CONTACTS
    SHARE_OF_EXPECTED = "share of the expected contacts that are common", _CONTACTS
    INNER_SHARE_OF_OWN = "the same for inner contacts", _CONTACTS
    INNER_SHARE_OF_EXPECTED = "the same for inner contacts", _CONTACTS
    COSINE = "cosine of the two sets of contacts", _CONTACTS
    INNER_COSINE = "cosine of the two sets of inner contacts", _CONTACTS
    CONTACTS = "linked contacts of the appearance", _CONTACTS
    INNER_CONTACTS = "linked inner contacts of the appearance", _CONTACTS
    DEGREE = "degree of the appearance", _CONTACTS, False
    IS_INNER = "whether it is an inner one", _CONTACTS, False
    SIZE = "other appearances of the cluster", _APPEARANCES
    INNER_SIZE = "inner ones among these", _APPEARANCES
    LARGEST_DEGREE = "largest degree of these", _CONTACTS, False
    DEGREE_RATIO = "logarithm of the degree over the cluster's largest inner degree", _CONTACTS
    KNOWN_CONTACTS = "known contacts of the cluster", _CONTACTS
    IS_PRESENT = "whether the cluster has another appearance in the sub-graph", _CONTACTS
    ANCHOR = "probability of the surest anchor between the two", _LIKENESS
    EQUAL_TIES = "weight of common contacts with whom both share as many contacts", _TIES
    EQUAL_TIES_SHARE = "share of common contacts with such a tie", _TIES
    TIE_CLOSENESS = "how near the numbers of shared contacts are", _TIES
    EQUAL_INNER_TIES = "rarity of equal ties with inner contacts", _TIES
    INNER_NODES = "inner nodes of the sub-graph", _PLACE
    INNER_NODES_KNOWN = "share of these that the appearance knows", _PLACE
    INNER_NODES_KNOWN_ELSEWHERE = "share that the cluster knows elsewhere, on average", _PLACE
    INNER_DEGREE = "largest inner degree of the cluster", _PLACE
    TRUSTED_WEIGHT = "weight of common contacts, guesses included", _GUESSED
    TRUSTED_SHARE_OF_OWN = "share of the appearance's contacts, guesses included", _GUESSED
    TRUSTED_SHARE_OF_EXPECTED = "share of the expected contacts, guesses included", _GUESSED
    TRUSTED_COSINE = "cosine of the two sets of contacts, guesses included", _GUESSED
    TRUSTED_EQUAL_TIES = "weight of equal ties, guesses included", _GUESSED
    LINKED_CONTACTS_SHARE = "share of the appearance's contacts that are linked", _SPREAD
    LINKED_SUBGRAPH_SHARE = "share of the sub-graph's appearances that are linked", _SPREAD
    LINKED_RELEASE_SHARE = "share of all appearances that are linked", _SPREAD
    VISIBLE = "weight of contacts whom the cluster has met where a tie would be visible", _MISSING
    VISIBLE_MISSING = "weight of those among them whom the cluster does not know", _MISSING
    TOGETHER = "weight of contacts whom the cluster has met in any sub-graph", _MISSING
    TOGETHER_MISSING = "weight of those among them whom the cluster does not know", _MISSING
    INNER_EXPECTED_MISSING = "weight of expected inner contacts whom the appearance does not know", _MISSING
    EXPECTED_MISSING = "weight of all expected contacts whom the appearance does not know", _MISSING
    NET_WEIGHT = "three times the common weight, less what is missing on either side", _CONTACTS


class Lead(Columns):
    """How far three values lie before the next best: of the appearance's clusters, and of the cluster's appearances."""

    COSINE_OF_APPEARANCE = "cosine, worth more where contacts are many, among the appearance's candidates", _LEAD
    COSINE_OF_CLUSTER = "the same among the cluster's candidates in the sub-graph", _LEAD
    TIES_OF_APPEARANCE = "weight of equal ties, among the appearance's candidates", _LEAD
    TIES_OF_CLUSTER = "the same among the cluster's candidates in the sub-graph", _LEAD
    NET_OF_APPEARANCE = "net weight, among the appearance's candidates", _LEAD
    NET_OF_CLUSTER = "the same among the cluster's candidates in the sub-graph", _LEAD


class Verdict(Columns):
    """What the model of the rounds concludes, and how far that lies before the next best."""

    PROBABILITY = "probability that the appearance belongs to the cluster", _PROBABILITY
    LEAD_OF_APPEARANCE = "its lead among the appearance's candidates", _LEAD
    LEAD_OF_CLUSTER = "its lead among the cluster's candidates in the sub-graph", _LEAD


USED = tuple(int(column) for column in Evidence if column.used)
"""The columns of evidence that are used in comparing pairs."""

_SIDE = (*Evidence.all_words(), *Lead.all_words(), *Verdict.all_words())
WORDS = (*_SIDE, *_SIDE, "both linked to one person")
"""What each column of a comparison by links looks at: the smaller of both sides, the larger, and whether they agree."""
