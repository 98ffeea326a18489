from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinveil.auditing.settings import Settings
from thinveil.errors import InputError


def test_defaults_are_the_papers():
    paper = {
        "egonets": 100, "min_size": 400, "min_degree": 5,  # Section 4.1, Epinions
        "bins": 70, "bin_size": 15,  # Section 3.3
        "trees": 400, "bag_size": 600,  # Section 4.1
        "candidates": 0.05, "thresholds": 21, "smallest": 0.1,  # Section 3.4: 5%, steps of 0.05, 10%
        "protocol": "paper", "unseen": False, "repeats": 1, "people": None,
    }  # fmt: skip
    defaults = asdict(Settings())
    assert {name: defaults[name] for name in paper} == paper


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "scheme": st.sampled_from(["d4d-1", "d4d-2"]),
            "trees": st.integers(1, 1000),
            "smallest": st.one_of(st.floats(0.01, 1), st.just(1)),
            "unseen": st.booleans(),
            "people": st.one_of(st.none(), st.integers(1, 10**9)),
            "seed": st.integers(0, 2**63 - 1),
        },
    )
)
def test_round_trip(values):
    settings = Settings.from_dict(values)
    assert Settings.from_dict(settings.to_dict()) == settings
    assert None not in settings.to_dict().values()


def test_unknown_names_are_named():
    with pytest.raises(InputError, match="unknown setting 'tree': known are scheme, egonets, min_size"):
        Settings.from_dict({"tree": 10, "trees": 5})


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("trees", 1.5, "int"),
        ("trees", "400", "int"),
        ("trees", True, "int"),
        ("trees", None, "int"),
        ("smallest", "0.1", "float"),
        ("smallest", False, "float"),
        ("unseen", 1, "bool"),
        ("unseen", "no", "bool"),
        ("scheme", 2, "str"),
        ("people", 0.5, r"int \| None"),
        ("people", True, r"int \| None"),
        ("seed", 1.0, "int"),
    ],
)
def test_wrong_types_are_named(name, value, kind):
    with pytest.raises(InputError, match=f"setting {name} = {value!r} is not of type {kind}"):
        Settings.from_dict({name: value})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"protocol": "fair"}, "unknown protocol 'fair': choose one of paper, uniform, matched"),
        ({"repeats": 0}, "repeats = 0: give a number from 1"),
        ({"test_negatives": -5}, "test_negatives = -5: give a number from 1"),
        ({"min_degree": -1}, "min_degree = -1: give a number from 0"),
        ({"people": 0}, "people = 0: give a number from 1"),
        ({"seed": -1}, "seed -1 is not allowed"),
    ],
)
def test_values_out_of_range_are_named(changes, message):
    with pytest.raises(InputError, match=message):
        Settings(**changes)


def test_settings_are_frozen():
    with pytest.raises(AttributeError):
        Settings().trees = 5
