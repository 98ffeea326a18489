"""Where wrong links lead: how far the surroundings of linked people overlap."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from thinveil.auditing.results import OVERLAP_FPR, AuditResult
from thinveil.measures.mistakes import OverlapRisk
from thinveil.measures.rates import Rate, rate
from thinveil.report.plots import draw_overlaps, inline_svg
from thinveil.report.shares import one_in, overlap_span, percent, plural, round_percent
from thinveil.report.spans import percent_range, round_range
from thinveil.report.templates import fill
from thinveil.report.whereabouts import places_of

_FEW = 20
"""Wrong links below which nothing is said of where they lead."""


def section(result: AuditResult) -> Markup:
    """Show the mistakes by overlap, or say that the data cannot support it."""
    return fill(
        "sections/mistakes.html",
        figure=_figure(result.by_overlap) if result.by_overlap else None,
        sample=sample_sentence(result.by_overlap),
        sentences=overlap_sentences(result.by_overlap),
        fpr=one_in(OVERLAP_FPR),
        places=places_of(result),
    )


def _figure(risks: Sequence[OverlapRisk]) -> Markup:
    shown = [risk for risk in risks if risk.positives or risk.negatives]
    given = [[_with_interval(*side) for side in _sides(risk)] for risk in shown]
    spans = map(overlap_span, shown)
    shares = ", ".join(f"{span}: {' and '.join(pair)}" for span, pair in zip(spans, given, strict=True))
    label = f"Shares of pairs of one person and of different people that are linked, by overlap: {shares}."
    return inline_svg(draw_overlaps(shown), name="overlaps", label=label)


def _sides(risk: OverlapRisk) -> tuple[tuple[float | None, float | None, float | None], ...]:
    """Return the share linked and its interval, of one person and of different people."""
    return (risk.tpr, risk.tpr_low, risk.tpr_high), (risk.fpr, risk.fpr_low, risk.fpr_high)


def _with_interval(share: float | None, low: float | None, high: float | None) -> str:
    if share is None or low is None or high is None:
        return "not given"
    return f"{percent(share)} (95% interval {percent_range(low, high)})"


def sample_sentence(risks: Sequence[OverlapRisk]) -> str:
    """Say which pairs were compared; empty if none were."""
    if not risks:
        return ""
    same, different = sum(risk.positives for risk in risks), sum(risk.negatives for risk in risks)
    return (
        f"Drawn at random from the tested pairs: {plural(same, 'pair')} of one person, {different:,} of different "
        f"people, at the threshold that links {one_in(OVERLAP_FPR)} pairs of different people over all."
    )


def overlap_sentences(risks: Sequence[OverlapRisk]) -> list[str]:
    """Say where wrong links lead, and where right ones are made."""
    return [sentence for sentence in (_wrong_sentence(risks), _right_sentence(risks)) if sentence]


def _wrong_sentence(risks: Sequence[OverlapRisk]) -> str:
    told = [risk for risk in risks if risk.false_positives is not None]
    wrong, pairs = sum(risk.false_positives or 0 for risk in told), sum(risk.negatives for risk in told)
    if not pairs:
        return ""
    if wrong < _FEW:
        share = rate(wrong, pairs)
        return (
            f"{wrong or 'None'} of {plural(pairs, 'pair')} of different people that were compared "
            f"{'was' if wrong < 2 else 'were'} linked (95% interval {round_range(share.low, share.high)}): too few to "
            "say where wrong links lead."
        )
    cut = _near_cut(told, pairs)
    near = [risk for risk in told if risk.lowest >= cut]
    linked = rate(sum(risk.false_positives or 0 for risk in near), wrong)
    usual = rate(sum(risk.negatives for risk in near), pairs)
    return (
        f"{_verdict(linked, usual)} Of {wrong:,} wrong links, {linked.hits:,} ({round_percent(linked.value)}, 95% "
        f"interval {round_range(linked.low, linked.high)}) join people whose surroundings overlap by {cut:.2f} or "
        f"more; of all {pairs:,} pairs of different people {_rough(usual)} do."
    )


def _near_cut(risks: Sequence[OverlapRisk], pairs: int) -> float:
    """Return the overlap from which on two people are called near: the one that closest to a quarter of pairs reach.

    Wrong links have no say in it, so that it cannot be chosen to make them look near.
    """
    cuts = [risk.lowest for risk in risks if risk.lowest > 0]

    def off(cut: float) -> float:
        return abs(sum(risk.negatives for risk in risks if risk.lowest >= cut) / pairs - 0.25)

    return min(cuts, key=off, default=0.0)


def _verdict(linked: Rate, usual: Rate) -> str:
    if linked.low > max(usual.high, 0.5):
        return (
            "Wrong links mostly lead into the right neighbourhood: even where an attacker is mistaken about the "
            "person, the link tells roughly where that person is."
        )
    if linked.low > usual.high:
        return (
            "Wrong links lead into the right neighbourhood more often than chance would: even a mistaken link can "
            "tell something about where a person is."
        )
    if linked.high < usual.low:
        return "Wrong links lead into the right neighbourhood less often than chance would."
    return "Wrong links do not clearly lead into the right neighbourhood more often than chance would."


def _right_sentence(risks: Sequence[OverlapRisk]) -> str:
    told = [risk for risk in risks if risk.tpr is not None]
    if len(told) < 2:
        return ""
    first, last = (
        f"{_rough(rate(risk.hits or 0, risk.positives))} where the overlap is {overlap_span(risk)}"
        for risk in (told[0], told[-1])
    )
    return f"Two appearances of one person are linked in {first}, and in {last}."


def _rough(share: Rate) -> str:
    return f"{round_percent(share.value)} (95% interval {round_range(share.low, share.high)})"
