"""CSV files that no spreadsheet takes for a program, and that come back as they were."""

import csv
import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinveil import write_links
from thinveil.runtime.csvtext import guard_text, guarded_csv, read_guarded

HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", '"=1', "'=1", "＝1", "＋1", "－1", "＠1",
           "\ufeff=1", "\u00a0=1", "\u200b=1", "\x00=1", "%=1", ",=1", ";=1", "|=1"]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_begins_like_a_formula(text):
    assert guard_text(text) == "'" + text
    assert read_guarded(guard_text(text)) == text


@pytest.mark.parametrize("text", ["", "anna", "7", "é", "_x", "http://x.org/", "a=1", "n-1"])
def test_plain_texts_stay(text):
    assert guard_text(text) == text


@given(st.text())
def test_every_text_comes_back(text):
    guarded = guard_text(text)
    assert read_guarded(guarded) == text
    assert not guarded.lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_a_table_comes_back(texts):
    content = guarded_csv(pl.DataFrame({"person": texts, "rank": range(len(texts))}))
    head, *lines = csv.reader(io.StringIO(content.decode(), newline=""))
    assert head == ["person", "rank"]
    assert [(read_guarded(text), int(rank)) for text, rank in lines] == [(t, k) for k, t in enumerate(texts)]


def test_a_text_that_a_spreadsheet_would_split_stands_in_quotes():
    content = guarded_csv(pl.DataFrame({"person": ["a;=1", "b"], "risk": [-1.0, 0.5]}))
    assert content == b'person,risk\n"a;=1",-1.0\n"b",0.5\n'


def test_links_with_hostile_names(tmp_path):
    table = {"subgraph": 0, "node": range(len(HOSTILE)), "person": HOSTILE, "score": 0.5, "rank": 1, "agree": 1}
    write_links(pl.DataFrame(table), tmp_path / "links.csv")
    with (tmp_path / "links.csv").open(newline="", encoding="utf-8") as file:
        assert [line["person"] for line in csv.DictReader(file)] == ["'" + name for name in HOSTILE]
    write_links(pl.DataFrame(table), tmp_path / "links.parquet")
    assert pl.read_parquet(tmp_path / "links.parquet")["person"].to_list() == HOSTILE


def test_negative_numbers_stay_numbers(tmp_path):
    table = pl.DataFrame({"subgraph": [0], "node": [1], "person": [-5], "score": [0.5], "rank": [1], "agree": [1]})
    write_links(table, tmp_path / "links.csv")
    assert (tmp_path / "links.csv").read_text().splitlines()[1] == "0,1,-5,0.5,1,1"
