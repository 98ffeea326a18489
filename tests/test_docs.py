"""What the documentation says is true: its examples run, its commands exist, its links lead somewhere."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import thinveil

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(
    info.name for info in pkgutil.walk_packages(thinveil.__path__, "thinveil.") if not info.name.endswith("__main__")
)


@pytest.mark.parametrize("name", ["thinveil", *MODULES])
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), flags=re.DOTALL)


def test_the_library_in_ten_lines(tmp_path, monkeypatch):
    (code,) = blocks(ROOT / "README.md", "python")
    assert len([line for line in code.splitlines() if line]) <= 10
    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "re-linked" in done.stdout
    assert (tmp_path / "report" / "report.html").exists()


def test_the_example_of_utility():
    (code,) = blocks(ROOT / "docs" / "utility.md", "python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("distance") == 3


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(path):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("re-linked") == 3


@cache
def help_of(command):
    return subprocess.run([sys.executable, "-m", "thinveil", command, "--help"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page):
    for command, rest in re.findall(
        r"thinveil (info|anonymize|audit|train|link|match|stitch|reproduce|schemes|attacks|threats|utility)\b([^`\n]*)",
        page.read_text(),
    ):
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in help_of(command), f"{page.name}: thinveil {command} {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make ([a-z]+)", (ROOT / "README.md").read_text()):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_constraints_hold_versions_and_no_addresses():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"#.*|[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", line) for line in lines)
