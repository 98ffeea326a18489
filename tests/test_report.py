"""The page of a report, as its readers see it."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.reporting import PLAN, Page, found_rate, make_full_result, make_result, rows, with_hits
from thinveil.attacks import Lesson
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import Egos
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.rates import rate
from thinveil.report import headline, read_settings, write_report
from thinveil.report.cells import is_shaky
from thinveil.report.files import result_json
from thinveil.report.page import build_page
from thinveil.report.sections.egos import egos_sentence
from thinveil.report.sections.limits import limits
from thinveil.report.shares import frequency, of_rate, one_in, percent
from thinveil.report.spans import percent_range
from thinveil.report.words import caution, person_sentence, spread_sentence, worst_sentence

FILES = {"report.html", "result.json", "roc.csv", "settings.toml"}


@pytest.mark.parametrize(
    ("hits", "people", "found"),
    [
        (700, "100", "about 7 (95% interval 6 to 8)"),
        (50, "1,000", "about 5 (95% interval 3 to 7)"),
        (1, "10,000", "about 1 (95% interval 0 to 6)"),
        (0, "10,000", "none (95% interval 0 to 4; 10,000 pairs tested)"),
        (9_990, "1,000", "about 999 (95% interval 998 to 1,000)"),
        (10_000, "10,000", "all (95% interval 9,996 to 10,000; 10,000 pairs tested)"),
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
    result = make_result(share=0.0, positives=48)
    page = Page(build_page(result))
    assert page.all("h1") == [
        "The attack found nothing: it re-linked none of 48 pairs of appearances of one person. With 95% confidence it "
        "would re-link at most 8 of 100 times that a person appears in two published sub-graphs, while wrongly linking "
        "1 in 1,000 pairs of different people."
    ]
    little = headline(make_result(share=0.0001, rates=tuple(replace(r, hits=1) for r in result.rates)))
    assert little.startswith("The attack found nothing that guessing might not find: it re-linked 1 of 48 pairs")
    assert "This does not mean that nobody can be found" in page.text
    assert not re.search(r"\b(safe|anonymous)\b", page.text)
    assert not worst_sentence(result)


@pytest.mark.parametrize("draws", [1, 3])
@pytest.mark.parametrize("make", [make_result, make_full_result])
def test_no_share_of_none_or_all_stands_alone(make, draws):
    """Wherever a page of few pairs says 0% or 100%, the next words bound it."""
    for share in (0.0, 1.0):
        html = build_page(make(share=share, positives=48, draws=draws))
        for cell in (cell for row in rows(html) for cell in row if re.match(r"(0|100)(\.0+)?%", cell)):
            assert re.match(r"(0|100)(\.0+)?% (\* )?[\d.]+ to [\d.]+%", cell), cell
            low, high = map(float, re.search(r"([\d.]+) to ([\d.]+)%", cell).groups())
            assert low < high, cell


def test_the_large_number_of_none_is_how_many_it_may_be():
    found = with_hits(0)
    page = Page(build_page(make_result(rates=found)))
    assert page.all("b")[0] == "≤ 4"
    assert "dots" not in [value for tag, name, value in page.attributes if (tag, name) == ("svg", "class")]
    assert Page(build_page(make_result(rates=with_hits(10_000)))).all("b")[0] == "≥ 9,996"


@pytest.mark.parametrize("draws", [1, 2])
def test_machines_are_told_the_bound(draws):
    told = json.loads(result_json(make_full_result(share=0.0, positives=48, draws=draws)))
    assert told["upper"]["pairs"] == pytest.approx(rate(0, 48).high)
    assert (told["upper"]["fpr"], told["upper"]["confidence"]) == (0.001, 0.95)
    assert told["upper"]["people"] == pytest.approx(560.7 / 2_000)
    assert "at most 8 of 100" in told["headline"]
    assert json.loads(result_json(make_result(negatives=3)))["upper"] is None
    assert json.loads(result_json(make_result()))["upper"]["people"] is None


def test_an_interval_is_never_narrower_than_its_draws_nor_they_than_it():
    wide = replace(found_rate("complete", 0.001, 0, positives=60), draws=(0.0, 0.0, 0.0), sd=0.0)
    assert of_rate(wide).high == "6"
    far = replace(found_rate("complete", 0.001, 3_000), draws=(0.1, 0.5))
    assert (of_rate(far).low, of_rate(far).high) == ("10", "50")
    rates = tuple(wide if (r.category, r.fpr) == ("complete", 0.001) else r for r in make_result(positives=60).rates)
    sentence = spread_sentence(make_result(rates=rates))
    assert "was 0.00% each time; the 95% interval over all their pairs is 0.00 to 5.97%" in sentence


def test_a_few_pairs_say_nothing_anywhere():
    few = make_full_result(share=1.0, positives=29)
    page = Page(build_page(few))
    assert "too small to say anything" in page.all("h1")[0]
    assert caution(few).startswith("Yet the attack beats guessing (for example in category")
    assert "than guessing would find" not in page.text
    assert "number" not in [value for _, name, value in page.attributes if name == "class"]
    assert (worst_sentence(few), person_sentence(few), spread_sentence(few)) == ("", "", "")
    assert "29 of 29 pairs 88.05 to 100.00% too few to say" in page.text
    rates = tuple(
        found_rate("1-hop", r.fpr, 5, positives=5) if r.category == "1-hop" else r for r in make_result().rates
    )
    assert "1-hop" not in worst_sentence(make_result(rates=rates))
    assert "at most one hop from one ego" in worst_sentence(make_result(rates=rates))


def test_nobody_is_most_at_risk_where_all_fare_alike():
    result = make_result(rates=with_hits(10))
    low = tuple(
        found_rate(r.category, r.fpr, 10) if (r.category, r.fpr) == ("1-hop", 0.001)
        else found_rate(r.category, r.fpr, 0) if r.fpr == 0.001 and r.category != "complete" else r
        for r in result.rates
    )  # fmt: skip
    assert worst_sentence(make_result(rates=low)) == ""


def test_low_rates_are_told_from_guessing():
    assert "no more than guessing" in caution(make_result(rates=with_hits(10)))
    assert caution(make_result()) == ""


@pytest.mark.parametrize(
    ("changes", "text"),
    [({"positives": 0}, "Nobody could be compared"), ({"negatives": 3}, "The test is too small to say anything")],
)
def test_empty_results_have_a_page(changes, text):
    result = make_result(**changes, roc={}, auc={}, by_degree=(), by_overlap=(), lesson=Lesson(), egos=Egos(0, 0, 0))
    page = Page(build_page(result))
    assert page.all("h1")[0].startswith(text)
    assert "does not mean that nobody can be found" in page.text


def test_page_shows_every_rate():
    result = make_result(draws=3)
    html = build_page(result)
    page, table = Page(html), {row[0].split()[0]: row for row in rows(html)[:6] if row}
    assert page.all("h1") == [headline(result)]
    for found in result.rates:
        cell = table[found.category][1 + [1e-4, 1e-3, 1e-2, 0.1, 0.25].index(found.fpr)]
        assert cell.startswith(percent(found.tpr))
        assert f"{percent_range(found.low, found.high)} ± {100 * found.sd:.2f}" in cell
        assert table[found.category][6:] == ["0.900 0.880 to 0.920 ± 0.010", "10,000 100,000"]
    for column, found in enumerate(result.baseline, start=1):
        assert table["guessing"][column].startswith(percent(found.tpr))


def test_page_has_every_part_in_order():
    page = Page(build_page(make_result()))
    assert page.all("h2") == [
        "How many are re-linked", "The whole trade-off", "What a claimed link is worth", "Who is at risk",
        "In the words of data protection", "Where wrong links lead",
        "Can the attacker tell who the ego is?", "What the attack learned", "What these numbers do not prove",
        "How to repeat it",
    ]  # fmt: skip
    for text in (
        "Most at risk are people at most one hop from both egos",
        "such a person appears twice, about 28 would be re-linked",
        "with the edges between 2-hop nodes removed", "20,000 nodes and 120,000 edges", "Protocol matched:",
        "The attacker holds the release",
        "Egos were drawn once: 100 sub-graphs to learn from and as many others to attack",
        "contacts with more than 1,035 contacts", "v[0] to v[69]: from few contacts to many",
        "d" * 64, "5" * 64, "train 1.2, test 2.5",
        "thinveil audit GRAPH --settings settings.toml", "δ(v1[0], v2[58]) ≤ 0.95", "auditing data that one holds",
    ):  # fmt: skip
        assert text in page.text


@pytest.mark.parametrize(("make", "figures"), [(make_result, 4), (make_full_result, 6)])
def test_page_is_accessible(make, figures):
    page = Page(build_page(make()))
    assert ("html", "lang", "en") in page.attributes
    assert page.all("title")[0] == "thinveil: people.csv under d4d-2"
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.tags.count("caption") == page.tags.count("table")
    assert page.tags.count("th") == sum(name == "scope" for _, name, _ in page.attributes)
    assert [value for tag, name, value in page.attributes if (tag, name) == ("svg", "role")] == ["img"] * figures
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_page_needs_nothing_outside():
    html = build_page(make_full_result(draws=2))
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
    for name in ("report.html", "result.json", "settings.toml"):
        text = page.with_name(name).read_text()
        assert "people.csv" in text
        assert "alicia" not in text
    assert read_settings(tmp_path / "settings.toml")[1]["graph"]["name"] == "people.csv"


def test_too_few_pairs_say_nothing():
    result = make_result(positives=29)
    assert headline(result) == (
        "The test is too small to say anything: only 29 pairs of appearances of one person could be compared."
    )


def test_several_draws_speak_for_themselves():
    told = "re-link about 7 (95% interval 6 to 8, widened to hold all 3 draws of egos)"
    assert told in headline(make_result(draws=3))


def test_unsupported_rates_are_no_numbers():
    result = make_result(negatives=500)
    table = rows(build_page(result))[1:5]
    for row in table:
        assert row[1] == "not supported: needs 10,000 different pairs"
        assert row[2] == "not supported: needs 1,000 different pairs"
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
    assert "Bands are 95% intervals at each point" in one
    assert "lines are means over 3 draws" in three


@pytest.mark.parametrize(("protocol", "flatters"), [("paper", True), ("uniform", True), ("matched", False)])
def test_the_page_warns_of_every_protocol_but_matched(protocol, flatters):
    result = make_result(plan=Plan.make(base=PLAN, protocol=protocol))
    assert any(f"Protocol {protocol}" in claim for claim, _ in limits(result)) == flatters
    text = Page(build_page(result)).text
    assert ("prefer --protocol matched" in text) == flatters
    assert (f"Under protocol {protocol} they are usually harder to tell apart" in text) == flatters


def test_words_about_events():
    told = "forest:features=degrees+contacts+weight-out,slots=4,join=majority"
    page = Page(build_page(make_result(plan=Plan.make(attack=told)))).text
    assert "With each edge come its times in 4 slots, number of events, weights and directions." in page
    assert "how often a person was in touch with each contact and the weight of what went from a person to" in page
    assert "cut into 4 equal slots" in page
    assert "were joined by majority." in page
    attacks = ("forest", told, "forest:features=weight", "strong:features=weight")
    claims = [dict(limits(make_result(plan=Plan.make(attack=attack, beside=())))) for attack in attacks]
    assert claims[0]["Only the shape of the network was attacked."].startswith(
        "Attributes, times, weights and anything"
    )
    (used,) = (reason for claim, reason in claims[1].items() if "times in 4 slots" in claim and "attacked" in claim)
    assert used.startswith("Attributes and anything else")
    for claim in claims[2:]:
        assert claim["Only the shape of the network and weights were attacked."].startswith("Attributes, times and")


@pytest.mark.parametrize(
    ("threat", "told"),
    [
        ("linkage", "Egos were drawn once: 100 sub-graphs to learn from and as many others to attack."),
        ("linkage:known=1", "It learned from 1 person known in two or more sub-graphs."),
        ("linkage:known=60", "in 100 sub-graphs of each draw the attacker knows 60 people, drawn at random"),
        ("linkage:known=60", "The attacker knows 60 people beforehand, and attacks the others."),
        ("linkage:known=60", "60 people were known to the attacker beforehand"),
        ("linkage:unseen=yes", "Only people who are not in the release to learn from were tested."),
    ],
)
def test_the_page_says_whom_the_attacker_knows(threat, told):
    assert told in Page(build_page(make_result(plan=Plan.make(base=PLAN, threat=threat)))).text


def test_nothing_is_said_of_learning_where_nothing_is_learned():
    page = Page(build_page(make_result(plan=Plan.make(attack="signature"), lesson=Lesson())))
    assert "It learned from" not in page.text
    assert "Egos were drawn once: 100 sub-graphs to attack." in page.text
    assert "The attacker is favoured" not in page.text


def test_small_words():
    assert one_in(0.001) == "1 in 1,000"
    assert frequency(0.07, 0.07, 0.07).count == "7"
    assert "in 3 of them this was the ego" in egos_sentence(Egos(10, 4, 3))
    assert "in each of them this was the ego" in egos_sentence(Egos(10, 4, 4))
    assert "none of 10" in egos_sentence(Egos(10, 0, 0))
    assert "found in 0% of the sub-graphs (95% interval 0 to 31%)" in egos_sentence(Egos(10, 0, 0))
    assert "found in 100% of the sub-graphs (95% interval 83 to 100%)" in egos_sentence(Egos(20, 20, 20))


@pytest.fixture(scope="module")
def small_audit():
    graph = synthetic_graph(3_000, seed=1)
    return audit(
        graph, "d4d-1:egonets=10,min_size=50", attack="forest:trees=20", test_negatives=5_000, repeats=2, seed=1
    )


def test_report_of_an_audit(small_audit, tmp_path):
    page = Page(write_report(small_audit, tmp_path).read_text(encoding="utf-8"))
    assert page.all("h1") == [headline(small_audit)]
    assert "unnamed graph" in page.text
    assert json.loads((tmp_path / "result.json").read_text())["settings"]["scheme"]["egonets"] == 10
    assert read_settings(tmp_path / "settings.toml")[0] == small_audit.plan


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
    assert len(re.findall("<svg", shown)) == 5
