"""Doubts about tables of two kinds of things: posts and their users, pairs and the people in them, rows and people."""

from __future__ import annotations

import numpy as np

from thinveil.graph.reading.base import Options
from thinveil.graph.reading.columns import IDS
from thinveil.graph.reading.doubts.rows import CHOOSE, Whole
from thinveil.graph.reading.layout import quote
from thinveil.graph.reading.names import plain, stem

_ENOUGH = 8  # rows: in fewer, numbers that come once may be chance
_OF_ROWS = frozenset(
    ("id", "oid", "uid", "uuid", "guid", "no", "nr", "number", "n", "nummer", "numero", "index", "row")
)
_THINGS_WORDS = """
article book call chat club comment conversation couple course dyad edge email event film game group item link meeting
message movie order page pair paper photo picture post product project purchase record relation relationship row session
song story thread tie topic track transaction trip tweet video visit
"""
_PEOPLE_WORDS = """
account actor author buyer client customer device employee handle human individual kunde mail
member name node nutzer owner participant patient people person personne persona player profile respondent scientist
sender seller speaker student subscriber teacher user username usuario utente utilisateur viewer visitor worker
"""
_THINGS, _PEOPLE = frozenset(_THINGS_WORDS.split()), frozenset(_PEOPLE_WORDS.split())


def two_kinds(whole: Whole, options: Options) -> str | None:
    """Find a column of other things beside one of people, where the same number stands for both."""
    names = whole.rows.names
    if names is None:
        return None
    ends = dict(zip(IDS, (whole.edges.source, whole.edges.target), strict=True))
    for thing, person in (IDS, IDS[::-1]):
        one, other = names[whole.rows.choice[thing]], names[whole.rows.choice[person]]
        if stem(other) not in _PEOPLE:
            continue
        if stem(one) in _THINGS and np.isin(np.unique(ends[thing]), ends[person]).any():
            return (
                f"the column {quote(one, 20)} holds no people, and its ids stand for people in {quote(other, 20)}: "
                f"write who knows whom, or ids of each kind in a way of its own, as u1 and g1; or {CHOOSE}"
            )
        if plain(one) in _OF_ROWS and _is_once(ends[thing]):
            return (
                f"each id in the column {quote(one, 20)} stands once, beside one of {quote(other, 20)}: this looks "
                f"like a table of what people did, not like edges; {CHOOSE}"
            )
    return None


def _is_once(numbers: np.ndarray[tuple[int], np.dtype[np.int32]]) -> bool:
    return numbers.size >= _ENOUGH and np.unique(numbers).size == numbers.size
