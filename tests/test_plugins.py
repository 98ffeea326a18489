"""Schemes that other packages bring along: found, loaded when named, told where they come from, and broken ones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thinveil
from thinveil.auditing.comparison.kept import find_makers
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError
from thinveil.schemes import SCHEMES

GOOD = """
from dataclasses import dataclass
from typing import ClassVar
from thinveil.schemes import D4D1

@dataclass(frozen=True)
class Mine:
    '''Publish some egonets.'''
    name: ClassVar[str] = "{name}"
    egonets: int = 12
    def describe(self):
        return "publishes some egonets"
    def publish(self, graph, *, seed, avoid=()):
        return D4D1(self.egonets, 60).publish(graph, seed=seed, avoid=avoid)
"""


@pytest.fixture
def bring(tmp_path, monkeypatch):
    """Put a package with one entry point where Python looks for packages."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def put(package, name, text=GOOD, value="Mine"):
        module = package.replace("-", "_")
        place = tmp_path / f"site-{package}"
        about = place / f"{module}-1.0.dist-info"
        about.mkdir(parents=True)
        (place / f"{module}.py").write_text(text.replace("{name}", name))
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[thinveil.schemes]\n{name} = {module}:{value}\n")
        sys.path.append(str(place))
        return place

    yield put
    for name in [name for name in sys.modules if name.startswith("plug_")]:
        del sys.modules[name]


def test_a_plug_in_is_known_by_its_word_and_loaded_only_then(bring):
    bring("plug-a", "plugged")
    assert "plugged" not in set(SCHEMES)
    SCHEMES.make("d4d-1")
    assert "plug_a" not in sys.modules
    made = SCHEMES.make("plugged:egonets=5")
    assert "plug_a" in sys.modules
    assert SCHEMES.word(made) == "plugged:egonets=5"
    assert SCHEMES.make(SCHEMES.table(made)) == made
    assert SCHEMES.is_known(made)
    assert SCHEMES.left_open("plugged") == ("egonets",)
    assert Plan.make(made).strangers == ()
    with pytest.raises(InputError, match="unknown scheme 'pluged': did you mean 'plugged'"):
        SCHEMES.make("pluged")


def test_built_in_schemes_win(bring):
    bring("plug-b", "d4d-2", "raise RuntimeError")
    assert SCHEMES.make("d4d-2").name == "d4d-2"


def test_two_packages_with_one_name_are_refused_and_both_named(bring):
    bring("plug-c", "plugged")
    bring("plug-d", "plugged")
    with pytest.raises(InputError, match=r"scheme 'plugged' comes from plug-c 1.0 and plug-d 1.0: uninstall one"):
        SCHEMES.make("plugged")


def test_a_package_that_is_found_twice_counts_once(bring):
    sys.path.append(str(bring("plug-e", "plugged")) + os.sep)
    assert SCHEMES.make("plugged").egonets == 12


@pytest.mark.parametrize(("text", "value", "words"), [
    ("1 / 0", "Mine", r"of plug-f 1.0 cannot be loaded \(ZeroDivisionError: division by zero"),
    ("import nowhere_at_all", "Mine", "ModuleNotFoundError"),
    ("", "Mine", "AttributeError"),
    ("Mine = 3", "Mine", "is no frozen dataclass with name = 'plugged'"),
    (GOOD.replace("{name}", "other"), "Mine", "is no frozen dataclass with name = 'plugged'"),
    ("raise SystemExit", "Mine", "SystemExit"),
])  # fmt: skip
def test_broken_ones_are_told_when_named_and_listed_all_the_same(text, value, words, bring):
    bring("plug-f", "plugged", text, value)
    with pytest.raises(InputError, match=words):
        SCHEMES.make("plugged")


def test_the_listing_tells_the_origin_and_no_broken_one_fails_it(bring):
    places = [bring("plug-g", "plugged"), bring("plug-h", "broken", "1 / 0"), bring("plug-i", "d4d-1", "1 / 0")]
    path = os.pathsep.join([*map(str, places), str(Path(thinveil.__file__).parent.parent)])

    def run(*words):
        return subprocess.run([sys.executable, "-m", "thinveil", *words], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": path}).stdout  # fmt: skip

    told = run("schemes")
    assert "plugged: Publish some egonets. (from plug-g 1.0)\n  egonets=12" in told
    assert "broken: scheme 'broken' of plug-h 1.0 cannot be loaded (ZeroDivisionError: division by zero)" in told
    assert "d4d-1: Never used: thinveil has one of this name. (from plug-i 1.0)" in told
    assert [entry.get("origin") for entry in json.loads(run("schemes", "--json"))][-3:] == [
        "plug-h 1.0",
        "plug-i 1.0",
        "plug-g 1.0",
    ]
    assert "plugged" in run("anonymize", "--help")


def test_what_was_measured_of_a_plug_in_holds_for_its_version_and_code_alone(bring):
    place = bring("plug-j", "plugged")
    about, code = place / "plug_j-1.0.dist-info" / "METADATA", place / "plug_j.py"
    found = [find_makers(SCHEMES.make("plugged"))]
    assert found[0][0].startswith("plug-j 1.0 ")
    about.write_text(about.read_text().replace("1.0", "1.1"))
    found.append(find_makers(SCHEMES.make("plugged")))
    code.write_text(code.read_text() + "# better\n")
    found.append(find_makers(SCHEMES.make("plugged")))
    assert len({tuple(one) for one in found}) == 3
    assert find_makers(SCHEMES.make("sparsify+plugged")) == found[-1]
    assert find_makers(SCHEMES.make("sparsify+d4d-2")) == []
    assert find_makers(SCHEMES.make("command:true {input} {output}")) is None


def test_examples_of_plug_ins_have_what_a_package_needs():
    assert (Path(__file__).parent.parent / "examples/blackbox/plugin/pyproject.toml").exists()
