"""Attacks: one file each, one interface."""

from thinveil.attacks.base import Attack, Lesson
from thinveil.attacks.forest import ForestAttack
from thinveil.attacks.signature import SignatureAttack

ATTACKS = ("forest", "signature")

__all__ = ["ATTACKS", "Attack", "ForestAttack", "Lesson", "SignatureAttack"]
