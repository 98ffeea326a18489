"""How much may come out of how little: nothing that a file merely promises is allocated before it is checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_FREE = 64 * 2**20
_RATIO = 1000  # text of digits shrinks to a third, text that repeats one line to a thousandth
_NO_BOUND = 2**62
_CGROUPS = Path("/sys/fs/cgroup")
# of a control group, version 2 and 1: its limit, what it uses, and what of that are copies of files, which can go
_FILES = {
    2: ("memory.max", "memory.current", "inactive_file"),
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def most_unpacked(packed: int, *, on_disk: bool = False) -> int:
    """Return how many bytes a file of so many bytes may unpack to: what honest files need, and what memory holds.

    What is unpacked ``on_disk`` need not fit the memory.

    Examples
    --------
    >>> most_unpacked(100) == 64 * 2**20
    True
    """
    return min(max(_FREE, _RATIO * packed), _NO_BOUND if on_disk else free_memory())


def free_memory() -> int:
    """Return how many bytes this process can still get, or no bound where nothing tells.

    The machine, the control groups of a container or a batch job, and ``ulimit -v`` all have a say.
    """
    return max(_FREE, min(_machine_memory(), cgroup_memory(), _address_space()))


def cgroup_memory(mine: Path = Path("/proc/self/cgroup"), root: Path = _CGROUPS) -> int:
    """Return how many bytes the control groups of this process can still give.

    Parameters
    ----------
    mine
        The file that lists the groups, a line such as ``0::/user.slice`` or ``4:memory:/job`` for each.
    root
        The folder where control groups are mounted.

    """
    try:
        groups = [line.split(":", 2) for line in mine.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError):
        return _NO_BOUND
    found = [_NO_BOUND]
    for number, kinds, path in (group for group in groups if len(group) == 3):
        if number == "0":
            found += [_left(folder, *_FILES[2]) for folder in _folders(root, path)]
        elif "memory" in kinds.split(","):
            found += [_left(folder, *_FILES[1]) for folder in _folders(root / "memory", path)]
    return min(found)


def _folders(root: Path, path: str) -> Iterator[Path]:
    """Yield a group and all around it, each with a limit of its own; in a container only the root may be there."""
    inside = Path(path.lstrip("/"))
    return (root / group for group in (inside, *inside.parents) if ".." not in group.parts)


def _left(folder: Path, limit: str, used: str, copies: str) -> int:
    try:
        most, now = (int((folder / name).read_text(encoding="ascii")) for name in (limit, used))
        stat = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return max(0, most - now + int(stat.get(copies, 0)))
    except (OSError, ValueError):  # no such file, or "max": no limit
        return _NO_BOUND


def _address_space() -> int:
    """Return what ``ulimit -v`` still allows."""
    try:
        import resource  # not on Windows

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return _NO_BOUND if most == resource.RLIM_INFINITY else max(0, most - pages * resource.getpagesize())
    except (ImportError, AttributeError, OSError, ValueError):
        return _NO_BOUND


def _machine_memory() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            told = next(line for line in file if line.startswith("MemAvailable:"))
        return 1024 * int(told.split()[1])
    except (OSError, StopIteration, ValueError):
        return _whole_memory()


def _whole_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return _NO_BOUND
