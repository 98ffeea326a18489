"""One self-contained page: a header, and the sections that have something to say about a result."""

from __future__ import annotations

from pathlib import Path

from thinveil.auditing.results import AuditResult, FoundRate
from thinveil.report import plans, words
from thinveil.report.sections import SECTIONS
from thinveil.report.sections.naming import naming_sentence
from thinveil.report.shares import Frequency, of_rate, plural, printable
from thinveil.report.templates import fill
from thinveil.report.templates import make_environment as make_environment
from thinveil.report.whereabouts import places_of
from thinveil.runtime.inputs import open_regular
from thinveil.schemes.base import title_of

_MOST_DOTS = 1000
_MARKS = (b'<meta name="generator" content="thinveil ', b"<title>thinveil: ")


def build_page(result: AuditResult) -> str:
    """Return the report as HTML that needs nothing outside itself."""
    spoken = words.telling_rate(result)
    share = of_rate(spoken) if spoken and result.found_something else None
    page = fill(
        "page.html",
        scheme=printable(title_of(result.plan.scheme)),
        name=printable(result.graph.title) or "unnamed graph",
        headline=words.headline(result),
        caution=words.caution(result),
        share=share,
        counted=places_of(result).counted,
        number=large_number(share, spoken) if share and spoken else "",
        dots=dots(share, spoken) if share and spoken else None,
        sentences=(
            naming_sentence(result),
            words.worst_sentence(result),
            words.person_sentence(result),
            words.spread_sentence(result),
        ),
        facts=facts(result),
        sections=[found for section in SECTIONS if (found := section(result)) is not None],
        version=result.versions["thinveil"],
        run=result.run,
    )
    return str(page)


def is_page(path: Path, title: str = "") -> bool:
    """Tell whether a file is a page that thinveil made, an earlier version too, whose title begins in that way."""
    try:
        with open_regular(path) as file:
            beginning = file.read(2000)
    except OSError:
        return False
    return any(mark in beginning for mark in _MARKS) and f"<title>thinveil: {title}".encode() in beginning


def facts(result: AuditResult) -> list[tuple[str, str]]:
    """Return what was done, each with its name."""
    graph, plan = result.graph, result.plan
    name = printable(graph.title) or "unnamed graph"
    return [
        ("Threat", plans.threat_sentence(plan)),
        ("Scheme", plans.scheme_sentence(plan)),
        ("Graph", f"{name}: {plural(graph.nodes, 'node')} and {plural(graph.edges, 'edge')}."),
        ("Attack", plans.attack_sentence(result)),
        ("Protocol", plans.protocol_sentence(result)),
        ("Draws", plans.draws_sentence(result)),
    ]


def large_number(share: Frequency, rate: FoundRate) -> str:
    """Return the number that is seen first; of none, or all, it is the other end of the interval."""
    if 0 < rate.hits < rate.positives:
        return share.count
    return f"≥ {share.low}" if rate.hits else f"≤ {share.high}"


def dots(share: Frequency, rate: FoundRate) -> dict[str, str] | None:
    """Lay out one dot per person, those found apart from the others, as two SVG paths; None if too many.

    None as well where none or all were found: dots of one kind would look surer than the test is.
    """
    if share.base > _MOST_DOTS or rate.tpr is None or rate.hits in (0, rate.positives):
        return None
    columns = 10 if share.base == 100 else 40
    found = round(rate.tpr * share.base)
    marks = [f"M{k % columns} {k // columns}h0" for k in range(share.base)]
    return {
        "found": "".join(marks[:found]),
        "others": "".join(marks[found:]),
        "box": f"-0.5 -0.5 {columns} {share.base // columns}",
    }
