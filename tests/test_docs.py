"""What the documentation says is true: its examples run, its commands exist, its links lead somewhere."""

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

import thinveil
from tests.documents import STORIES, clean, expected, run_page

ROOT = Path(__file__).parent.parent
# pages that people write; those in reference/ that every build writes anew are none of them
_NAMES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
_FOLDERS = ("docs", "docs/tutorials", "docs/howto", "docs/concepts")
PAGES = [*(ROOT / name for name in _NAMES), ROOT / "docs" / "reference" / "index.md",
         *(page for folder in _FOLDERS for page in sorted((ROOT / folder).glob("*.md")))]  # fmt: skip
COMMANDS = (
    "info", "anonymize", "audit", "train", "link", "match", "stitch", "report", "reproduce", "compare", "schemes",
    "attacks", "threats", "utility",
)  # fmt: skip
GENERATED = {"library.md", "commands.md", "things.md", "result.md"}
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


@pytest.mark.parametrize("page", STORIES, ids=lambda page: page.stem)
def test_stories_run_and_print_what_they_show(page, tmp_path):
    for block, printed in run_page(page, tmp_path):
        assert clean(block.code) == expected(block, printed), "python -m tests.documents writes what is printed today"


def test_every_public_name_has_a_place_in_the_reference():
    code = (ROOT / "docs" / "extensions" / "generated.py").read_text()
    space = {}
    exec(compile(code, "generated.py", "exec"), space)
    assert sorted(name for names in space["GROUPS"].values() for name in names) == sorted(thinveil.__all__)
    assert set(space["PAGES"]) == GENERATED


def test_every_block_of_a_story_is_run_or_says_why_not():
    for page in STORIES:
        marks = re.findall(r"<!-- (.*?) -->", page.read_text())
        assert all(mark == "prints" or re.fullmatch("not run: .{10,}", mark) for mark in marks), page
        left_out = sum(mark.startswith("not run") for mark in marks)
        assert page.read_text().count("```") % 2 == 0
        assert left_out <= 2, page


@cache
def help_of(command):
    return subprocess.run([sys.executable, "-m", "thinveil", command, "--help"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page):
    for command, rest in re.findall(rf"thinveil ({'|'.join(COMMANDS)})\b([^`\n]*)", page.read_text()):
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in help_of(command), f"{page.name}: thinveil {command} {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        place = (page.parent / target).resolve()
        is_generated = place.parent == ROOT / "docs" / "reference" and place.name in GENERATED
        assert place.exists() or is_generated, target


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"make ([a-z]+)", (ROOT / "README.md").read_text()):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_constraints_hold_versions_and_no_addresses():
    for name in ("constraints.txt", "constraints-lowest.txt"):
        lines = (ROOT / name).read_text().splitlines()
        assert all(re.fullmatch(r"#.*|[A-Za-z0-9_.-]+==[A-Za-z0-9.]+", line) for line in lines)


def test_lowest_versions_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = [*project["dependencies"], *project["optional-dependencies"]["data"]]
    lowest = (ROOT / "constraints-lowest.txt").read_text().replace("==", ">=").splitlines()
    assert set(bounds) <= set(lowest)


SCRIPT = """
import thinveil
from thinveil import datasets

graph: thinveil.Graph = thinveil.Graph.from_polars(datasets.call_records(500), time="start", directed=True)
result = thinveil.audit(graph, "d4d-2:egonets=20", attack="forest", seed=1, repeats=2)
result = thinveil.audit("calls.csv", train_on=graph)
found = result.rate("complete", 0.01)
share: float | None = found.tpr
release: thinveil.Release = thinveil.anonymize("calls.csv", seed=3)
names: list[str] = thinveil.match(graph, release).table.columns
thinveil.write_report(result, "report", force=True)
print(share, thinveil.info(graph)["nodes"], names, thinveil.compare(graph, ["pseudonyms"]).frontier)
"""


def check_types(script, folder):
    (folder / "mine.py").write_text(script)
    words = ["--strict", "--follow-imports=silent", "--cache-dir", ROOT / ".mypy_cache" / "user", "mine.py"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    run = [sys.executable, "-m", "mypy", "--config-file", "", *words]
    return subprocess.run(run, capture_output=True, text=True, cwd=folder, env=environment)


def test_types_are_complete_for_programs_of_users(tmp_path):
    done = check_types(SCRIPT, tmp_path)
    assert done.returncode == 0, done.stdout
    wrong = check_types(SCRIPT + "\nthinveil.audit(5)\nresult.rate('complete', 'often')\n", tmp_path)
    assert wrong.stdout.count("[arg-type]") == 2


def test_completion_knows_commands_and_options():
    words = {"_THINVEIL_COMPLETE": "complete_bash", "COMP_WORDS": "thinveil an", "COMP_CWORD": "1"}
    program = [sys.executable, "-c", "import sys; sys.argv[0] = 'thinveil'; from thinveil.__main__ import main; main()"]
    done = subprocess.run(program, capture_output=True, text=True, env={**os.environ, **words})
    assert done.stdout.split() == ["anonymize"], done.stderr
