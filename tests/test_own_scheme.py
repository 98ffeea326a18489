"""A scheme is one file and one line: this one is defined here, and nothing in the package knows it."""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import thinveil
from tests.auditing import without
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.keys import Key
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.schemes import D4D1, SCHEMES, Published, Release, read_release, seal, write_release

NAME = "moth-eaten"
FEW = {"attack": "forest:trees=20,bag_size=200", "test_negatives": 3_000, "test_pairs": 500, "seed": 5}


@dataclass(frozen=True)
class MothEaten:
    """Egonets with holes: a share of the published edges is deleted by lot."""

    name: ClassVar[str] = NAME
    holes: float = parameter(0.1, "share of the published edges that are deleted", low=-0.001, high=1)

    def __post_init__(self) -> None:
        check_parameters(self)

    def describe(self) -> str:
        return f"publishes 2-hop egonets, of which moths have eaten {self.holes:.0%} of the edges"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        whole = D4D1(egonets=12, min_size=60).publish(graph, seed=seed, avoid=avoid)

        def make(k: int) -> Published:
            return Published(self._eat(whole.public[k], np.random.default_rng([seed, len(avoid), k])), whole.secret[k])

        return Release.lazy(len(whole), make, scheme=self.name, graph=graph, centers=whole.egos)

    def _eat(self, public: Graph, rng: np.random.Generator) -> Graph:
        source = np.repeat(np.arange(public.node_count), public.degrees)
        kept = (source < public.indices) & (rng.random(source.size) >= self.holes)
        return Graph.from_edges(source[kept], public.indices[kept], node_count=public.node_count)


@pytest.fixture(scope="module", autouse=True)
def registered():
    """The one line."""
    SCHEMES.add(MothEaten)
    yield
    SCHEMES.remove(NAME)


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, seed=4)


@pytest.fixture(scope="module")
def result(graph):
    return audit(graph, f"{NAME}:holes=0.3", **FEW)


@pytest.fixture(scope="module")
def report(result, tmp_path_factory):
    """The folder of the audit's report."""
    from thinveil.report import write_report

    return write_report(result, tmp_path_factory.mktemp("report")).parent


def plain(result):
    return without(result.to_dict(), "seconds")


def test_nothing_in_the_package_knows_it():
    package = Path(thinveil.__file__).parent
    files = [path for path in package.rglob("*") if path.suffix in (".py", ".html", ".toml", ".css")]
    assert len(files) > 100
    assert not [path for path in files if NAME in path.read_text() or "MothEaten" in path.read_text()]


def test_it_is_audited_by_name(graph, result):
    assert result.plan.scheme == MothEaten(holes=0.3)
    assert result.rate("complete", 0.1).positives > 100
    assert plain(audit(graph, MothEaten(holes=0.3), **FEW)) == plain(result)
    # the parameter counts: without holes it is the scheme below it
    assert audit(graph, f"{NAME}:holes=0", **FEW).rates == audit(graph, D4D1(egonets=12, min_size=60), **FEW).rates
    assert audit(graph, NAME, **FEW).rates != result.rates


def test_its_parameters_are_checked_and_told_like_all_others():
    assert SCHEMES.word(MothEaten(holes=0.3)) == f"{NAME}:holes=0.3"
    with pytest.raises(InputError, match=f"{NAME}: holes = 2.0: give a number above -0.001 and up to 1"):
        Plan.make(f"{NAME}:holes=2")
    with pytest.raises(InputError, match=f"{NAME}: no parameter is called 'hole': .*holes"):
        Plan.make(f"{NAME}:hole=0.2")
    with pytest.raises(InputError, match=f"unknown scheme 'moth-eten': did you mean '{NAME}'"):
        Plan.make("moth-eten")


def test_the_report_states_what_was_used(result, report):
    page = (report / "report.html").read_text()
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    assert NAME in text
    assert result.plan.scheme.describe().removeprefix("publishes ") in text  # with the 30% that were really used
    assert re.search(r"\bholes\b[ =:]*0\.3\b", text)
    for foreign in ("min_size", "egonets ="):  # those of another scheme
        assert foreign not in text
    told = json.loads((report / "result.json").read_text())
    assert told["settings"]["scheme"] == {"name": NAME, "holes": 0.3}


def test_the_settings_repeat_it_to_the_digit(graph, result, report):
    from thinveil.report.files import read_settings

    plan, facts = read_settings(report / "settings.toml")
    assert plan == result.plan
    assert facts["graph"]["digest"] == graph.digest()
    assert plain(audit(graph, plan=plan)) == plain(result)


def test_settings_of_a_scheme_that_nobody_registered_are_refused(report):
    from thinveil.report.files import read_settings

    SCHEMES.remove(NAME)
    try:
        with pytest.raises(InputError, match=f"settings.toml: unknown scheme '{NAME}': .*known are d4d-1"):
            read_settings(report / "settings.toml")
    finally:
        SCHEMES.add(MothEaten)


def test_its_release_goes_to_disk_and_back(graph, tmp_path):
    release = seal(MothEaten(holes=0.3).publish(graph, seed=2), Key.of_seed(2))
    write_release(release, tmp_path / "out", tmp_path / "truth")
    again = read_release(tmp_path / "out", tmp_path / "truth")
    assert again.scheme == NAME
    assert [one.edge_count for one in again.public] == [one.edge_count for one in release.public]
    assert again.names[again.egos].tolist() == release.egos.tolist()


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.exception or done.output
    return done.output


def test_the_command_line_knows_it(graph, result, tmp_path):
    assert f"{NAME}: " in run("schemes")
    assert "holes=" in run("schemes")
    assert NAME in run("audit", "--help")
    edges, model, links = write_edges(graph, tmp_path), tmp_path / "model", tmp_path / "links.csv"
    run("anonymize", edges, "--scheme", f"{NAME}:holes=0.2", "--out", tmp_path / "r", "--truth", tmp_path / "t")
    told = run("train", edges, "--scheme", f"{NAME}:holes=0.2", "--attack", "signature", "--out", model)
    assert f"scheme {NAME}" in told
    assert "clusters" in run("link", tmp_path / "r", "--model", model, "--truth", tmp_path / "t", "--out", links)
    assert links.exists()


def test_the_command_line_repeats_it(graph, tmp_path):
    edges = write_edges(graph, tmp_path)
    few = ["--attack", "forest:trees=5", "--set", "test_negatives=2000"]
    run("audit", edges, "--scheme", f"{NAME}:holes=0.3", *few, "--out", tmp_path / "a")
    run("audit", edges, "--settings", tmp_path / "a" / "settings.toml", "--out", tmp_path / "b")
    one, two = (json.loads((tmp_path / side / "result.json").read_text()) for side in "ab")
    assert one["rates"] == two["rates"]
    assert one["settings"] == two["settings"]


def write_edges(graph, folder):
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    lines = [f"{u} {v}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    (folder / "edges.txt").write_text("\n".join(lines))
    return folder / "edges.txt"


@dataclass(frozen=True)
class Forgetful:
    """A scheme that does not heed what it should avoid."""

    name: ClassVar[str] = "forgetful"

    def publish(self, graph, *, seed, avoid=()):
        return D4D1(egonets=8, min_size=40).publish(graph, seed=seed)


def test_a_scheme_that_publishes_the_same_release_twice_is_refused(graph):
    with pytest.raises(InputError, match="forgetful published the same release twice, to learn from and to attack"):
        audit(graph, Forgetful(), attack="signature")


@pytest.mark.parametrize("attack", ["strong", "forest"])
def test_nobody_to_compare_is_told_in_one_line(graph, attack):
    with pytest.raises(InputError, match=r"nobody in a release has more than 5000 contacts, .* give --min-degree "):
        audit(graph, "d4d-1:egonets=4,min_size=40", attack=attack, beside=(), min_degree=5_000)
