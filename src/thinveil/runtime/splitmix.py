"""SplitMix64 for kernels: whole-number arithmetic, so that chance falls alike on every machine.

A stream is a counter that grows by ``STEP``; each value is mixed into 64 random bits. The same mixing makes a
good fingerprint of a number.
"""

from __future__ import annotations

import numba
import numpy as np

STEP = np.uint64(0x9E3779B97F4A7C15)


@numba.njit(cache=True, nogil=True)
def mix(word: np.uint64) -> np.uint64:
    """Return 64 bits in which every bit of the word has a say."""
    z = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, nogil=True)
def scale(word: np.uint64, limit: int) -> np.int64:
    """Turn 64 random bits into a whole number from 0 to limit - 1, for limits far below 2^32."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))
