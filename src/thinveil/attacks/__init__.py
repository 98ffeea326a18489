"""Attacks: one file each, one interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thinveil.attacks.base import Attack, Lesson
from thinveil.attacks.forest import ForestAttack
from thinveil.attacks.signature import SignatureAttack
from thinveil.attacks.slots import JOINS, SlotAttack
from thinveil.attacks.strong import StrongAttack
from thinveil.errors import InputError
from thinveil.features import Channel, DegreeHistogram


def _make_strong(channels: tuple[Channel, ...], large: int, *, seed: int, threads: int | None, **forest: Any) -> Attack:
    # it sees the degrees of neighbours as they are: their histogram would say it once more
    further = [channel for channel in channels if not isinstance(channel, DegreeHistogram)]
    return StrongAttack(*further, seed=seed, threads=threads)


ATTACKS: dict[str, Callable[..., Attack]] = {
    "strong": _make_strong,
    "forest": lambda channels, large, **forest: ForestAttack(*channels, **forest),
    "signature": lambda channels, large, **forest: SignatureAttack(large=large),
}
"""The attacks that a user can choose by name."""

__all__ = [
    "ATTACKS", "JOINS", "Attack", "ForestAttack", "Lesson", "SignatureAttack", "SlotAttack", "StrongAttack",
    "make_attack",
]  # fmt: skip


def make_attack(
    name: str, channels: tuple[Channel, ...], *, large: int = 6, slots: int = 1, join: str = "log odds", **forest: Any
) -> Attack:
    """Return the attack of that name: what it looks at, and the parameters of its learner.

    Parameters
    ----------
    name
        Name of the attack.
    channels
        What an attack that learns compares.
    large
        Neighbours that make a signature large.
    slots, join
        Time slots in each of which the attack is made, and how to join what they say.
    forest
        Anything that ``PairForest`` takes; the strong attack takes ``seed`` and ``threads`` of it.
    """
    if name not in ATTACKS:
        raise InputError(f"unknown attack {name!r}: choose one of {', '.join(ATTACKS)}")
    attack = ATTACKS[name](channels, large, **forest)
    return attack if slots == 1 else SlotAttack(attack, slots=slots, join=join)
