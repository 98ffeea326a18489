"""Dates, decimal commas and delimiters in text files."""

import io
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinveil.errors import GraphFileError, InputError
from thinveil.graph.reading import read_graph
from thinveil.graph.reading.dates import is_date


def times(*texts, delimiter=","):
    lines = [delimiter.join(("1", "2", text)) for text in texts]
    graph = read_graph(io.BytesIO("\n".join(lines).encode()), time=2, delimiter=delimiter)
    return graph.rows.columns["time"]


def message(content, **options):
    with pytest.raises(GraphFileError) as caught:
        read_graph(io.BytesIO(content), **options)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-02", 86_400),
        ("2024-05-01", 1_714_521_600),
        ("2024-05-01T12:30:00Z", 1_714_566_600),
        ("2024-05-01 12:30", 1_714_566_600),
        ("2024-05-01T12:30:15.25Z", 1_714_566_615.25),
        ("2024-05-01T12:30:15,25", 1_714_566_615.25),
        ("2024-05-01T14:30:00+02:00", 1_714_566_600),
        ("2024-05-01T07:00:00-0530", 1_714_566_600),
        ("2024-05-01T14:30+02", 1_714_566_600),
        ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01", -62_135_596_800),
    ],
)
def test_dates_become_seconds_since_1970(text, expected):
    values = times(text, delimiter=";")
    assert values.tolist() == [expected]
    assert values.dtype == (np.int64 if isinstance(expected, int) else np.float64)


moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))


@settings(deadline=None)
@given(st.lists(st.tuples(moments, st.integers(-1439, 1439)), min_size=1, max_size=20))
def test_dates_are_those_of_python(drawn):
    zoned = [moment.replace(tzinfo=timezone(timedelta(minutes=minutes))) for moment, minutes in drawn]
    values = times(*(moment.isoformat() for moment in zoned), delimiter=";")
    start = datetime(1970, 1, 1, tzinfo=UTC)
    assert values == pytest.approx([(moment - start) / timedelta(seconds=1) for moment in zoned], abs=1e-4)


@pytest.mark.parametrize(
    "text",
    ["2024-13-01", "2023-02-29", "2024-00-10", "2024-01-00", "2024-01-01T24:00", "2024-01-01T10:60", "2024-1-1",
     "01.05.2024", "2024-01-01T10:00:61Z", "2024-01-01T10:00+25:00", "2024-01-01T10", "20240101T10:00", "٢٠٢٤-01-01",
     "2024-01-01Z", ""],
)  # fmt: skip
def test_what_is_no_date(text):
    assert not is_date(text)


def test_a_bad_or_mixed_time_is_refused_with_its_line():
    start = b"u;v;t\n1;2;2024-05-01\n1;3;"
    assert ", line 3: '1;3;2024-02-30': the time '2024-02-30' is not a finite number, nor a date such as" in message(
        start + b"2024-02-30\n", time="t"
    )
    assert ", line 3" in message(start + b"1714521600\n", time="t")
    assert "give numbers in all lines, or dates in all" in message(start + b"1714521600\n", time="t")
    assert ", line 3: '1;3;2024-05-01T00:00Z': the time '2024-05-01T00:00Z' is not spelled like that of the first" in (
        message(start + b"2024-05-01T00:00Z\n", time="t")
    )
    numbers = b"u;v;t\n1;2;5\n1;3;2024-05-01\n"
    assert ", line 3: '1;3;2024-05-01': the time '2024-05-01' is not spelled like" in message(numbers, time="t")
    assert "the weight '2024-05-01' is not a finite number" in message(start + b"2024-05-01\n", weight="t")


@pytest.mark.parametrize(
    "content",
    [b"u;v;w\n1;2;1,5\n2;3;2\n", b"u\tv\tw\n1\t2\t1,5\n2\t3\t2\n", b'u,v,w\n1,2,"1,5"\n2,3,2\n', b"1;2;1,5\n2;3;2\n"],
)
def test_decimal_commas(content):
    assert read_graph(io.BytesIO(content), weight=2).rows.columns["weight"].tolist() == [1.5, 2.0]


def test_decimal_commas_beside_text_ids():
    graph = read_graph(io.BytesIO(b"a;b;1,5\nc;d;2,25\n"), weight=2)
    assert graph.node_count == 4
    assert graph.rows.columns["weight"].tolist() == [1.5, 2.25]


@pytest.mark.parametrize("values", [("1,234", "2,500"), ("1.5", "1,5"), ("12,345", "7")])
def test_commas_that_may_mean_two_things_are_refused(values):
    content = f"u;v;w\n1;2;{values[0]}\n1;3;{values[1]}\n".encode()
    assert "may mean two things" in message(content, weight="w")


@pytest.mark.parametrize("values", [("1,234,567", "1"), ("1.234,5", "1"), ("1,", "x,5"), (",", "1")])
def test_other_commas_are_refused(values):
    content = f"u;v;w\n1;2;{values[0]}\n1;3;{values[1]}\n".encode()
    assert "is not a finite number" in message(content, weight="w")


@pytest.mark.parametrize(
    ("name", "parted"),
    [("tab", "\t"), ("\\t", "\t"), ("TAB", "\t"), ("comma", ","), ("semicolon", ";"), ("space", "  "), ("pipe", "|")],
)
def test_delimiters_have_names(name, parted):
    content = "\n".join(parted.join(line) for line in ("ab", "bc")).encode()
    assert read_graph(io.BytesIO(content), delimiter=name).node_count == 3


def test_an_unknown_delimiter_is_refused():
    with pytest.raises(InputError, match=r"delimiter='tabs': one character is needed, or one of tab, "):
        read_graph(io.BytesIO(b"1\t2\n"), delimiter="tabs")


def test_the_value_that_is_bad_is_named_not_another_of_its_line():
    content = b"u;v;w;t\n1;2;1,5;5\n1;3;2,5;x\n"
    assert ", line 3: '1;3;2,5;x': the time 'x' is not" in message(content, weight="w", time="t")
    assert "the source id 'a' is not an integer" in message(b"u;v;w\n1;2;1,5\na;3;2,5\n", weight="w")
