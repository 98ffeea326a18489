"""How much may come out of how little: nothing that a file merely promises is allocated before it is checked."""

from __future__ import annotations

import os

_FREE = 64 * 2**20
_RATIO = 1000  # text of digits shrinks to a third, text that repeats one line to a thousandth


def most_unpacked(packed: int) -> int:
    """Return how many bytes a file of so many bytes may unpack to: what honest files need, and what memory holds.

    Examples
    --------
    >>> most_unpacked(100) == 64 * 2**20
    True
    """
    return min(max(_FREE, _RATIO * packed), free_memory())


def free_memory() -> int:
    """Return how many bytes the machine can still give, or no bound where it does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = next(line for line in file if line.startswith("MemAvailable:"))
        return max(_FREE, 1024 * int(told.split()[1]))
    except (OSError, StopIteration, ValueError):
        return _whole_memory()


def _whole_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 2**62
