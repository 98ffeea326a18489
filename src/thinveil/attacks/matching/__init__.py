"""Attacks that name people with an auxiliary graph: one interface, one file each."""

from __future__ import annotations

from thinveil.attacks.matching.base import Held, KnownNames, MatchingAttack, Names, Verdict
from thinveil.attacks.matching.names import NamesAttack
from thinveil.attacks.matching.peers import PEERS

MATCHERS: tuple[type[MatchingAttack], ...] = (NamesAttack, *PEERS)
"""The attacks on names: a line each."""

__all__ = ["MATCHERS", "Held", "KnownNames", "MatchingAttack", "Names", "NamesAttack", "Verdict"]
