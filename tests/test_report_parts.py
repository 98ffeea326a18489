"""The parts of the page that not every result has: other attacks, people, rounds, lessons."""

import csv
import stat
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from tests.reporting import (
    COMPARED,
    LEARNED,
    LESSON,
    ROUNDS,
    Page,
    make_beside,
    make_full_result,
    make_result,
    make_risks,
    rows,
    with_hits,
)
from thinveil.attacks import Lesson
from thinveil.auditing.plan import Plan
from thinveil.auditing.results import GraphFacts, LinkRound
from thinveil.cli.table import print_result
from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.measures.people import PeopleTable
from thinveil.measures.rates import share_bounds
from thinveil.report import check_people_place, write_people
from thinveil.report.page import build_page
from thinveil.report.plans import attack_sentence
from thinveil.report.sections.beside import attack_rows
from thinveil.report.sections.limits import limits
from thinveil.report.sections.people import exposed_sentences, group_rows
from thinveil.report.sections.risks import risks
from thinveil.report.sections.rounds import mean_rounds, rounds_sentence
from thinveil.report.spans import percent_range
from thinveil.report.whereabouts import TWO_GRAPHS
from thinveil.report.words import interval_sentence, people_sentence, upper_bounds, worst_sentence
from thinveil.schemes import D4D2


def heads(result):
    return Page(build_page(result)).all("h2")


def test_every_part_has_its_place():
    assert heads(make_full_result()) == [
        "How many are re-linked", "Compared with other attacks", "The whole trade-off", "What a claimed link is worth",
        "Who is at risk", "The risk of each person", "In the words of data protection",
        "Links that support each other", "Where wrong links lead", "Can the attacker tell who the ego is?",
        "What the attack learned", "What these numbers do not prove", "How to repeat it",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "head"),
    [
        ({"plan": COMPARED, "beside": make_beside()}, "Compared with other attacks"),
        ({"risk": make_risks()}, "The risk of each person"),
        ({"rounds": (ROUNDS,)}, "Links that support each other"),
        ({"lesson": Lesson(channels=LEARNED)}, "What the attack learned"),
        ({"lesson": LESSON}, "What the attack learned"),
    ],
)
def test_each_part_stands_alone(changes, head):
    bare = {"lesson": Lesson()}
    assert head in heads(make_result(**{**bare, **changes}))
    assert head not in heads(make_result(**bare))


def test_attacks_are_compared_at_one_rate():
    result = make_full_result()
    lines = [row for row in rows(build_page(result)) if len(row) == 7 and row[1] in ("paper", "matched")]
    assert [row[0].split()[0] for row in lines] == ["strong"] * 2 + ["forest"] * 2 + ["signature"] * 2
    assert [row[1] for row in lines] == ["matched", "paper", "paper", "matched", "paper", "matched"]
    assert all(
        attack.title in unescape(line[0])
        for attack, line in zip((COMPARED.attack, *COMPARED.beside), lines[::2], strict=True)
    )
    own = result.rate("complete", 0.001)
    assert lines[0][5] == f"{100 * own.tpr:.2f}% {percent_range(own.low, own.high)}"
    assert attack_rows(result)[0].is_main
    assert attack_rows(make_result(positives=0, plan=COMPARED, beside=make_beside())) == []
    empty = (replace(result.beside[0], rates=(), auc={}), *result.beside[1:])
    assert [cell.main for cell in attack_rows(replace(result, beside=empty))[1].cells] == ["no such pairs"] * 4


def test_two_attacks_of_one_name_are_told_apart():
    plan = Plan.make(attack="forest:trees=50", beside=("forest:trees=400",))
    names = [row.attack for row in attack_rows(make_result(plan=plan, beside=make_beside(plan)))]
    assert names == ["forest:trees=50", "forest:trees=50", "forest", "forest"]


def test_people_in_words():
    one, three = make_risks(), make_risks(draws=3)
    assert "about 530 would be re-linked (95% interval 501 to 561)" in people_sentence(one)
    together = "That allows for people who share sub-graphs being re-linked or missed together."
    assert people_sentence(one).endswith(f"chosen at random. {together}")
    assert people_sentence(one, TWO_GRAPHS).endswith("That counts people as independent.")
    assert "(95% interval 501 to 561, widened to hold all 3 draws)" in people_sentence(three)
    apart = replace(three, shares=(0.2, 0.265, 0.33))
    assert "(95% interval 400 to 660, widened" in people_sentence(apart)
    assert people_sentence(None) == ""
    ever, sure, hops = exposed_sentences(one)
    assert ever.startswith(
        "1,240 of them (62%, 95% interval 59 to 65%) were linked in at least one of the pairs compared"
    )
    assert sure == "Of 90 of them more than 90% of the pairs compared were linked."
    assert "a risk of 72% (95% interval 69 to 75%) on average" in hops
    assert [row[1] for row in group_rows(one)] == ["400", "1,600", "1,100", "900"]
    nobody = replace(one, relinked=0.0, low=0.0, ever=0.0, bins=(0.0,) * 10, by_hops=())
    assert "none was re-linked between" in people_sentence(nobody)
    assert people_sentence(nobody).endswith(
        f"With 95% confidence this attack would re-link at most 561 of them. {together}"
    )
    (sentence,) = exposed_sentences(nobody)
    assert sentence.startswith("None of 2,000 people was linked in any")
    assert "not what cannot be found" in sentence
    assert "less than 1 of them" in exposed_sentences(replace(one, bins=(0.0,) * 9 + (0.25,)))[1].replace("Of ", "")
    assert "compared, less than 1 would be re-linked" in people_sentence(replace(one, relinked=0.2, low=0.0))
    assert "compared, nearly all would be re-linked" in people_sentence(replace(one, relinked=1_999.8, high=2_000.0))


def test_draws_of_different_numbers_of_people_never_tell_more_than_there_are():
    # 95 of 100 people in one draw, none of 20 in the other
    uneven = replace(
        make_risks(draws=2), people=60.0, relinked=47.5, low=30.0, high=55.0, draws=(95.0, 0.0), shares=(0.95, 0.0)
    )  # fmt: skip
    assert "Of 60 people who could be compared" in people_sentence(uneven)
    assert "(95% interval 0 to 57, widened to hold all 2 draws)" in people_sentence(uneven)
    told = upper_bounds(make_full_result(draws=2, risk=uneven))
    assert told["people"] == pytest.approx(0.95)


def test_of_a_few_people_nothing_is_said():
    few = replace(make_risks(), people=29.0, relinked=29.0, high=29.0, independent=29)
    assert people_sentence(few) == "Only 29 people could be compared: too few to say how many would be re-linked."
    assert exposed_sentences(few) == []
    assert people_sentence(replace(few, people=1.0, independent=1)).startswith("Only 1 person could")
    assert "Only 29 people could be compared" in Page(build_page(make_full_result(risk=few))).text


def test_the_terminal_is_never_surer_than_the_page(tmp_path, capsys):
    result = make_full_result(share=0.0, positives=48)
    print_result(result, tmp_path / "report.html")
    shown = " ".join(capsys.readouterr().out.split())
    assert "at most 8 of 100 times" in shown
    assert "This does not mean that nobody can be found" in shown
    assert "0.0 0.0 0.0 0.0 0.0 0.900 0.0-7.4 0.0-7.4" in shown
    tiny = with_hits(1)
    print_result(make_result(rates=tiny), tmp_path / "report.html")
    assert "<0.1" in capsys.readouterr().out
    print_result(make_full_result(share=1.0, positives=12), tmp_path / "report.html")
    shown = " ".join(capsys.readouterr().out.split())
    assert "12 of 12" in shown
    assert "73.5-100.0" in shown
    assert "too few" in shown


def test_people_stand_in_the_head_and_on_the_terminal(tmp_path, capsys):
    result = make_full_result()
    page = Page(build_page(result))
    assert page.text.count("Of 2,000 people who could be compared") == 2
    assert "Averaged person by person" not in page.text
    print_result(result, tmp_path / "report.html")
    shown = " ".join(capsys.readouterr().out.split())
    assert "Of 2,000 people who could be compared, about 530 would be re-linked" in shown
    assert "signature matched 3.2 1.6 0.8 0.8 0.800 2.8-3.6 1.3-1.9 0.6-1.0 0.6-1.0 0.760-0.840" in shown
    print_result(make_result(), tmp_path / "report.html")
    assert "Compared with other attacks" not in capsys.readouterr().out


def test_the_terminal_prints_names_as_they_are(tmp_path, capsys):
    class Odd(D4D2):
        name = "odd[bold]:cat:"

    print_result(make_result(plan=Plan.make(Odd(), "forest:features=degrees")), tmp_path / "[red]" / "report.html")
    shown = "".join(capsys.readouterr().out.split())
    assert "schemeodd[bold]:cat:" in shown
    assert "[red]/report.html" in shown


def test_rounds_are_averaged_over_draws():
    rounds = mean_rounds([ROUNDS, ROUNDS[:2]])
    assert [each.people for each in rounds] == [120, 410, 555, 585]
    assert rounds[-1].precision[0] == (3_240 + 930) / (3_500 + 980)
    three = mean_rounds([(LinkRound(1, 3, 3, 3, 40),)])
    # the three links of one person are one trial: they cannot be sure
    assert three[0].precision == (1.0, *share_bounds(1.0, 1))
    assert "Of the 3 links that this claims, 100% (95% interval 2 to 100%) are right" in rounds_sentence(three)
    assert "After 4 rounds the attack had put 2,600 appearances together as 760 people." in rounds_sentence(
        mean_rounds([ROUNDS])
    )
    table = [row for row in rows(build_page(make_full_result())) if len(row) == 6 and row[0] in "1234"]
    assert table[0] == ["1", "120", "260", "160", "96.88% 91.68 to 99.49%", "1.72% 1.42 to 2.08%"]
    nothing = (LinkRound(0, 0, 0, 0, 40),)
    # whether a hundred links are one trial or a hundred, nothing tells
    assert (mean_rounds([nothing])[0].precision, mean_rounds([nothing])[0].recall) == (None, None)
    assert (nothing[0].precision, nothing[0].recall) == (None, 0.0)
    assert LinkRound(0, 0, 0, 0, 0).recall is None
    assert "No two appearances" in Page(build_page(make_result(rounds=(nothing,)))).text
    assert mean_rounds([(), ()]) == []


def test_lessons_come_largest_first():
    html = build_page(make_full_result())
    lines = [[unescape(cell) for cell in row[:2]] for row in rows(html) if len(row) == 3 and row[2] == ""]
    assert lines == [[words, f"{100 * share:.0f}%"] for words, share in sorted(LEARNED, key=lambda pair: -pair[1])]
    assert "width: 100.0%" in html
    assert "The 2 comparisons that decided most" in html


def test_words_of_the_strong_attack():
    result = make_full_result()
    told = attack_sentence(result)
    assert told.startswith(COMPARED.attack.describe())
    assert told.endswith("It learned from a second release of the same graph, around other people.")
    assert ("Other attacks may do better.", "These are 3 attacks. A better one may exist, today or later.") in limits(
        result
    )


def test_intervals_say_what_they_know():
    many = make_result()
    one = make_result(rates=tuple(replace(rate, subgraph_pairs=1) for rate in many.rates))
    assert "pairs of one person, or in one sub-graph," in interval_sentence(many)
    assert "as independent" in interval_sentence(one)
    claims = [dict(limits(result))["The intervals do not cover all that chance can do."] for result in (many, one)]
    assert "of one person, or in one sub-graph," in claims[0]
    assert claims[1].startswith("Pairs of appearances count as independent")
    assert "all 3 draws of egos" in worst_sentence(make_result(draws=3))


@pytest.fixture
def listed():
    """A graph with names, and a result that knows who is at risk."""
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], labels=np.array(["dora", "carl", "bea, the 2nd", "ada"]))
    columns = ([2, 3, 2], [7, 9, 8], [2, 1, 1], [1, 3, 1], [0, 1, 1])
    table = PeopleTable(np.array([0, 2, 3], dtype=np.int32), *(np.array(column) for column in columns))
    return graph, make_full_result(graph=GraphFacts.of(graph), people=table)


def test_the_custodian_gets_names(listed, tmp_path):
    graph, result = listed
    write_people(result, graph, tmp_path / "people.csv")
    with open(tmp_path / "people.csv", newline="") as file:
        lines = list(csv.reader(file))
    assert lines == [
        ["person", "appearances", "largest_degree", "closest_hop", "pairs_compared", "pairs_linked", "risk"],
        ["ada", "2", "8", "1", "1", "1", "1.0000"],
        ["bea, the 2nd", "3", "9", "1", "3", "1", "0.3333"],
        ["dora", "2", "7", "2", "1", "0", "0.0000"],
    ]
    assert stat.S_IMODE((tmp_path / "people.csv").stat().st_mode) == 0o600


def test_without_names_or_egos(listed, tmp_path):
    _, result = listed
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
    result = replace(result, graph=GraphFacts.of(graph), people=replace(result.people, hops=None))
    write_people(result, graph, tmp_path / "people.csv")
    assert (tmp_path / "people.csv").read_text().splitlines()[1] == "3,2,8,,1,1,1.0000"


def test_no_names_where_there_is_nothing_to_tell(listed, tmp_path):
    graph, result = listed
    with pytest.raises(InputError, match="cannot support: give a larger --set test_negatives="):
        write_people(replace(result, people=None), graph, tmp_path / "people.csv")
    with pytest.raises(InputError, match="not the graph that was audited"):
        write_people(result, Graph.from_edges([0, 1], [1, 2]), tmp_path / "people.csv")
    with pytest.raises(InputError, match="cannot support"):
        check_people_place(tmp_path / "people.csv", Plan.make(test_negatives=999))
    with pytest.raises(InputError, match="is a folder: name a file with --per-person"):
        check_people_place(tmp_path, Plan.make())
    with pytest.raises(InputError, match="must not lie in the folder of the report"):
        check_people_place(tmp_path / "report" / "people.csv", Plan.make(), tmp_path / "report")
    assert list(tmp_path.iterdir()) == []


def test_risks_are_told_in_the_words_of_data_protection(town_audit):
    told = dict(risks(town_audit))
    assert list(told) == ["Linkability", "Singling out", "Inference"]
    assert "lower estimate, for this attacker" in told["Linkability"]
    assert "while wrongly linking 1 in 1,000 pairs" in told["Linkability"]
    assert "number of contacts" in told["Singling out"]
    assert told["Inference"].startswith("Not measured.")
    few = dict(risks(make_result(positives=12)))
    assert few["Linkability"] == "Too few people could be compared to say anything."
