"""What the page says about mistakes."""

import pytest

from tests.reporting import OVERLAPS, Page, make_result, overlap_risk
from thinveil.report.page import build_page
from thinveil.report.sections.mistakes import overlap_sentences, sample_sentence
from thinveil.report.shares import overlap_span


def test_wrong_links_are_weighed_against_all_pairs():
    wrong, right = overlap_sentences(OVERLAPS)
    assert wrong.startswith("Wrong links mostly lead into the right neighbourhood")
    # 14% of the 5,000 pairs reach 0.05, fewer the other cuts
    assert "Of 50 wrong links, 48 (96%, 95% interval 86 to 100%) join people" in wrong
    assert "by 0.05 or more; of all 5,000 pairs of different people 14% (95% interval 13 to 15%) do." in wrong
    assert right == (
        "Two appearances of one person are linked in 1% (95% interval 0.4 to 1.9%) where the overlap is below 0.05, "
        "and in 75% (95% interval 73 to 78%) where the overlap is 0.15 or more."
    )


@pytest.mark.parametrize(
    ("near", "far", "verdict"),
    [
        ((40, 100), (10, 900), "mostly lead into the right"),
        ((40, 100), (60, 900), "more often than chance would: even"),
        ((10, 100), (90, 900), "do not clearly lead"),
        ((0, 100), (100, 900), "less often than chance"),
        ((10, 100), (9, 900), "were linked (95% interval 1.1 to 3.0%): too few"),
        ((1, 100), (0, 900), "compared was linked (95% interval 0.00 to 0.56%): too few"),
        (
            (0, 100),
            (0, 900),
            "None of 1,000 pairs of different people that were compared was linked (95% interval 0.00 to 0",
        ),
    ],
)
def test_the_verdict_follows_the_counts(near, far, verdict):
    risks = [overlap_risk(0.1, 0.15, (0, 0), far), overlap_risk(0.15, None, (0, 0), near)]
    (sentence,) = overlap_sentences(risks)
    assert verdict in sentence


def test_near_is_what_about_a_quarter_of_all_pairs_are_whatever_the_links():
    cuts = (0.1, 0.15, 0.3)
    for wrong in ((0, 0, 60), (60, 0, 0)):
        ranges = zip(cuts, (*cuts[1:], None), wrong, (500, 300, 200), strict=True)
        (sentence, *_) = overlap_sentences([overlap_risk(low, high, (0, 0), (w, n)) for low, high, w, n in ranges])
        assert (
            "overlap by 0.30 or more; of all 1,000 pairs of different people 20% (95% interval 17 to 23%) do"
            in sentence
        )


def test_groups_that_are_not_told_are_left_out():
    risks = [overlap_risk(0.1, 0.15, (0, 0), (30, 900)), overlap_risk(0.15, None, (0, 0), (None, 12))]
    assert "Of 30 wrong links, 30 (100%" in overlap_sentences(risks)[0]


def test_spans():
    assert [overlap_span(risk) for risk in OVERLAPS] == [
        "none", "below 0.05", "0.05 to 0.10", "0.10 to 0.15", "0.15 or more"
    ]  # fmt: skip


def test_the_page_shows_counts_and_shares():
    html = build_page(make_result())
    text = Page(html).text
    assert sample_sentence(OVERLAPS) in text
    for words in ("5,000 pairs of one person, 5,000 of different people", "1,500 of 1,988", "30 of 100", "? of 12"):
        assert words in text
    assert "0.05 to 0.10: not given and 0.75%" in html
    assert "too few" in text


def test_no_overlaps_no_chart():
    page = Page(build_page(make_result(by_overlap=())))
    assert "The data cannot support the rate of 1 in 100 at which this is worked out." in page.text
    assert "Jaccard" not in page.text
    assert overlap_sentences(()) == []
    assert sample_sentence(()) == ""
