"""What a fuzz target is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tests.fuzz.mutation import mutate

Make = Callable[[Random, bytes], bytes]


@dataclass(frozen=True)
class Target:
    """A reader under test.

    ``examples`` returns good inputs; ``read`` takes one input and does all that a user's command would do with it.
    ``tokens`` are bytes that mean something in this format. ``make`` turns an example into a case; the default changes
    bytes at random, and a format with checksums needs its own, which mends them afterwards.
    """

    name: str
    examples: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]
    tokens: Sequence[bytes] = ()
    make: Make | None = None

    def case(self, examples: Sequence[bytes], seed: int, number: int) -> bytes:
        """Return the input of one case."""
        chance = Random(f"{self.name} {seed} {number}")
        example = chance.choice(examples)
        if self.make is not None:
            return self.make(chance, example)
        return mutate(chance, example, chance.choice(examples), self.tokens)
