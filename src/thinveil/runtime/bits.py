"""Two machine instructions that numba does not offer by name, and a random generator made of integers."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from thinveil.runtime.splitmix import STEP, mix, scale


@intrinsic
def count_ones(typingctx: Any, word: Any) -> Any:
    """Return the number of bits set in a 64-bit word."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), emit


@intrinsic
def lowest_one(typingctx: Any, word: Any) -> Any:
    """Return the place of the lowest bit set in a 64-bit word that is not zero."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), emit


@numba.njit(cache=True, nogil=True)
def random_state(seed: int, number: int) -> NDArray[np.uint64]:
    """Return the state of stream ``number`` of a seed: trees draw from their own, on whatever thread."""
    state = np.empty(1, dtype=np.uint64)
    state[0] = np.uint64(seed)
    state[0] = next_word(state) ^ (np.uint64(number) * np.uint64(0xD1342543DE82EF95))
    return state


@numba.njit(cache=True, nogil=True)
def next_word(state: NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits (SplitMix64)."""
    state[0] += STEP
    return mix(state[0])


@numba.njit(cache=True, nogil=True)
def random_below(state: NDArray[np.uint64], limit: int) -> int:
    """Return a random whole number from 0 to limit - 1, for limits far below 2^32."""
    return scale(next_word(state), limit)
