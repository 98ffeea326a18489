"""What everybody can see without an attack: people who are alone with what is known of them, and made-up edges."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.measures.fakes import FakeEdges
from thinveil.measures.uniqueness import SIZES, Candidates, Uniqueness
from thinveil.report.shares import percent, plural
from thinveil.report.templates import fill
from thinveil.report.whereabouts import has_several

_KNOWING = {
    "degree": "how many contacts",
    "degree and triangles": "also, in how many triangles",
    "degrees of all contacts": "how many contacts each contact has",
}
HEADS = ("1 (alone)", *(f"{least}–{most}" if most else f"more than {least - 1}" for least, most in SIZES[1:]))


def section(result: AuditResult) -> Markup | None:
    """Show how many candidates there are, and how well made-up edges can be told."""
    found: Uniqueness | None = result.more.get("uniqueness")
    if found is None:
        return None
    return fill(
        "sections/seen.html",
        sentence=alone_sentence(found, several=has_several(result)),
        heads=HEADS,
        rows=list(_rows(found)),
        several=has_several(result),
        fakes=fakes_sentence(result.more.get("fake_edges"), subgraphs=found.subgraphs),
    )


def alone_sentence(found: Uniqueness, *, several: bool) -> str:
    """Say how many published nodes are alone with their degree, and with more."""
    shares = [percent(one.alone) for one in found.release]
    where = " in their sub-graph" if several else ""
    return (
        f"Of {plural(found.nodes, 'published node')}, {shares[0]} are the only one{where} with their number of "
        f"contacts, {shares[1]} with that and their number of triangles, and {shares[2]} with the numbers of contacts "
        "of all their contacts."
    )


def _rows(found: Uniqueness) -> Iterator[tuple[str, str, list[str]]]:
    for before, after in zip(found.original, found.release, strict=True):
        yield _KNOWING[before.knowing], "the graph", _cells(before)
        yield "", "the release", _cells(after)


def _cells(one: Candidates) -> list[str]:
    return [percent(share) for share in one.sizes]


def fakes_sentence(fakes: FakeEdges | None, *, subgraphs: int = 1) -> str:
    """Say how well made-up edges can be told in a release of so many sub-graphs; empty where there are none."""
    if fakes is None:
        return ""
    some = f" in {fakes.subgraphs:,} of the {subgraphs:,} sub-graphs" if fakes.subgraphs < subgraphs else ""
    told = f"Of {plural(fakes.edges, 'published edge')}{some}, {fakes.fake:,} are made up"
    if fakes.auc is None or fakes.low is None or fakes.high is None:
        return f"{told}: {fakes.reason}."
    return (
        f"{told}. Of a made-up and a real edge the "
        f"made-up one is told with a probability of {fakes.auc:.2f} (AUC; 95% interval {fakes.low:.2f} to "
        f"{fakes.high:.2f}; guessing gives 0.5), by {fakes.best}: the best of {len(fakes.scores)} fixed scores of an "
        "edge's two ends, which anybody can work out. Edges that can be told can be taken out again."
    )
