"""The most memory that a process has taken, as Linux counts it."""

from pathlib import Path

STATUS = Path("/proc/self/status")


def reset_peak() -> int:
    """Begin to count anew; return what is taken now."""
    Path("/proc/self/clear_refs").write_text("5")
    return _bytes("VmRSS")


def peak() -> int:
    """Return the most that was taken since then: mapped files, libraries and all."""
    return _bytes("VmHWM")


def _bytes(name: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(name))
    return 1024 * int(line.split()[1])
