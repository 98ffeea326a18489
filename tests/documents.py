"""The code blocks of the documentation, run one after the other as a reader would.

The blocks of a page share a folder, and those in Python a namespace. A block below ``<!-- not run: why -->`` is left
out. A block below ``<!-- prints -->`` is what the block before it prints on standard output; where it ends with a line
``...``, more follows.

    python -m tests.documents          writes what is printed today into the pages
"""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
_FOLDERS = [ROOT / "docs" / name for name in ("tutorials", "howto")]
STORIES = [ROOT / "docs" / "start.md", *(page for folder in _FOLDERS for page in sorted(folder.glob("*.md")))]
_BLOCK = re.compile(r"(?:<!-- (?P<mark>[^>]*) -->\n)?```(?P<language>[a-z]+)\n(?P<code>.*?)```", re.DOTALL)
_MORE = 12  # lines that are shown of what goes on


class Block(NamedTuple):
    """A block of code, what stands above it, and where its code begins and ends in the page."""

    mark: str
    language: str
    code: str
    start: int
    end: int


def blocks(page):
    """Return the blocks of a page in their order."""
    return [Block(found["mark"] or "", found["language"], found["code"], found.start("code"), found.end("code"))
            for found in _BLOCK.finditer(page.read_text())]  # fmt: skip


def run_page(page, folder):
    """Run the blocks of a page; yield each that says what is printed, with what was."""
    tools = folder / "tools"
    tools.mkdir()
    for name, words in (("thinveil", f"{sys.executable} -m thinveil"), ("python", sys.executable)):
        (tools / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (tools / name).chmod(0o755)
    work, story, said = folder / "work", sys.modules.setdefault("story", ModuleType("story")), ""
    vars(story).clear()
    vars(story)["__name__"] = "story"  # what is defined there can be sent to another process
    work.mkdir()
    for block in blocks(page):
        if block.mark.startswith("not run: "):
            continue
        if block.mark == "prints":
            yield block, said
        elif block.language == "python":
            said = _run_python(block.code, vars(story), work)
        elif block.language == "sh":
            said = _run_shell(block.code, work, tools)
        else:
            raise AssertionError(f"{page.name}: a block of {block.language} that is not run and does not say why")


def _run_python(code, names, work):
    printed = io.StringIO()
    with contextlib.chdir(work), contextlib.redirect_stdout(printed):
        exec(compile(code, "<page>", "exec"), names)
    return printed.getvalue()


def _run_shell(code, work, tools):
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-c", code], capture_output=True, text=True, cwd=work,
                          env={**os.environ, "PATH": path, "COLUMNS": "80", "NO_COLOR": "1"})  # fmt: skip
    assert done.returncode == 0, f"{code}\n{done.stderr}"
    return done.stdout


def clean(printed):
    """Return what is printed as it may stand in a page: no spaces at the ends of lines, no empty lines around."""
    return "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()).strip("\n") + "\n"


def expected(block, printed):
    """Return what a page should show of what was printed."""
    lines = clean(printed).splitlines()
    shown = block.code.splitlines()
    if shown and shown[-1] == "...":
        count = len(shown) - 1 or _MORE
        lines = [*lines[:count], "..."] if len(lines) > count else lines
    return "\n".join(lines) + "\n"


def rewrite(page, folder):
    """Write what is printed today into a page."""
    found = [(block, expected(block, printed)) for block, printed in run_page(page, folder)]
    text = page.read_text()
    for block, printed in reversed(found):
        text = text[: block.start] + printed + text[block.end :]
    page.write_text(text)


if __name__ == "__main__":
    import tempfile

    chosen = [Path(name).resolve() for name in sys.argv[1:]] or STORIES
    for one in chosen:
        with tempfile.TemporaryDirectory() as place:
            rewrite(one, Path(place))
        print(one)
