"""Threats: who holds what, how training examples are made, and what is asked; one file each."""

from __future__ import annotations

from thinveil.runtime.registry import Registry
from thinveil.threats.base import Scene, Threat
from thinveil.threats.given import GivenIdentification
from thinveil.threats.identification import Identification
from thinveil.threats.linkage import Linkage

THREATS: Registry[Threat] = Registry("threat", (Linkage, Identification, GivenIdentification))
"""The threats that can be chosen by name: a line each."""

__all__ = ["THREATS", "GivenIdentification", "Identification", "Linkage", "Scene", "Threat", "make_threat"]


def make_threat(word: str) -> Threat:
    """Return the threat that a word names.

    Examples
    --------
    >>> make_threat("linkage:known=50").known
    50
    """
    return THREATS.make(word)
