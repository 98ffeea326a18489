"""Attacks: one file each, one interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thinveil.attacks.base import Attack, Lesson
from thinveil.attacks.forest import ForestAttack
from thinveil.attacks.signature import SignatureAttack
from thinveil.errors import InputError
from thinveil.features import Channel

ATTACKS: dict[str, Callable[..., Attack]] = {
    "forest": lambda channels, large, **forest: ForestAttack(*channels, **forest),
    "signature": lambda channels, large, **forest: SignatureAttack(large=large),
}
"""The attacks that a user can choose by name."""

__all__ = ["ATTACKS", "Attack", "ForestAttack", "Lesson", "SignatureAttack", "make_attack"]


def make_attack(name: str, channels: tuple[Channel, ...], *, large: int = 6, **forest: Any) -> Attack:
    """Return the attack of that name: what it looks at, and the parameters of its learner.

    Parameters
    ----------
    name
        Name of the attack.
    channels
        What an attack that learns compares.
    large
        Neighbours that make a signature large.
    forest
        Anything that ``PairForest`` takes.
    """
    if name not in ATTACKS:
        raise InputError(f"unknown attack {name!r}: choose one of {', '.join(ATTACKS)}")
    return ATTACKS[name](channels, large, **forest)
