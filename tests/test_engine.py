"""Engines: nothing about where a draw runs changes its result, and what goes wrong there is told here."""

import os
import pickle

import pytest

from tests.auditing import FOREST, small, without
from tests.jobs import fail_at_two, leave, where
from thinveil.auditing.audit import audit
from thinveil.auditing.draw import run_draw
from thinveil.auditing.plan import Plan
from thinveil.errors import InputError, ModelError, ReleaseError, SampleError, ThinveilError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.engines import LocalEngine, Outcome
from thinveil.runtime.parameters import show_value
from thinveil.runtime.threads import limit_threads, thread_count

FEW = {
    "attack": FOREST,
    "categories": ("1-hop", "complete"),
    "train_negatives": 2_000,
    "test_negatives": 2_000,
    "test_pairs": 300,
    "seed": 3,
}
TWO = LocalEngine(jobs=2)


@pytest.fixture(scope="module")
def village():
    return synthetic_graph(2_000, seed=4)


def plain(result):
    return without(result.to_dict(), "seconds")


@pytest.fixture(scope="module")
def audits(village):
    """The same audit by one process and by two, and the progress that each of them told."""
    made = []
    for engine in ("local", TWO):
        steps = []
        result = audit(
            village, small("d4d-1"), repeats=2, engine=engine,
            on_progress=lambda stage, done, total, told=steps: told.append((done, total)), **FEW,
        )  # fmt: skip
        made.append((result, steps))
    return made


def test_jobs_run_here_one_after_another():
    engine, done = LocalEngine(), []
    for job, value in engine.map(lambda job: done.append(job) or 2 * job, range(3)):
        assert (done[-1], value) == (job, 2 * job)
    assert done == [0, 1, 2]
    assert list(engine.map(divmod, [2, 3], given=(7,))) == [Outcome(2, (3, 1)), Outcome(3, (2, 1))]
    assert list(engine.map(divmod, [])) == []


def test_several_jobs_run_in_processes_of_their_own():
    with limit_threads(6):
        found = {outcome.job: outcome.value for outcome in TWO.map(where, range(4), given=("a graph",))}
    assert {job: value[3] for job, value in found.items()} == {job: job for job in range(4)}
    assert {value[2] for value in found.values()} == {"a graph"}
    assert os.getpid() not in {value[0] for value in found.values()}
    assert {value[1] for value in found.values()} == {3}, "the threads are shared out"


def test_one_job_needs_no_other_process():
    ((_, (process, threads, *_)),) = TWO.map(where, [1], given=(None,))
    assert (process, threads) == (os.getpid(), thread_count())


@pytest.mark.parametrize("engine", [LocalEngine(), TWO])
def test_an_error_in_a_job_surfaces(engine):
    with pytest.raises(SampleError, match=r"^two is not enough$"):
        list(engine.map(fail_at_two, range(4)))


def test_a_process_that_dies_is_told_in_one_line():
    with pytest.raises(ThinveilError, match="process") as caught:
        list(TWO.map(leave, range(2)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [ThinveilError, InputError, SampleError, ModelError, ReleaseError])
def test_errors_come_back_from_another_process(kind):
    error = pickle.loads(pickle.dumps(kind("why")))
    assert (type(error), str(error)) == (kind, "why")


def test_an_audit_is_the_same_to_the_digit(audits):
    (one, _), (two, _) = audits
    assert plain(one) == plain(two)
    assert (one.people.linked == two.people.linked).all()
    assert all((one.roc[name].tpr == two.roc[name].tpr).all() for name in one.roc)
    assert set(two.seconds) == set(one.seconds)
    assert two.category_seconds.keys() == one.category_seconds.keys()
    assert "jobs" not in str(two.plan.tables())  # it decides no number


@pytest.mark.parametrize("number", [0, 1])
def test_progress_is_told_wherever_a_draw_runs(audits, number):
    _, steps = audits[number]
    assert steps
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


def test_a_draw_depends_on_its_number_alone(village):
    plan = Plan.make(small("d4d-2"), repeats=9, **FEW).resolved()
    first, again, other = (pickle.loads(pickle.dumps(run_draw(plan, village, None, k))) for k in (1, 1, 0))
    for one, two in zip(first.trials, again.trials, strict=True):
        assert (one.positives == two.positives).all()
        assert (one.negatives == two.negatives).all()
    assert first.trials[0].negatives.tolist() != other.trials[0].negatives.tolist()
    assert first.seconds


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True])
def test_bad_numbers_of_jobs_are_named(jobs):
    with pytest.raises(InputError, match=f"local: jobs = {show_value(jobs)}: give a whole number"):
        LocalEngine(jobs=jobs)
