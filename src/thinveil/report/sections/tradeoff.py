"""The whole trade-off: the ROC curves."""

from __future__ import annotations

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.report.plots import draw_roc, inline_svg
from thinveil.report.templates import fill
from thinveil.report.words import category_words


def section(result: AuditResult) -> Markup:
    """Show the curves, or say that there are none."""
    repeats = result.plan.repeats
    return fill("sections/tradeoff.html", roc=_curves(result) if result.roc else None, repeats=repeats)


def _curves(result: AuditResult) -> Markup:
    areas = ", ".join(f"{name} {area.mean:.3f}" for name, area in result.auc.items())
    label = f"Share of people re-linked against false-positive rate. Areas under the curves: {areas}."
    figure = draw_roc(result.roc, words=category_words(result))
    return inline_svg(figure, name="roc", label=label)
