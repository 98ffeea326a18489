"""Frozen results: a change of the house must not change a digit."""

import json

import pytest

from tests.golden.cases import CASES, place, plain


@pytest.mark.parametrize("name", CASES)
def test_no_digit_changes(name):
    assert plain(CASES[name]()) == json.loads(place(name).read_text())
