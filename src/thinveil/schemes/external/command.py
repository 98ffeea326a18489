"""A scheme that is a command in any language: it reads a graph from a file, and writes what it would publish.

The word for it is ``command:`` and the command, limits in brackets: ``command[seconds=60,memory=2]:./mine.sh {input}
{output}``. It sees the graph under numbers drawn by lot. That hides names and the order of the file, and nothing else:
a command is run as the user who starts it, and sees every edge.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import ClassVar

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.runtime.inputs import first_line
from thinveil.runtime.notices import notify
from thinveil.runtime.parameters import (
    check_parameters,
    from_table,
    parameter,
    parameters_of,
    read_values,
    show_value,
    split_word,
)
from thinveil.runtime.processes import Limits, run_command
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Release
from thinveil.schemes.external.handing import hand_over
from thinveil.schemes.external.remembering import Remembered, same_release, without_repeats
from thinveil.schemes.external.returning import take_back, tell
from thinveil.schemes.external.words import check_program, fill_in, split_command

_WORD = re.compile(r"command(?:\[(?P<limits>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)
_CHEAP = 5.0
"""A command that takes no more seconds is run twice, to see whether it gives the same for the same seed."""
_SEEDS = 2**31 - 1  # what R, awk and C take for a seed
_GIB = 2**30


@dataclass(frozen=True)
class Command:
    """A program of your own: command:PROGRAM {input} {output} --seed {seed}."""

    name: ClassVar[str] = "command"
    left_open: ClassVar[tuple[str, ...]] = ()
    is_foreign: ClassVar[bool] = True

    command: str = parameter(MISSING, "program and arguments, with {input}, {output}, {mapping} and {seed}")
    seconds: float = parameter(600.0, "time that it may take, in seconds", low=0, high=10**7)
    memory: float | None = parameter(None, "memory that each of its processes may take, in GiB", low=0, high=10**6)
    disk: float = parameter(4.0, "what it may write, in GiB", low=0, high=10**6)

    def __post_init__(self) -> None:
        check_parameters(self)
        split_command(self.command)

    @classmethod
    def from_word(cls, word: str) -> Command | None:
        """Return the scheme of a word such as ``command[seconds=60]:./mine.sh {input} {output}``."""
        found = _WORD.fullmatch(word)
        if found is None:
            return None
        limits = split_word(f"command:{found['limits'] or ''}")[1]
        if "command" in limits:
            raise InputError("command: the command stands behind the colon, and its limits in brackets")
        made: Command = from_table(cls, {"command": found["command"].strip(), **read_values(cls, limits)})
        check_program(split_command(made.command)[0])
        return made

    @property
    def title(self) -> str:
        """What it is called in a report."""
        return Path(split_command(self.command)[0]).name

    def to_word(self) -> str:
        """Return the word again.

        Examples
        --------
        >>> Command("sort {input} -o {output}", seconds=60).to_word()
        'command[seconds=60]:sort {input} -o {output}'
        """
        changed = [
            f"{one.name}={show_value(value)}"
            for one in parameters_of(self)
            if one.name != "command" and (value := getattr(self, one.name)) != one.default
        ]
        limits = f"[{','.join(changed)}]" if changed else ""
        return f"command{limits}:{self.command}"

    def describe(self) -> str:
        """Say what is published."""
        return f"publishes what the program {self.title} makes of the graph"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return what the command makes of the graph; with releases to avoid it gets another seed.

        The last releases are remembered: the same graph and seed give the same again, whatever the command does.
        """
        given = (self, graph.digest(), seed, len(avoid))
        release = _REMEMBERED.get(given)
        if release is None:
            start = time.monotonic()
            release = _REMEMBERED.keep(given, self._run(graph, seed, len(avoid)))
            tell(release, graph)
            self._try_again(release, graph, seed, len(avoid), time.monotonic() - start)
        return without_repeats(release, avoid, self.name)

    def _run(self, graph: Graph, seed: int, number: int) -> Release:
        words = split_command(self.command)
        check_program(words[0])
        limits = Limits(self.seconds, None if self.memory is None else int(self.memory * _GIB), int(self.disk * _GIB))
        with tempfile.TemporaryDirectory(prefix="thinveil-", ignore_cleanup_errors=True) as place:
            folder = Path(place).resolve()
            handed = hand_over(graph, folder / "input.csv", stream(seed, "handed over", number))
            values = {"input": str(folder / "input.csv"), "output": str(folder / "output"),
                      "mapping": str(folder / "mapping.csv"),
                      "seed": str(stream(seed, "command", number).integers(_SEEDS))}  # fmt: skip
            try:
                run_command(fill_in(words, values), folder, limits)
                return take_back(folder, handed, stream(seed, "published", number), scheme=self.name)
            except InputError as error:
                told = first_line(error).replace(str(folder / "output"), "{output}")
                told = told.replace(str(folder / "mapping.csv"), "{mapping}").replace(f"{folder}/", "")
                raise InputError(f"command {Path(words[0]).name}: {told}") from None

    def _try_again(self, release: Release, graph: Graph, seed: int, number: int, seconds: float) -> None:
        """Find out, once for each command, whether it repeats, and say so."""
        if self in _TRIED:
            return
        _TRIED.add(self)
        program = Path(split_command(self.command)[0]).name
        if seconds > min(_CHEAP, self.seconds):
            notify(f"{program} took {seconds:.0f} s, and was not run twice: whether it repeats itself is not known")
        elif same_release(release, self._run(graph, seed, number)):
            notify(f"{program} was run twice with one seed and gave the same: the audit can be repeated")
        else:
            notify(f"{program} was run twice with one seed and gave something else: the audit cannot be repeated to "
                   "the digit; let all its chance come from {seed}")  # fmt: skip


_REMEMBERED = Remembered()
_TRIED: set[Command] = set()
