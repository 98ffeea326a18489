"""Commands of the user: run with limits, and ended with all that they have started.

A command gets a session of its own, a mark in its environment that its children inherit, and no standard input. At the
end nothing of it is left: whoever is in its session, or carries its mark, is asked to end (SIGTERM) and then made to
(SIGKILL). That keeps a faulty command in check. It is no sandbox: what wants to get away can take off the mark.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thinveil.errors import InputError
from thinveil.runtime.signals import signals_held
from thinveil.runtime.visible import one_line

_MARK = "THINVEIL_COMMAND"
_GRACE = 2.0  # seconds between being asked to end and being made to
_PATIENCE = 5.0  # seconds for what was made to end
_STRAGGLERS = 1.0  # seconds for what a command leaves behind to end by itself
_MOST_PROCESSES = 500
_TOLD = 3  # last lines of standard error
_LONGEST = 300  # characters of them


@dataclass(frozen=True)
class Limits:
    """Seconds that a command may take, bytes of memory for each of its processes, and bytes that it may write."""

    seconds: float
    memory: int | None
    disk: int


def run_command(words: Sequence[str], folder: Path, limits: Limits) -> None:
    """Run a command that may write into a folder, and wait for its end, or say in a few words why it came to none.

    What it writes to standard error goes into the file ``messages`` of the folder, and its last lines into the error.
    """
    process: subprocess.Popen[bytes] | None = None
    mark = secrets.token_hex(16)
    limits = Limits(limits.seconds, limits.memory, min(limits.disk, shutil.disk_usage(folder).free // 2))
    with _ending_well(), open(folder / "messages", "wb") as messages:
        try:
            with signals_held():
                process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages, start_new_session=True,
                    env={**os.environ, _MARK: mark, "TMPDIR": str(folder)},
                )  # fmt: skip
            _set_limits(process.pid, limits)
            trouble = _watch(process, mark, folder, limits)
        except OSError as error:
            raise InputError(f"cannot be run ({error.strerror})") from None
        finally:
            if process is not None:
                _end(process, mark)
    if trouble:
        raise InputError(trouble + _last_lines(folder))


def _set_limits(process: int, limits: Limits) -> None:
    """Bound a process and all that it will start, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    if not hasattr(resource, "prlimit"):
        return
    with contextlib.suppress(ProcessLookupError, PermissionError, ValueError):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (limits.disk, limits.disk))
        resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
        if limits.memory is not None:
            resource.prlimit(process, resource.RLIMIT_AS, (limits.memory, limits.memory))


def _watch(process: subprocess.Popen[bytes], mark: str, folder: Path, limits: Limits) -> str:
    """Wait for the end of a command; return what went wrong, and nothing if nothing did."""
    deadline, pause = time.monotonic() + limits.seconds, 0.005
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(pause)
            return _ended(process, mark, folder, limits)
        pause = min(2 * pause, 0.2)
        if time.monotonic() > deadline:
            return f"was ended: it took longer than {limits.seconds:g} seconds"
        if _size(folder) > limits.disk:
            return f"was ended: it wrote more than {_gigabytes(limits.disk)}"
        crew = _crew(process.pid, mark)
        for one in crew:  # who was started before there were limits has inherited none
            _set_limits(one, limits)
        if len(crew) > _MOST_PROCESSES:
            return f"was ended: it started more than {_MOST_PROCESSES} processes"


def _ended(process: subprocess.Popen[bytes], mark: str, folder: Path, limits: Limits) -> str:
    status = process.returncode
    too_large = int(getattr(signal, "SIGXFSZ", 0))
    # a shell tells of what it ran by 128 and the number of the signal
    if status in {-too_large, 128 + too_large} - {0, 128} or _size(folder) > limits.disk:
        return f"was ended: it wrote more than {_gigabytes(limits.disk)}"
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    if status:
        bound = "" if limits.memory is None else f" (its memory is limited to {_gigabytes(limits.memory)})"
        return f"ended with status {status}{bound}"
    left = _waited_for(lambda: _crew(process.pid, mark), _STRAGGLERS)
    return f"ended, but {len(left)} of the processes that it started did not: let it wait for them" if left else ""


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    """End a command and all that it has started."""
    _send(process, mark, signal.SIGTERM)
    _waited_for(lambda: _crew(process.pid, mark), _GRACE)
    end = time.monotonic() + _PATIENCE
    while _send(process, mark, getattr(signal, "SIGKILL", signal.SIGTERM)) and time.monotonic() < end:
        time.sleep(0.01)
    process.wait()


def _send(process: subprocess.Popen[bytes], mark: str, number: int) -> list[int]:
    """Send a signal to all that a command has started; return who they were."""
    crew = _crew(process.pid, mark)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        # the group at once, since it may be growing; once its leader is gone its number may be another's
        if process.poll() is None and hasattr(os, "killpg"):
            os.killpg(process.pid, number)
    for one in crew:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(one, number)
    return crew


def _waited_for(crew: Callable[[], list[int]], seconds: float) -> list[int]:
    """Wait until nobody is left, no longer than so many seconds; return who is."""
    end = time.monotonic() + seconds
    while (left := crew()) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def _crew(leader: int, mark: str) -> list[int]:
    """Return the processes of a command that have not ended, where the system lists processes in files."""
    own = f"{_MARK}={mark}".encode()
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    return [number for number in numbers if _belongs(Path(f"/proc/{number}"), leader, own)]


def _belongs(process: Path, leader: int, own: bytes) -> bool:
    try:
        # after the name, which stands in brackets: state, parent, group, session
        state, _, _, session = (process / "stat").read_bytes().rpartition(b")")[2].split()[:4]
        if state in (b"Z", b"X"):
            return False
        return int(session) == leader or own in (process / "environ").read_bytes().split(b"\0")
    except (OSError, ValueError):  # it has ended meanwhile, or is somebody else's
        return False


def _size(folder: Path) -> int:
    """Return how many bytes a folder takes on the disk."""
    size, waiting = 0, [folder]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    size += getattr(entry.stat(follow_symlinks=False), "st_blocks", 0) * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
    return size


def _last_lines(folder: Path) -> str:
    """Return the last lines that a command wrote to standard error, as the end of a line."""
    with contextlib.suppress(OSError), open(folder / "messages", "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 4 * _LONGEST))
        lines = [line.strip() for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        said = one_line(" / ".join(lines[-_TOLD:]).replace(f"{folder}{os.sep}", ""))
        return f": {said[-_LONGEST:]}" if said else ""
    return ""


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.3g} GiB"


@contextlib.contextmanager
def _ending_well() -> Iterator[None]:
    """Let SIGTERM, where it would end this process at once, wait until the command has been ended."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    heard: list[int] = []

    def hear(number: int, frame: object) -> None:
        heard.append(number)
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if heard:
            signal.raise_signal(signal.SIGTERM)
