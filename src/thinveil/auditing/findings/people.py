"""Each person's own risk."""

from __future__ import annotations

from thinveil.auditing.findings.pooled import Pooled
from thinveil.auditing.results import HEADLINE_FPR
from thinveil.auditing.trials import most_left_open
from thinveil.measures.people import PeopleTable, PersonRisks, risk_of_people
from thinveil.runtime.streams import stream


def find_risk(pooled: Pooled) -> PersonRisks | None:
    """Return what may be told of people's risks."""
    tables, plan = _tables(pooled), pooled.plan
    if not tables:
        return None
    chance, left_open = stream(plan.seed, "intervals of people"), most_left_open(pooled.complete)
    degree = plan.sampling.min_degree
    return risk_of_people(tables, fpr=HEADLINE_FPR, min_degree=degree, chance=chance, left_open=left_open)


def find_people(pooled: Pooled) -> PeopleTable | None:
    """Return who was linked how often: for the custodian alone."""
    tables = _tables(pooled)
    return PeopleTable.pool(tables) if tables else None


def _tables(pooled: Pooled) -> list[PeopleTable]:
    """Return who was linked how often in each draw; nothing at all where one draw cannot tell."""
    found = [trial.table for trial in pooled.complete if trial.table is not None]
    return found if len(found) == len(pooled.complete) else []
