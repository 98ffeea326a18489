"""What an experiment is: a table or figure of the paper that can be measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from thinveil.paper.lab import Lab
from thinveil.paper.records import Block


@dataclass(frozen=True)
class Outcome:
    """What an experiment found: blocks of lines, remarks, and text to be shown as it is."""

    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Experiment:
    """One table or figure: what it is called, where it stands in the paper, the graphs it needs, how to run it."""

    name: str
    title: str
    place: str
    needs: tuple[str, ...]
    run: Callable[[Lab], Outcome]
