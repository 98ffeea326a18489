"""A command as the user writes it: split as a shell would split it, then filled in. No shell ever sees it."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from thinveil.errors import InputError
from thinveil.runtime.parameters import suggest
from thinveil.runtime.visible import shown

PLACEHOLDERS = ("input", "output", "mapping", "seed")
_NEEDED = ("input", "output")
_PLACE = re.compile(r"\{\{|\}\}|\{([^\W\d]\w*)\}")  # {{ and }} stand for the brackets themselves


def split_command(command: str) -> list[str]:
    """Return the arguments of a command, or say why it is none.

    Examples
    --------
    >>> split_command("awk -f 'my script.awk' -v out={output} {input}")
    ['awk', '-f', 'my script.awk', '-v', 'out={output}', '{input}']
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"command: {shown(command)} cannot be split into arguments ({error})") from None
    if not words:
        raise InputError("command: nothing to run: give command:PROGRAM {input} {output} --seed {seed}")
    found = {one for word in words for one in _PLACE.findall(word) if one}
    unknown = sorted(found - set(PLACEHOLDERS))
    if unknown:
        raise InputError(
            f"command: unknown placeholder {{{unknown[0]}}}: {suggest(unknown[0], PLACEHOLDERS)}; write {{{{ and }}}} "
            "for the brackets themselves"
        )
    missing = [one for one in _NEEDED if one not in found]
    if missing:
        use = {"input": "reads the graph from", "output": "writes the release to"}[missing[0]]
        raise InputError(f"command: {shown(command)} has no {{{missing[0]}}}, the file that it {use}")
    return words


def fill_in(words: list[str], values: Mapping[str, str]) -> list[str]:
    """Return the arguments with values in the place of the placeholders.

    Examples
    --------
    >>> fill_in(["-v", "seed={seed}", "{{print}}"], {"seed": "7"})
    ['-v', 'seed=7', '{print}']
    """
    return [_PLACE.sub(lambda one: values[one[1]] if one[1] else one[0][0], word) for word in words]


def check_program(program: str) -> None:
    """Refuse what is no program before any time is spent."""
    if "{" in program or shutil.which(program) is not None:
        return
    is_file = Path(program).is_file()
    what = "is no program: chmod +x it, or name what runs it" if is_file else "there is no such program"
    raise InputError(f"command: {shown(program, 200)}: {what}")
