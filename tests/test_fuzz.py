"""A few seconds of fuzzing for every reader; ``make fuzz`` runs for hours."""

import pytest

from tests.fuzz.running import run_target
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS
from tests.fuzz.worker import problem_of
from thinveil.errors import InputError

_SECONDS = 60  # of all targets together


@pytest.mark.parametrize("name", TARGETS)
def test_every_reader_refuses_hostile_input_in_one_clear_line(name):
    # the examples are read first, and some of them compile: that time is not counted
    found = run_target(name, seed=0, cases=20_000, seconds=_SECONDS / len(TARGETS))
    assert found.cases
    assert found.problems == []


def test_the_same_seed_and_number_make_the_same_case():
    for target in TARGETS.values():
        examples = target.examples()
        assert target.case(examples, 3, 7) == target.case(examples, 3, 7)


@pytest.mark.parametrize(
    ("error", "is_problem"),
    [(InputError("no"), False), (InputError("no\nno"), True), (KeyError("x"), True), (MemoryError(), True)],
)
def test_only_an_error_of_our_own_in_one_line_passes(error, is_problem):
    def read(data):
        raise error

    assert (problem_of(Target("mine", lambda: [b""], read), b"") is not None) is is_problem
