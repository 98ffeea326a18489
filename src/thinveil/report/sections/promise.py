"""What the scheme promises, and whether a test refutes it: declared apart from measured."""

from __future__ import annotations

from markupsafe import Markup

from thinveil.auditing.results import AuditResult
from thinveil.measures.promises import PromiseTest
from thinveil.report.templates import fill


def section(result: AuditResult) -> Markup | None:
    """Show a promise and its test; None where none was tested."""
    found: PromiseTest | None = result.more.get("promise")
    if found is None:
        return None
    return fill("sections/promise.html", declared=declared(found), measured=measured(found), is_broken=found.is_broken,
                is_epsilon=found.kind == "epsilon")  # fmt: skip


def declared(found: PromiseTest) -> str:
    """Say what is promised."""
    if found.kind == "k":
        return f"At least {found.promised:g} people share each {found.unit}."
    return f"Differential privacy with epsilon = {found.promised:g} for one {found.unit}."


def measured(found: PromiseTest) -> str:
    """Say what the test found, and no more."""
    if found.found is None:
        return f"Not tested: {found.why}."
    if found.kind == "k":
        verdict = "The promise is broken." if found.is_broken else "The promise is kept in this release."
        return f"The smallest group that was counted has {found.found:g}. {verdict}"
    guessed = (
        f"Of {found.canaries:,} pairs of people for whom a coin decided whether they are contacts, {found.guesses:,} "
        f"coins were guessed from what was published, {found.right:,} of them rightly."
    )
    bound = f"That refutes every epsilon below {found.found:.2f} with {100 * found.confidence:.0f}% confidence"
    if found.is_broken:
        return f"{guessed} {bound}: the scheme, or its code, breaks its promise."
    most = "" if found.ceiling is None else f" So many guesses could not refute more than {found.ceiling:.1f}."
    return f"{guessed} {bound}: the promise is not refuted, which does not prove it.{most}"
