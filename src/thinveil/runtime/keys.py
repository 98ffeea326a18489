"""Chance that nobody can repeat: what names, orders and changes a published release.

Random streams (``streams``) come from a seed, and a seed can be guessed: whoever tries all of them finds the one that
gives what was published. A *key* is 256 bits from the operating system. Its chance comes out of SHAKE-256, which cannot
be run backwards: the numbers that are published tell nothing about those that are not. The generators of numpy promise
no such thing.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.runtime.streams import check_seed

KEY_BYTES = 32
_AT_ONCE = 2**20  # numbers out of one digest


@dataclass(frozen=True)
class Key:
    """A secret of 256 bits; ``is_repeatable`` where it was made from a seed, and is no secret at all.

    Examples
    --------
    >>> Key.fresh()
    Key(is_repeatable=False)
    >>> Key.of_seed(1).permutation(5, "nodes", 0).tolist() == Key.of_seed(1).permutation(5, "nodes", 0).tolist()
    True
    """

    secret: bytes = field(repr=False)
    is_repeatable: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.secret, bytes) or len(self.secret) != KEY_BYTES:
            raise InputError(f"a key has {KEY_BYTES} bytes: let thinveil draw a fresh one")

    @classmethod
    def fresh(cls) -> Key:
        """Draw a key from the operating system."""
        return cls(secrets.token_bytes(KEY_BYTES))

    @classmethod
    def of_seed(cls, seed: int) -> Key:
        """Return the key of a seed: whoever guesses the seed has it."""
        return cls(hashlib.sha256(f"thinveil repeatable release {check_seed(seed)}".encode()).digest(), True)

    def words(self, count: int, *purpose: int | str) -> NDArray[np.uint64]:
        """Return random 64-bit words for one purpose, the same whatever else was asked for."""
        parts = [
            self._digest(min(_AT_ONCE, count - first), first // _AT_ONCE, purpose)
            for first in range(0, count, _AT_ONCE)
        ]
        return np.frombuffer(b"".join(parts), dtype="<u8").astype(np.uint64)

    def permutation(self, count: int, *purpose: int | str) -> NDArray[np.int64]:
        """Return the numbers below ``count`` in random order."""
        return np.argsort(self.words(count, *purpose), kind="stable")

    def coins(self, count: int, *purpose: int | str) -> NDArray[np.bool_]:
        """Return heads or tails."""
        return (self.words(count, *purpose) & np.uint64(1)).astype(bool)

    def numbers(self, count: int, bits: int, *purpose: int | str) -> NDArray[np.int64]:
        """Return different numbers of so many bits, in random order."""
        many = self.words(count, *purpose) >> np.uint64(64 - bits)
        while (kept := np.sort(np.unique(many, return_index=True)[1])).size < count:  # the first of its like stays
            many = np.append(many[kept], self.words(count, *purpose, many.size) >> np.uint64(64 - bits))
        return np.asarray(many[kept[:count]], dtype=np.int64)

    def seed(self, *purpose: int | str) -> int:
        """Return a seed for what draws from random streams: 63 bits, too many to be guessed."""
        return int(self.words(1, *purpose)[0] >> np.uint64(1))

    def _digest(self, count: int, block: int, purpose: tuple[int | str, ...]) -> bytes:
        name = "/".join(map(str, (*purpose, block))).encode()
        return hashlib.shake_256(self.secret + name).digest(8 * count)
