"""Attacks: one file each, one interface."""

from thinveil.attacks.base import Attack
from thinveil.attacks.forest import ForestAttack

__all__ = ["Attack", "ForestAttack"]
