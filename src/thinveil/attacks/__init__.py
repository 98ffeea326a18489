"""Attacks: one file each, one interface."""

from __future__ import annotations

from thinveil.attacks.base import (
    Attack,
    Effort,
    Examples,
    Fitted,
    Known,
    Lesson,
    Packed,
    PairModel,
    PairSession,
    Session,
)
from thinveil.attacks.forest import ForestAttack
from thinveil.attacks.matching import MATCHERS
from thinveil.attacks.pairwise import Links
from thinveil.attacks.signature import SignatureAttack
from thinveil.attacks.strong import StrongAttack
from thinveil.runtime.registry import Registry

ATTACKS: Registry[Attack] = Registry("attack", (StrongAttack, ForestAttack, SignatureAttack, *MATCHERS))
"""The attacks that can be chosen by name: a line each."""

__all__ = [
    "ATTACKS",
    "Attack",
    "Effort",
    "Examples",
    "Fitted",
    "ForestAttack",
    "Known",
    "Lesson",
    "Links",
    "Packed",
    "PairModel",
    "PairSession",
    "Session",
    "SignatureAttack",
    "StrongAttack",
    "make_attack",
    "register_attack",
]


register_attack = ATTACKS.add
"""Make an attack of one's own known by its name: ``register_attack(MyAttack)``, or as a decorator."""


def make_attack(word: str) -> Attack:
    """Return the attack that a word names.

    Examples
    --------
    >>> make_attack("signature:large=8")
    SignatureAttack(slots=1, join='log-odds', large=8)
    """
    return ATTACKS.make(word)
