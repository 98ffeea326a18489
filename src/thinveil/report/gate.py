"""A limit that a release must not exceed, for pipelines that publish by themselves."""

from __future__ import annotations

from typing import Any

from thinveil.auditing.results import AuditResult
from thinveil.errors import InputError
from thinveil.report.shares import one_in
from thinveil.report.words import telling_rate, upper_bounds


def check_limit(result: AuditResult, limit: float) -> str | None:
    """Return in one line why a release exceeds a limit; None where it does not.

    What counts is the largest share that the 95% intervals allow: of pairs of appearances, of people, and of names
    where names are put on nodes. An audit that cannot tell exceeds every limit.

    Parameters
    ----------
    result
        What the audit found.
    limit
        A share from 0 to 1.

    Examples
    --------
    >>> from thinveil.auditing.audit import audit
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> result = audit(synthetic_graph(3000, seed=1), "d4d-1:egonets=10,min_size=50", attack="forest:trees=20")
    >>> check_limit(result, 1.0), check_limit(result, 0.01) is None
    (None, False)
    """
    if not 0 <= limit <= 1:
        raise InputError(f"--fail-above {limit:g} (limit={limit:g}): give a share from 0 to 1, such as 0.05")
    upper = upper_bounds(result) if telling_rate(result) is not None else None
    if upper is None:
        return f"above {limit:.1%}, as far as this audit can tell: it was too small to say anything"
    shares = {"pairs of appearances": upper["pairs"], "people": upper["people"], "names": _names(result)}
    known = {name: share for name, share in shares.items() if share is not None}
    worst = max(known, key=lambda name: known[name])
    if known[worst] <= limit:
        return None
    share = "of names" if worst == "names" else f"of {worst}, while wrongly linking {one_in(upper['fpr'])}"
    return f"above {limit:.1%}: up to {known[worst]:.1%} {share} (95% confidence)"


def _names(result: AuditResult) -> float | None:
    """Return the largest share of people who may be named rightly."""
    found: Any = result.more.get("identification")
    right = found.groups[0].right if found is not None and found.groups else None
    return None if right is None else float(right.high)
