"""result.json read back, its schema, the page made of it again, and the limit that a pipeline may set."""

import copy
import json
import random
import re
import subprocess
import sys
from dataclasses import replace

import jsonschema
import pytest

import thinveil
from tests.auditing import SMALL
from thinveil.errors import InputError
from thinveil.report import check_limit
from thinveil.report.files import roc_csv, settings_toml

EGONETS = "d4d-1:egonets=12,min_size=50"
NAMES = {"threat": "identification", "attack": "names", "beside": ()}
KINDS = {
    "linkage": {"scheme": EGONETS, "beside": ("signature",), "repeats": 2, "attack": "forest:trees=10"},
    "strong": {"scheme": EGONETS, "attack": "strong", "beside": ()},
    "names": {"scheme": "pseudonyms", **NAMES},
    "names in egonets": {"scheme": EGONETS, **NAMES},
    "a promise": {"scheme": "k-degree:k=3", "test_promise": True, **NAMES},
    "another graph": {"scheme": EGONETS, "train_on": 1, "attack": "signature", "beside": ()},
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """The report of an audit of each kind, and its result."""
    graph, made = thinveil.synthetic_graph(3_000, seed=1), {}
    for name, chosen in KINDS.items():
        chosen = {**SMALL, **chosen}
        if "train_on" in chosen:
            chosen["train_on"] = thinveil.synthetic_graph(3_000, seed=2)
        result = thinveil.audit(graph, chosen.pop("scheme"), **chosen)
        folder = tmp_path_factory.mktemp("reports") / "report"
        thinveil.write_report(result, folder)
        made[name] = folder, result
    return made


def without_seconds(page):
    return re.sub(r'<th scope="row">Seconds</th>.*', "", page)


@pytest.mark.parametrize("name", KINDS)
def test_a_result_is_read_back_to_the_letter(name, reports, tmp_path):
    folder, _ = reports[name]
    back = thinveil.read_result(folder)
    thinveil.write_report(back, tmp_path / "again")
    for file in ("settings.toml", "roc.csv"):
        assert (tmp_path / "again" / file).read_text() == (folder / file).read_text()
    told, again = (json.loads((one / "result.json").read_text()) for one in (folder, tmp_path / "again"))
    told["seconds"].pop("report"), again["seconds"].pop("report")
    assert again == told
    pages = [without_seconds((one / "report.html").read_text()) for one in (folder, tmp_path / "again")]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("name", KINDS)
def test_results_keep_to_the_schema(name, reports):
    schema = thinveil.result_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    told = json.loads((reports[name][0] / "result.json").read_text())
    jsonschema.validate(told, schema, cls=jsonschema.Draft202012Validator)
    for wrong in ({**told, "rates": 5}, {**told, "more": 1}, {k: v for k, v in told.items() if k != "rates"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(("content", "words"), [
    ("{", "is no JSON"), ("[1]", "is not the result of an audit"), ('{"run": "x"}', "settings = None is not a table"),
])  # fmt: skip
def test_other_files_are_refused_in_one_line(content, words, tmp_path):
    (tmp_path / "result.json").write_text(content)
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        thinveil.read_result(tmp_path)
    assert "\n" not in str(caught.value)


def places(told, at=()):
    """Every place in nested lists and tables."""
    inner = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for key, one in inner:
        yield (*at, key)
        yield from places(one, (*at, key))


WRONG = (None, -1, 0, 1e300, "x", [], {}, [1], {"a": 1}, True, "<script>")


@pytest.mark.parametrize("name", ["linkage", "names"])
def test_a_damaged_result_is_refused_or_makes_a_page(name, reports, tmp_path):
    told = json.loads((reports[name][0] / "result.json").read_text())
    everywhere, chance, pages = sorted(places(told), key=str), random.Random(1), 0
    for _ in range(150):
        damaged, place, page = copy.deepcopy(told), chance.choice(everywhere), tmp_path / "page.html"
        inner = damaged
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = chance.choice(WRONG)
        (tmp_path / "result.json").write_text(json.dumps(damaged))
        try:
            result = thinveil.read_result(tmp_path)
            if (pages := pages + 1) % 5 == 0:
                thinveil.write_page(result, page, force=True)
        except InputError as refused:
            words = str(refused)
        else:
            words = ""
        assert "\n" not in words, place
        assert not page.exists() or "<script>" not in page.read_text(), place
    assert 10 < pages < 100


def test_curves_of_another_run_are_left_out(reports, tmp_path):
    folder, result = reports["linkage"]
    (tmp_path / "result.json").write_bytes((folder / "result.json").read_bytes())
    (tmp_path / "roc.csv").write_text(roc_csv(replace(result, run="0" * 16)))
    assert thinveil.read_result(tmp_path).roc == {}
    assert settings_toml(thinveil.read_result(tmp_path)) == settings_toml(result)
    (tmp_path / "roc.csv").write_text("category,fpr,tpr,low,high,run\n1-hop,x,1,1,1," + result.run + "\n")
    with pytest.raises(InputError, match="holds no curves"):
        thinveil.read_result(tmp_path)


# the limit


def test_the_limit_is_held_against_the_end_of_the_interval(reports):
    result = reports["linkage"][1]
    told = json.loads((reports["linkage"][0] / "result.json").read_text())["upper"]
    worst = max(told["pairs"], told["people"])
    assert check_limit(result, worst) is None
    assert f"up to {worst:.1%}" in check_limit(result, worst - 1e-6)
    assert result.rate().tpr < worst


def test_names_count_too(reports):
    result = reports["names"][1]
    right = result.more["identification"].groups[0].right
    assert check_limit(result, right.high + 1e-9 if right.high < 1 else 1.0) is None or right.high < 0.5
    assert check_limit(result, 0.0) is not None


def test_an_audit_that_cannot_tell_exceeds_every_limit(reports):
    result = reports["linkage"][1]
    nothing = tuple(replace(one, tpr=None, low=None, high=None) for one in result.rates)
    assert "too small to say anything" in check_limit(replace(result, rates=nothing), 1.0)
    with pytest.raises(InputError, match="give a share from 0 to 1"):
        check_limit(result, 5)


def thinveil_run(*words, cwd):
    return subprocess.run([sys.executable, "-m", "thinveil", *map(str, words)], capture_output=True, text=True, cwd=cwd)


def test_the_command_ends_with_a_status_of_its_own(reports, tmp_path):
    folder, _ = reports["linkage"]
    done = thinveil_run("report", folder, "--fail-above", 0, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert done.stderr.startswith("risk above 0.0%: up to ")
    assert (tmp_path / "report.html").exists()
    assert thinveil_run("report", folder, "--fail-above", 1, "--force", cwd=tmp_path).returncode == 0
    refused = thinveil_run("report", folder, cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    audit = ("audit", "synthetic", "--scheme", EGONETS, "--attack", "signature", "--alone", "--set", "test_pairs=500")
    done = thinveil_run(*audit, "--quiet", "--json", "--fail-above", 0.0001, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    schema = json.loads(thinveil_run("report", "--schema", cwd=tmp_path).stdout)
    jsonschema.validate(json.loads(done.stdout), schema)
