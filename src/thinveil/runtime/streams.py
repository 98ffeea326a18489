"""Random streams: every use of chance in thinveil draws from a named stream of the one seed.

A stream is named by a path such as ``(seed, "egos", 3)``. Streams are independent of each other and of the
order in which they are asked for, so work may run on any number of threads and give the same result.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from thinveil.errors import InputError


def stream(seed: int, *path: int | str) -> np.random.Generator:
    """Return the generator of one named stream.

    Examples
    --------
    >>> int(stream(0, "egos").integers(100)) == int(stream(0, "egos").integers(100))
    True
    """
    # numpy pads short seeds with zeros: the length keeps (seed, "a") and (seed, "a", 0) apart
    return np.random.default_rng([check_seed(seed), len(path), *map(_number, path)])


@dataclass(frozen=True)
class Seeds:
    """The seeds of one draw, by purpose: ``Seeds(7, (0,))("releases")`` is the same whatever else was asked for.

    ``place`` says which draw it is; it is empty where there is only one.
    """

    seed: int
    place: tuple[int, ...] = ()

    def __call__(self, purpose: str) -> int:
        """Return the seed for one purpose."""
        return int(stream(self.seed, purpose, *self.place).integers(2**62))

    def stream(self, purpose: str, *path: int | str) -> np.random.Generator:
        """Return the stream for one purpose."""
        return stream(self.seed, purpose, *self.place, *path)


def check_seed(seed: int) -> int:
    """Return the seed, or say what a seed is."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**63:
        raise InputError(f"seed {seed!r} is not allowed: give a whole number from 0 to 2^63 - 1")
    return int(seed)


def _number(part: int | str) -> int:
    # numpy's own seeding wants numbers; crc32 is the same on every machine, hash() is not
    return zlib.crc32(part.encode()) if isinstance(part, str) else part
