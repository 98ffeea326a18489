"""Results made by hand, and pages read back: what the tests of the report share."""

import csv
import json
import re
import tomllib
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np

from thinveil.attacks import Lesson
from thinveil.auditing import results
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import (
    Auc,
    AuditResult,
    Compared,
    DegreeRisk,
    Egos,
    GraphFacts,
    LinkRound,
    LinkWorth,
    RocCurve,
)  # fmt: skip
from thinveil.measures import rates as metrics
from thinveil.measures.mistakes import OverlapRisk
from thinveil.measures.people import PersonRisks, RiskGroup

PLAN = Plan.make("d4d-2", "forest:features=degrees", seed=3)
COMPARED = Plan.make("d4d-2", "strong", beside=("forest:features=degrees", "signature"), seed=3)
CATEGORIES = ("1-hop", "1,2-hop", "2-hop", "complete")
VOID = {"meta", "br", "link", "img", "hr", "input"}


def run_ids(folder):
    """Return the runs that the files of a report belong to: one, unless they were mixed."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    with (folder / "roc.csv").open(newline="") as file:
        points = {point["run"] for point in csv.DictReader(file)}
    return {
        json.loads((folder / "result.json").read_text())["run"],
        tomllib.loads((folder / "settings.toml").read_text())["run"],
        *re.findall(r'<meta name="thinveil-run" content="([0-9a-f]{16})">', page),
        *re.findall(r"Made with thinveil [0-9.]+, run ([0-9a-f]{16})\.", page),
        *points,
    }


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
        4_000,
        positives // 2,
    )


def link_worth(found, task="one person"):
    """What a link is worth among 91 people."""
    sizes, passed = {"pairs": 91.0, "matches": 1.0}, found.false_positives / found.negatives
    likely = metrics.link_outlook(found.tpr, passed, **sizes)
    wrong = metrics.share_bounds(passed, found.distinct)
    worst, best = metrics.outlook_bounds((found.low, found.high), wrong, **sizes)
    return LinkWorth(
        task, found.category, found.fpr, 91.0, 91.0, 1.0, likely.right, likely.wrong, likely.precision, worst.right,
        best.right, best.wrong, worst.wrong, *metrics.precision_bounds(worst, best),
    )  # fmt: skip


def overlap_risk(lowest, highest, positives, negatives):
    """A range of overlaps, of which ``positives`` and ``negatives`` are (hits, pairs); hits None if not told."""
    sides = []
    for hits, pairs in (positives, negatives):
        share = metrics.rate(hits, pairs) if hits is not None and pairs else None
        told = (None, None, None) if share is None else (share.value, share.low, share.high)
        sides += [*told, hits, pairs]
    return OverlapRisk(lowest, highest, *sides)


OVERLAPS = (
    overlap_risk(0.0, 0.0, (0, 0), (0, 300)),
    overlap_risk(0.0, 0.05, (10, 1_000), (2, 4_000)),
    overlap_risk(0.05, 0.1, (None, 12), (3, 400)),
    overlap_risk(0.1, 0.15, (600, 2_000), (15, 200)),
    overlap_risk(0.15, None, (1_500, 1_988), (30, 100)),
)


LESSON = Lesson(
    important=((0, 0, 0.05), (0, 69, 0.02)),
    compared=(
        ("contacts with 1 to 15 contacts", "contacts with 1 to 15 contacts", 0.05),
        ("contacts with 1 to 15 contacts", "contacts with more than 1,035 contacts", 0.02),
    ),
    tree="δ(v1[0], v2[58]) ≤ 0.95\n├─ False: 18, 19\n└─ True: 2, 80",
    tree_words="v[0] to v[69]: from few contacts to many",
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
        link_worth(r, task)
        for r in rates
        if r.tpr is not None
        for task in (("one person", "two sub-graphs") if r.category == "complete" else ("one person",))
    ]
    values = {
        "plan": PLAN,
        "graph": GraphFacts(20_000, 120_000, "d" * 64, name, "5" * 64),
        "rates": rates,
        "auc": {c: Auc(0.9, 0.01 if draws > 1 else None, (0.9,) * draws, 0.88, 0.92) for c in CATEGORIES},
        "roc": {c: RocCurve(fpr, fpr**0.5, fpr**0.6, fpr**0.4) for c in CATEGORIES},
        "by_degree": (DegreeRisk(6, 10, 0.05, 0.03, 0.08, 20, 400), DegreeRisk(1001, None, 1.0, 0.83, 1.0, 20, 20)),
        "by_overlap": OVERLAPS,
        "worth": tuple(worth),
        "baseline": tuple(found_rate("complete", fpr, round(positives * fpr), **sizes) for fpr in hits),
        "egos": Egos(100 * draws, 72 * draws, 72 * draws),
        "lesson": LESSON,
        "seconds": {"train": 1.25, "test": 2.5},
        "versions": {"python": "3.11.7", "thinveil": "0.1.0"},
    }
    values |= changes
    return AuditResult(**{**values, "plan": replace(values["plan"], repeats=draws)})


def make_risks(*, draws=1):
    """The risks of 2,000 people, of whom a good quarter would be re-linked."""
    return PersonRisks(
        fpr=0.001,
        people=2_000.0,
        relinked=530.0,
        low=501.2,
        high=560.7,
        independent=2_000,
        ever=1_240.0,
        never=760.0,
        bins=(310.0, 205.0, 160.0, 110.0, 95.0, 80.0, 72.0, 60.0, 58.0, 90.0),
        by_degree=(
            RiskGroup(6, 10, 1_100.0, 0.11, 0.1, 0.12, 1_100),
            RiskGroup(11, None, 900.0, 0.4544, 0.43, 0.48, 900),
        ),
        by_hops=(RiskGroup(0, 1, 400.0, 0.72, 0.69, 0.75, 400), RiskGroup(2, 2, 1_600.0, 0.1513, 0.14, 0.16, 1_600)),
        draws=(found := tuple(530.0 + 20 * (k - (draws - 1) / 2) for k in range(draws))),
        shares=tuple(one / 2_000 for one in found),
        sd=20.0 if draws > 1 else None,
    )


ROUNDS = (
    LinkRound(120, 260, 160, 155, 9_000),
    LinkRound(410, 1_050, 980, 930, 9_000),
    LinkRound(700, 2_300, 2_900, 2_700, 9_000),
    LinkRound(760, 2_600, 3_500, 3_240, 9_000),
)
LEARNED = (
    ("shared contacts", 0.25),
    ("neighbours' exact degrees", 0.41),
    ("size of the person's own network", 0.34),
)


def make_beside(plan=COMPARED, *, draws=1):
    """All other attacks and protocols of a plan, of which the first finds most."""
    return tuple(
        Compared(
            one.attack.name,
            one.protocol,
            make_result(share=0.04 / (1 + k), draws=draws).rates,
            {"complete": Auc(0.8, None, (0.8,), 0.76, 0.84)},
        )
        for k, one in enumerate(plan.measured[1:])
    )


def make_full_result(*, draws=1, plan=COMPARED, **changes):
    """A result with all that an audit can hold."""
    parts = {"risk": make_risks(draws=draws), "rounds": (ROUNDS,) * draws}
    parts |= {"lesson": replace(LESSON, channels=LEARNED), "beside": make_beside(plan, draws=draws)}
    return make_result(draws=draws, plan=plan, **{**parts, **changes})


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
