"""The rows of the page's tables, every number already in print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thinveil.auditing.results import Auc, AuditResult, FoundRate, LinkWorth
from thinveil.auditing.settings import foreign_parameters
from thinveil.report.shares import NOT_GIVEN, amount, percent, percent_range, round_percent
from thinveil.report.words import CATEGORY_WORDS, bin_words, is_shaky, missing_words

_MOST_COMPONENTS = 8
_MOST_COMPARED = 12
_MEANINGS = {
    "scheme": "anonymization scheme",
    "egonets": "sub-graphs per release",
    "min_size": "a sub-graph must have more people than this",
    "node_overlap": "share of all people who are in both sub-graphs",
    "edge_overlap": "share of the edges among these people that are in both",
    "seeds": "people whom the attacker knows in the attacked release, and learns from",
    "min_degree": "people with no more contacts than this in a sub-graph are not compared",
    "categories": "categories of pairs that are measured",
    "features": "what the forest compares",
    "slots": "equal spans of time, each attacked apart",
    "join": "how what the slots say is joined",
    "attack": "the attack",
    "alone": "whether other attacks and protocols were left out",
    "large_signature": "neighbours that a signature must have to be trusted",
    "bins": "length of the degree histogram",
    "bin_size": "width of its bins",
    "trees": "trees in the forest",
    "bag_size": "pairs of each kind per tree",
    "candidates": "share of component pairs tried at each split",
    "thresholds": "thresholds tried for each",
    "smallest": "share of a bag below which a node is not split",
    "protocol": "how pairs of different people are drawn",
    "unseen": "whether only people not in the training release are tested",
    "train_pairs": "most pairs of one person to learn from, per category",
    "test_pairs": "most pairs of one person to test with, per category",
    "train_negatives": "pairs of different people to learn from",
    "test_negatives": "pairs of different people to test with",
    "people": "size of the sub-graph for which the worth of a link is worked out",
    "repeats": "draws of new releases",
    "seed": "decides all that is random",
}


@dataclass(frozen=True)
class Cell:
    """A number and what stands beneath it; ``missing`` if it cannot be given, ``shaky`` if it rests on little."""

    main: str
    notes: tuple[str, ...] = ()
    missing: bool = False
    shaky: bool = False


@dataclass(frozen=True)
class Row:
    """A category, or guessing: a heading, what it means, and its cells."""

    name: str
    words: str
    cells: tuple[Cell, ...]
    auc: Cell | None = None
    positives: str = ""
    negatives: str = ""


def fprs(result: AuditResult) -> list[float]:
    """Return the false-positive rates of a result, smallest first."""
    return sorted({rate.fpr for rate in result.rates})


def rate_rows(result: AuditResult) -> list[Row]:
    """Return a row for each category, and one for guessing."""
    rows = [
        _rate_row(name, CATEGORY_WORDS.get(name, ""), _of_category(result.rates, name), result.auc.get(name))
        for name in result.categories
    ]
    guess = sorted(result.baseline, key=lambda rate: rate.fpr)
    return [*rows, _rate_row("guessing", "random scores, same pairs as complete", guess, None)]


def worth_rows(result: AuditResult) -> list[Row]:
    """Return, for each category, what a claimed link is worth to somebody who looks for one person."""
    alone = [worth for worth in result.worth if worth.task == "one person"]
    crowds = {worth.category: f"one among {worth.people:,.0f} people" for worth in alone}
    return [
        Row(name, crowds.get(name, CATEGORY_WORDS.get(name, "")), tuple(_worth_cells(result, alone, name)))
        for name in (result.categories if alone else ())
    ]


def couple_rows(result: AuditResult) -> list[Row]:
    """Return what somebody gets who compares everybody of one sub-graph with everybody of another."""
    tasks = [worth for worth in result.worth if worth.task == "two sub-graphs"]
    return (
        [Row("complete", CATEGORY_WORDS["complete"], tuple(_worth_cells(result, tasks, "complete")))] if tasks else []
    )


def couple_sizes(result: AuditResult) -> tuple[str, str] | None:
    """Return the pairs compared in the task of two sub-graphs, and the people who are in both."""
    task = next((worth for worth in result.worth if worth.task == "two sub-graphs"), None)
    # all pairs but those of the people in both can be wrong, at the false-positive rate
    return (amount(task.pairs), amount(task.shared)) if task else None


def component_rows(result: AuditResult) -> list[tuple[str, str, str]]:
    """Return the component pairs that decided most: left, right, share of what was learned."""
    return [
        (bin_words(left, result.settings), bin_words(right, result.settings), percent(share))
        for left, right, share in result.important[:_MOST_COMPONENTS]
    ]


def learned_rows(result: AuditResult) -> list[tuple[str, str, str]]:
    """Return what was compared by what it told: words, share, and the width of a bar in percent of the longest."""
    told = sorted(result.learned, key=lambda pair: -pair[1])[:_MOST_COMPARED]
    longest = max((share for _, share in told), default=0.0) or 1.0
    return [(words, round_percent(share), f"{100 * share / longest:.1f}") for words, share in told]


def setting_rows(result: AuditResult) -> list[tuple[str, str, str]]:
    """Return each setting that means something to the scheme, with its value and meaning."""
    foreign = foreign_parameters(result.settings.scheme)
    given = result.settings.to_dict().items()
    return [(name, _print(value), _MEANINGS.get(name, "")) for name, value in given if name not in foreign]


def has_shaky(rows: Iterable[Row]) -> bool:
    """Whether any threshold rests on few false positives."""
    return any(cell.shaky for row in rows for cell in row.cells)


def _of_category(rates: Iterable[FoundRate], name: str) -> list[FoundRate]:
    return sorted((rate for rate in rates if rate.category == name), key=lambda rate: rate.fpr)


def _rate_row(name: str, words: str, rates: Sequence[FoundRate], auc: Auc | None) -> Row:
    return Row(
        name,
        words,
        tuple(rate_cell(rate) for rate in rates),
        auc_cell(auc),
        f"{max((rate.positives for rate in rates), default=0):,}",
        f"{max((rate.negatives for rate in rates), default=0):,}",
    )


def rate_cell(rate: FoundRate) -> Cell:
    """Return a rate with its interval, and the spread between draws."""
    if rate.tpr is None or rate.low is None or rate.high is None:
        return Cell(missing_words(rate), missing=True)
    spread = () if rate.sd is None else (f"± {100 * rate.sd:.2f}",)
    return Cell(percent(rate.tpr), (percent_range(rate.low, rate.high), *spread), shaky=is_shaky(rate))


def auc_cell(auc: Auc | None) -> Cell:
    """Return an area under the curve, with the spread between draws."""
    if auc is None:
        return Cell(NOT_GIVEN)
    return Cell(f"{auc.mean:.3f}", () if auc.sd is None else (f"± {auc.sd:.3f}",))


def _worth_cells(result: AuditResult, tasks: Sequence[LinkWorth], category: str) -> Iterable[Cell]:
    for rate in _of_category(result.rates, category):
        worth = next((task for task in tasks if task.category == category and task.fpr == rate.fpr), None)
        if worth is None:
            yield Cell(missing_words(rate), missing=True)
        else:
            share = NOT_GIVEN if worth.precision is None else round_percent(worth.precision)
            yield Cell(share, (f"{amount(worth.right)} right", f"{amount(worth.wrong)} wrong"))


def _print(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "; ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
