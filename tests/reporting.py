"""Results made by hand, and pages read back: what the tests of the report share."""

import re
from html.parser import HTMLParser

import numpy as np

from thinveil import metrics, results
from thinveil.results import Auc, AuditResult, DegreeRisk, Egos, GraphFacts, LinkWorth, OverlapRisk, RocCurve
from thinveil.settings import Settings

CATEGORIES = ("1-hop", "1,2-hop", "2-hop", "complete")
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
        "by_overlap": OVERLAPS,
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
