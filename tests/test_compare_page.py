"""The page of a comparison in a real browser: sorting, filtering, pointing, and printing."""

import pytest

from tests.browser import ask_page, needs_browser, print_page
from thinveil.auditing.comparison import Assessment, Comparison, Risk
from thinveil.auditing.results import GraphFacts
from thinveil.measures.utility import Measure
from thinveil.report.comparison import build_comparison_page
from thinveil.report.comparison.plane import HEIGHT, WIDTH, lay_out

pytestmark = needs_browser

PLANE = ("degrees", "path-lengths")


def assessment(word, share, distance, **more):
    measures = [Measure(name, name, "", 1.0, 1.0, distance, "") for name in PLANE]
    risk = Risk("identification", share, max(share - 0.05, 0), min(share + 0.05, 1), 400, 0.01)
    return Assessment(word, f"publishes {word}", (risk,), tuple(measures), "", 0.1, None, **more)


COMPARISON = Comparison(
    GraphFacts(1000, 4000, "0" * 64, "calls.csv"),
    (
        assessment("pseudonyms", 0.62, 0.0),
        assessment("sparsify:share=0.3", 0.31, 0.1),
        assessment("switch:share=0.5", 0.4, 0.25),
        assessment("random-graph", 0.0, 0.7),
        Assessment("tmf:epsilon=1", status="failed", why="it would add 700,000,000 fake edges"),
        Assessment("dp-degrees", "publishes a graph of nobody", status="undefined", why="linking is undefined"),
    ),
    PLANE, "identification:node_overlap=0.5,edge_overlap=0.75", 1, 0,
)  # fmt: skip
WORDS = [one.scheme for one in COMPARISON.assessments]


@pytest.fixture(scope="module")
def page():
    return build_comparison_page(COMPARISON)


ROWS = "const rows = () => [...document.querySelectorAll('#schemes tbody tr')].map((row) => row.dataset.scheme);"


def test_a_click_on_a_head_sorts_and_another_turns_the_order_round(page, tmp_path):
    script = (
        ROWS
        + """
        const head = document.querySelectorAll('#schemes thead th')[1], button = head.querySelector('button');
        const found = [rows()];
        button.click(); found.push([head.getAttribute('aria-sort'), rows()]);
        button.click(); found.push([head.getAttribute('aria-sort'), rows()]);
        document.querySelector('#schemes thead th button').click(); found.push(rows());
        return found;"""
    )
    before, up, down, by_name = ask_page(page, tmp_path, script)
    assert before == WORDS
    # what has no number stands last both ways
    assert up == ["ascending", ["random-graph", "sparsify:share=0.3", "switch:share=0.5", "pseudonyms", *WORDS[4:]]]
    assert down == ["descending", ["pseudonyms", "switch:share=0.5", "sparsify:share=0.3", "random-graph", *WORDS[4:]]]
    assert by_name == sorted(WORDS)


def test_what_is_typed_filters_table_and_plane(page, tmp_path):
    script = """
        const filter = document.getElementById('filter');
        filter.value = 'SHARE'; filter.dispatchEvent(new Event('input'));
        const shown = (all) => [...document.querySelectorAll(all)].filter((one) => one.getClientRects().length)
            .map((one) => one.dataset.scheme);
        return [shown('#schemes tbody tr'), shown('.point'), document.getElementById('shown').textContent];"""
    rows, points, words = ask_page(page, tmp_path, script)
    assert rows == ["sparsify:share=0.3", "switch:share=0.5"]
    assert sorted(points) == rows
    assert words == "2 of 6 schemes"


def test_pointing_at_a_scheme_tells_its_line(page, tmp_path):
    script = """
        const point = [...document.querySelectorAll('.point')].find((one) => one.dataset.scheme.startsWith('sparsify'));
        point.dispatchEvent(new MouseEvent('mouseenter'));
        const chosen = [...document.querySelectorAll('tr.chosen')].map((one) => one.dataset.scheme);
        const focus = document.querySelector('.point'); focus.focus();
        return [chosen, document.getElementById('told').textContent, document.activeElement.dataset.scheme];"""
    chosen, told, focused = ask_page(page, tmp_path, script)
    assert chosen == ["sparsify:share=0.3"] or chosen == ["pseudonyms"]
    assert told.startswith(f"{focused}: ")
    assert "were named rightly" in told


def test_the_table_scrolls_and_the_page_does_not(page, tmp_path):
    script = "return [document.documentElement.scrollWidth, innerWidth];"
    for width in (1200, 700):
        scroll, inner = ask_page(page, tmp_path, script, f"--window-size={width},900")
        assert scroll <= inner


def test_it_prints(page, tmp_path):
    assert 1 <= print_page(page, tmp_path) <= 4


def test_points_lie_in_the_plane_and_names_do_not_meet():
    laid = lay_out(COMPARISON)
    assert {point["scheme"] for point in laid["points"]} == set(WORDS[:4])
    for point in laid["points"]:
        assert laid["left"] <= point["x"] <= laid["right"] <= WIDTH
        assert laid["top"] <= point["high"] <= point["y"] <= point["low"] <= laid["bottom"] <= HEIGHT
    assert [words.split(":")[0] for words, _ in laid["limits"]] == ["ceiling", "floor"]
    assert lay_out(Comparison(COMPARISON.graph, COMPARISON.assessments[4:], PLANE, COMPARISON.threat, 1, 0)) is None
