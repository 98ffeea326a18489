import csv
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest

from thinveil import metrics, results
from thinveil.auditing import audit
from thinveil.datasets import synthetic_graph
from thinveil.errors import InputError
from thinveil.report import headline, read_settings, write_report
from thinveil.report.page import build_page
from thinveil.report.shares import frequency, one_in, percent
from thinveil.report.words import bin_words, caution, egos_sentence, is_shaky, limits, worst_sentence
from thinveil.results import Auc, AuditResult, DegreeRisk, Egos, GraphFacts, LinkWorth, RocCurve
from thinveil.settings import Settings

CATEGORIES = ("1-hop", "1,2-hop", "2-hop", "complete")
FILES = {"report.html", "result.json", "roc.csv", "settings.toml"}
VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """The text of a page, and that of each element by its tag."""

    def __init__(self, html):
        super().__init__()
        self.open, self.parts, self.tags, self.attributes = [], [], [], []
        self.by_tag = {}
        self.feed(html)
        self.text = squeeze("".join(self.parts))

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)
            self.by_tag.setdefault(tag, []).append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes what is not open"

    def handle_data(self, data):
        if "style" in self.open:
            return
        # a cell's number and its notes are blocks of their own
        self.parts.append(data + " ")
        for tag in set(self.open):
            self.by_tag[tag][-1] += data + " "

    def all(self, tag):
        return [squeeze(text) for text in self.by_tag.get(tag, [])]


def squeeze(text):
    return " ".join(text.split())


def found_rate(category, fpr, hits, *, positives=10_000, negatives=100_000, draws=1):
    allowed = draws * metrics.allowed_false_positives(fpr, negatives // draws)
    if not allowed or not positives:
        return results.FoundRate(category, fpr, None, None, None, 0, positives, negatives, negatives, allowed)
    share = metrics.rate(hits, positives)
    each = tuple(share.value * (1 + 0.1 * (k - (draws - 1) / 2)) for k in range(draws))
    sd = float(np.std(each, ddof=1)) if draws > 1 else None
    return results.FoundRate(
        category,
        fpr,
        share.value,
        share.low,
        share.high,
        hits,
        positives,
        negatives,
        negatives,
        allowed,
        share.value / 2,
        share.value,
        sd,
        each,
    )


def make_result(*, share=0.07, positives=10_000, negatives=100_000, draws=1, name="people.csv", **changes):
    """A result as an audit gives it, without the audit: ``share`` found at 1 in 1,000, more elsewhere."""
    sizes = {"positives": positives, "negatives": negatives, "draws": draws}
    hits = {0.0001: 0.3 * share, 0.001: share, 0.01: 3 * share, 0.1: 8 * share, 0.25: 12 * share}
    rates = tuple(
        found_rate(category, fpr, round(positives * min(1.0, factor * found)), **sizes)
        for category, factor in zip(CATEGORIES, (4, 2, 1, 1), strict=True)
        for fpr, found in hits.items()
    )
    fpr = np.geomspace(1 / negatives, 1, 50)
    worth = [
        LinkWorth(task, r.category, r.fpr, 91.0, 91.0, 1.0, r.tpr, 90 * r.fpr, r.tpr / (r.tpr + 90 * r.fpr))
        for r in rates
        if r.tpr is not None
        for task in (("one person", "two sub-graphs") if r.category == "complete" else ("one person",))
    ]
    values = {
        "settings": Settings(repeats=draws, seed=3),
        "graph": GraphFacts(20_000, 120_000, "d" * 64, name, "5" * 64),
        "rates": rates,
        "auc": {c: Auc(0.9, 0.01 if draws > 1 else None, (0.9,) * draws) for c in CATEGORIES},
        "roc": {c: RocCurve(fpr, fpr**0.5, fpr**0.6, fpr**0.4) for c in CATEGORIES},
        "by_degree": (DegreeRisk(6, 10, 0.05, 0.03, 0.08, 20, 400), DegreeRisk(1001, None, 1.0, 0.83, 1.0, 20, 20)),
        "worth": tuple(worth),
        "baseline": tuple(found_rate("complete", fpr, round(positives * fpr), **sizes) for fpr in hits),
        "egos": Egos(100, 72, 72),
        "important": ((0, 0, 0.05), (0, 69, 0.02)),
        "tree": "δ(v1[0], v2[58]) ≤ 0.95\n├─ False: 18, 19\n└─ True: 2, 80",
        "seconds": {"train": 1.25, "test": 2.5},
        "versions": {"python": "3.11.7", "thinveil": "0.1.0"},
    }
    return AuditResult(**{**values, **changes})


def rows(page_html):
    """The cells of every table row of a page."""
    found = re.findall(r"<tr.*?</tr>", page_html, flags=re.DOTALL)
    return [
        [squeeze(re.sub(r"<[^>]*>", " ", cell)) for cell in re.findall(r"<t[hd].*?</t[hd]>", r, re.DOTALL)]
        for r in found
    ]


def with_hits(hits):
    """Rates of which only everybody's at 1 in 1,000 differs."""
    return tuple(
        found_rate(r.category, r.fpr, hits) if (r.category, r.fpr) == ("complete", 0.001) else r
        for r in make_result().rates
    )


@pytest.mark.parametrize(
    ("hits", "people", "found"),
    [
        (700, "100", "about 7 (95% interval 6 to 8)"),
        (50, "1,000", "about 5 (95% interval 3 to 7)"),
        (1, "10,000", "about 1 (95% interval 0 to 6)"),
        (0, "10,000", "none (95% interval 0 to 4)"),
        (9_990, "1,000", "about 999 (95% interval 998 to 1,000)"),
        (10_000, "10,000", "all (95% interval 9,996 to 10,000)"),
    ],
)
def test_headline_in_natural_frequencies(hits, people, found):
    assert headline(make_result(rates=with_hits(hits))) == (
        f"Of {people} times that a person appears in two published sub-graphs, an attacker would re-link {found}, "
        "while wrongly linking 1 in 1,000 pairs of different people."
    )


def test_headline_falls_back_to_the_smallest_supported_rate():
    text = headline(make_result(negatives=500))
    assert text.startswith("The data cannot support a false-positive rate of 1 in 1,000. At 1 in 100, the smallest")
    assert (
        "of 100 times that a person appears in two published sub-graphs, an attacker would re-link about 21 (" in text
    )


def test_nothing_found_is_never_called_safe():
    result = make_result(rates=tuple(replace(r, low=0.0, hits=0) for r in make_result().rates))
    page = Page(build_page(result))
    assert page.all("h1") == ["The attack found nothing: it re-links people no better than guessing would."]
    assert "This does not mean that the data are safe to publish" in page.text
    assert not worst_sentence(result)


def test_low_rates_are_told_from_guessing():
    assert "no more than guessing" in caution(make_result(rates=with_hits(10)))
    assert caution(make_result()) == ""


@pytest.mark.parametrize(
    ("changes", "text"),
    [({"positives": 0}, "Nobody could be compared"), ({"negatives": 3}, "The test is too small to say anything")],
)
def test_empty_results_have_a_page(changes, text):
    result = make_result(**changes, roc={}, auc={}, by_degree=(), important=(), tree="", egos=Egos(0, 0, 0))
    page = Page(build_page(result))
    assert page.all("h1")[0].startswith(text)
    assert "does not mean that the data are safe" in page.text


def test_page_shows_every_rate():
    result = make_result(draws=3)
    html = build_page(result)
    page, table = Page(html), {row[0].split()[0]: row for row in rows(html)[:6] if row}
    assert page.all("h1") == [headline(result)]
    for rate in result.rates:
        cell = table[rate.category][1 + [1e-4, 1e-3, 1e-2, 0.1, 0.25].index(rate.fpr)]
        assert cell.startswith(percent(rate.tpr))
        assert f"{100 * rate.low:.2f} to {percent(rate.high)} ± {100 * rate.sd:.2f}" in cell
        assert table[rate.category][6:] == ["0.900 ± 0.010", "10,000 100,000"]
    for column, rate in enumerate(result.baseline, start=1):
        assert table["guessing"][column].startswith(percent(rate.tpr))


def test_page_has_every_part_in_order():
    page = Page(build_page(make_result()))
    assert page.all("h2") == [
        "How many are re-linked", "The whole trade-off", "What a claimed link is worth", "Who is at risk",
        "Can the attacker tell who the ego is?", "What the attack learned", "What these numbers do not prove",
        "How to repeat it",
    ]  # fmt: skip
    for text in (
        "Worst off are people at most one hop from both egos: of 100 of them about 28",
        "with the edges between 2-hop nodes removed", "20,000 nodes and 120,000 edges", "Protocol paper:",
        "Egos were drawn once", "neighbours with more than 1,035 contacts", "d" * 64, "5" * 64, "train 1.2, test 2.5",
        "thinveil audit GRAPH --settings settings.toml", "δ(v1[0], v2[58]) ≤ 0.95", "auditing data that one holds",
    ):  # fmt: skip
        assert text in page.text


def test_page_is_accessible():
    page = Page(build_page(make_result()))
    assert ("html", "lang", "en") in page.attributes
    assert page.all("title")[0] == "thinveil: people.csv under d4d-2"
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.tags.count("caption") == page.tags.count("table")
    assert page.tags.count("th") == sum(name == "scope" for _, name, _ in page.attributes)
    assert [value for tag, name, value in page.attributes if (tag, name) == ("svg", "role")] == ["img"] * 3
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_page_needs_nothing_outside():
    html = build_page(make_result(draws=2))
    page = Page(html)
    assert "://" not in html
    assert "@import" not in html
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    links = [value for _, name, value in page.attributes if name in ("href", "src", "xlink:href")]
    assert all(link.startswith("#") for link in [*links, *re.findall(r"url\(([^)]*)\)", html)])
    assert len(html) < 400_000


def test_names_are_shown_literally(tmp_path):
    result = make_result(name='<script>alert("x")<b> & co\udcff')
    html = write_report(result, tmp_path).read_text(encoding="utf-8")
    assert "<script" not in html
    assert '<script>alert("x")<b> & co?' in Page(html).text
    assert read_settings(tmp_path / "settings.toml")[1]["graph"]["name"] == '<script>alert("x")<b> & co?'


def test_folders_are_nobodys_business(tmp_path):
    page = write_report(make_result(name="/home/alicia/secret plans/people.csv"), tmp_path)
    for name in ("report.html", "result.json"):
        text = page.with_name(name).read_text()
        assert "people.csv" in text
        assert "alicia" not in text
    assert read_settings(tmp_path / "settings.toml")[1]["graph"]["name"] == "/home/alicia/secret plans/people.csv"


def test_too_few_pairs_say_nothing():
    result = make_result(positives=29)
    assert headline(result) == (
        "The test is too small to say anything: only 29 pairs of appearances of one person could be compared."
    )


def test_several_draws_speak_for_themselves():
    assert "re-link about 7 (6 to 8 in 3 draws of egos)" in headline(make_result(draws=3))


def test_unsupported_rates_are_no_numbers():
    result = make_result(negatives=500)
    table = rows(build_page(result))[1:5]
    for row in table:
        assert row[1] == "not supported: needs 10,000 different negatives"
        assert row[2] == "not supported: needs 1,000 different negatives"
        assert re.match(r"\d+\.\d\d%", row[3])
    absent = tuple(replace(r, tpr=None, low=None, high=None, hits=0, positives=0) for r in result.rates[:5])
    assert rows(build_page(make_result(rates=absent + result.rates[5:])))[1][1] == "no such pairs"


def test_thresholds_on_few_false_positives_are_marked():
    assert not is_shaky(found_rate("complete", 0.0001, 5))
    assert is_shaky(found_rate("complete", 0.0001, 5, negatives=90_000))
    assert is_shaky(found_rate("complete", 0.0001, 5, draws=2)), "each draw has a threshold of its own"
    assert "fewer than 10 false positives" not in build_page(make_result())
    page = Page(build_page(make_result(negatives=50_000)))
    assert "* The threshold rests on fewer than 10 false positives" in page.text
    assert "2.10% *" in page.text


def test_several_draws_say_how_far_apart_they_lie():
    one, three = (Page(build_page(make_result(draws=draws))).text for draws in (1, 3))
    assert "±" not in one
    assert "not known from one draw" in one
    assert "Over 3 draws of egos the share re-linked ranged from 6.30% to 7.70%" in three
    assert "bands reach from the least to the largest" in three


def test_limits_name_the_protocol_unless_it_is_matched():
    leaks = [any("Protocol" in claim for claim, _ in limits(make_result(settings=Settings(protocol=p))))
             for p in ("paper", "uniform", "matched")]  # fmt: skip
    assert leaks == [True, True, False]


def test_small_words():
    assert bin_words(1, Settings(bin_size=1, bins=5)) == "neighbours with 2 contacts"
    assert one_in(0.001) == "1 in 1,000"
    assert frequency(0.07, 0.07, 0.07).count == "7"
    assert "in 3 of them" in egos_sentence(Egos(10, 4, 3))
    assert "none of 10" in egos_sentence(Egos(10, 0, 0))


def test_same_result_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_report(make_result(draws=2), tmp_path / name)
    assert {path.name for path in (tmp_path / "a").iterdir()} == FILES
    for name in FILES:
        texts = [(tmp_path / side / name).read_text() for side in "ab"]
        one, two = (re.sub(r'"report": [\d.]+', "", text) for text in texts)  # seconds taken to make the page
        assert one == two


def test_json_for_machines(tmp_path):
    result = make_result(draws=2)
    write_report(result, tmp_path)
    found = json.loads((tmp_path / "result.json").read_text())
    assert found["headline"] == headline(result)
    assert len(found["rates"]) == 20
    for told, rate in zip(found["rates"], result.rates, strict=True):
        for name in ("category", "fpr", "tpr", "low", "high", "hits", "positives", "negatives"):
            assert told[name] == getattr(rate, name)
    assert found["auc"] == dict.fromkeys(CATEGORIES, 0.9)
    assert found["seconds"] == {"train": 1.25, "test": 2.5, "report": found["seconds"]["report"]}
    assert (tmp_path / "result.json").read_text().startswith('{\n  "headline"')


def test_csv_round_trip(tmp_path):
    result = make_result()
    write_report(result, tmp_path)
    with (tmp_path / "roc.csv").open(newline="") as file:
        points = list(csv.DictReader(file))
    assert list(points[0]) == ["category", "fpr", "tpr", "low", "high"]
    for category, curve in result.roc.items():
        mine = [point for point in points if point["category"] == category]
        for column in ("fpr", "tpr", "low", "high"):
            assert [float(point[column]) for point in mine] == getattr(curve, column).tolist()


def test_settings_round_trip(tmp_path):
    settings = Settings(scheme="d4d-1", people=500, unseen=True, protocol="matched", seed=2**40)
    reader = {"delimiter": "\t", "ids": "string", "source": None}
    graph = GraphFacts(5, 4, "d" * 64, 'a "b" \\ é.txt', "5" * 64, reader)
    write_report(make_result(settings=settings, graph=graph), tmp_path)
    again, facts = read_settings(tmp_path / "settings.toml")
    assert again == settings
    assert facts["train_on"] == {}
    assert facts["graph"] == {
        "name": graph.name, "sha256": "5" * 64, "digest": "d" * 64, "nodes": 5, "edges": 4,
        "reader": {"delimiter": "\t", "ids": "string"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"[settings", "is not a TOML file"),
        (b"\xff\xfe", "is not a TOML file"),
        (b"[graph]\nnodes = 3\n", r"no table \[settings\]"),
        (b"settings = 3\n", r"no table \[settings\]"),
        (b"graph = 3\n[settings]\n", r"is not a table \[graph\]"),
        (b"[settings]\n[graph]\nnodes = 'x'\n", r"nodes = 'x' does not belong in \[graph\]"),
        (b"[settings]\n[graph]\ncolour = 'x'\n", r"colour = 'x' does not belong in \[graph\]"),
        (b"[setings]\n", "unknown entry 'setings'"),
        (b"[settings]\nprotocl = 'paper'\n", "unknown setting 'protocl'"),
        (b"[settings]\ntrees = 'many'\n", "trees = 'many' is not of type int"),
    ],
)
def test_wrong_settings_are_refused(tmp_path, text, problem):
    path = tmp_path / "settings.toml"
    path.write_bytes(text)
    with pytest.raises(InputError, match=problem) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)


def test_missing_settings_are_refused(tmp_path):
    for path in (tmp_path / "nowhere.toml", tmp_path):
        with pytest.raises(InputError, match="cannot read settings from"):
            read_settings(path)


def test_settings_alone_are_enough(tmp_path):
    (tmp_path / "mine.toml").write_text("[settings]\ntrees = 10\n")
    assert read_settings(tmp_path / "mine.toml") == (Settings(trees=10), {"graph": {}, "train_on": {}})


def test_unwritable_folder(tmp_path):
    (tmp_path / "taken").write_text("mine")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "deeper"):
        with pytest.raises(InputError, match="cannot write the report into") as caught:
            write_report(make_result(), folder)
        assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
    assert (tmp_path / "taken").read_text() == "mine"


def test_nothing_is_written_if_something_stands_in_the_way(tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(InputError, match=r"report.html is a folder there"):
        write_report(make_result(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "report.html").write_text("old")
    page = write_report(make_result(), str(tmp_path))
    assert page == tmp_path / "report.html"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"notes.txt"}
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.fixture(scope="module")
def small_audit():
    graph = synthetic_graph(3_000, seed=1)
    return audit(graph, "d4d-1", egonets=10, min_size=50, trees=20, test_negatives=5_000, repeats=2, seed=1)


def test_report_of_an_audit(small_audit, tmp_path):
    page = Page(write_report(small_audit, tmp_path).read_text(encoding="utf-8"))
    assert page.all("h1") == [headline(small_audit)]
    assert "unnamed graph" in page.text
    assert json.loads((tmp_path / "result.json").read_text())["settings"]["egonets"] == 10
    assert read_settings(tmp_path / "settings.toml")[0] == small_audit.settings


def test_chromium_shows_the_headline(tmp_path):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium on PATH to open the page with")
    page = write_report(make_result(), tmp_path / "report")
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri(),
    ]  # fmt: skip
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert Page(shown).all("h1") == [headline(make_result())]
    assert len(re.findall("<svg", shown)) == 4
