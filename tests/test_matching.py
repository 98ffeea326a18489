"""From a graph with names to the people behind a release's nodes, and no further than the evidence goes."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.golden.cases import mails
from thinveil import match, train, write_links
from thinveil.attacks.matching import FAR, NEAR, UNKNOWN, Matcher, Ratios, Sightings, gather, matcher
from thinveil.cli import app
from thinveil.errors import InputError, SampleError
from thinveil.features import DegreeHistogram, Labels, Needs, View, label, observe
from thinveil.features.pairs import Pairs
from thinveil.graph import Graph
from thinveil.graph.events import cut_time
from thinveil.graph.synthetic import synthetic_graph
from thinveil.measures.naming import grade
from thinveil.runtime.keys import Key
from thinveil.schemes import D4D2, make_scheme, read_release, seal, write_release

SCHEME = "d4d-1:egonets=20,min_size=60"
ASKED = {"subgraphs": 60, "top": 5, "seed": 1}


def named(graph, prefix="n", order=None):
    """The same graph with other names and, if asked, in another order."""
    order = np.arange(graph.node_count) if order is None else order
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    labels = np.empty(graph.node_count, dtype=object)
    labels[order] = [f"{prefix}{v}" for v in range(graph.node_count)]
    ends = order[source], order[graph.indices]
    return Graph.from_edges(*ends, node_count=graph.node_count, labels=labels.astype(str))


def publish(graph, folder, seed=1):
    """Write a release and read it back, with its truth."""
    made = make_scheme("d4d-1:egonets=4,min_size=60").publish(graph, seed=seed)
    write_release(seal(made, Key.of_seed(seed)), folder / "out", folder / "truth")
    return read_release(folder / "out", folder / "truth")


@pytest.fixture(scope="module")
def graph():
    return named(synthetic_graph(3000, seed=2))


@pytest.fixture(scope="module")
def model(graph):
    return train(graph, SCHEME, attack="forest:trees=30", seed=5)


@pytest.fixture(scope="module")
def published(graph, tmp_path_factory):
    return publish(graph, tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module")
def names(graph, model, published):
    return match(graph, published, model, **ASKED)  # the release's seed, and yet other egos


def test_people_are_found_far_more_often_than_by_guessing(names, published):
    found = grade(names, published, min_degree=5)
    guess = 1 / names["person"].n_unique()  # of rank 1; five candidates have five times the chance
    assert found.top["all"].low > 5 * 5 * guess
    assert found.first["1-hop"].low > 50 * guess
    assert found.first["all"].trials == sum((g.degrees > 5).sum() for g in published.public)
    assert found.first["1-hop"].trials + found.first["2-hop"].trials == found.first["all"].trials


def test_names_are_sorted_ranked_and_no_more_than_asked_for(names, published):
    assert names.columns == ["subgraph", "node", "person", "score", "rank", "agree"]
    assert names.equals(names.sort("subgraph", "node", "rank"))
    groups = names.group_by("subgraph", "node").agg("rank", "score", pl.col("person").n_unique().alias("people"))
    for ranks, scores, people in groups.select("rank", "score", "people").iter_rows():
        assert ranks == list(range(1, people + 1))
        assert people <= 5
        assert scores == sorted(scores, reverse=True)
        assert 0 < sum(scores) < 1  # people and nobody together make 1
    assert names["agree"].is_between(0, 3).all()
    labels = np.concatenate([subgraph.labels for subgraph in published.public])
    assert names["node"].is_in(labels.tolist()).all()


def test_high_scores_are_right_more_often(names, published):
    found = grade(names, published, min_degree=5)
    assert found.precision[0.1].value > found.first["all"].value
    assert sum(rate is not None for rate in found.precision.values()) > 1


def test_same_seed_same_names_on_any_number_of_threads(names, graph, model, published):
    assert match(graph, published, model, **ASKED, threads=1).equals(names)
    best = match(graph, published, model, **{**ASKED, "top": 1}, min_score=0.1)
    assert best.equals(names.filter((pl.col("rank") == 1) & (pl.col("score") >= 0.1)))


def test_only_the_public_half_is_seen(names, graph, model, published):
    assert match(graph, published.without_secret(), model, **ASKED).equals(names)
    with pytest.raises(InputError, match="without the truth nobody can tell which names are right"):
        grade(names, published.without_secret(), min_degree=5)


def test_what_people_are_called_does_not_matter(names, graph, model, published):
    renamed = Graph(graph.indptr, graph.indices, np.char.add("other ", graph.labels))
    again = match(renamed, published, model, **ASKED)
    assert again.with_columns(pl.col("person").str.strip_prefix("other ")).equals(names)


def test_the_order_of_people_does_not_matter(graph, model, tmp_path):
    """Nothing but structure names: with all node numbers permuted people are found as well, though not the same.

    Other egos are drawn, and with them the share found goes from a fifth to three fifths: no closer comparison holds.
    """
    other = named(graph, order=np.random.default_rng(0).permutation(graph.node_count))
    release = publish(other, tmp_path, seed=3)
    names = match(other, release, model, **{**ASKED, "seed": 4})
    found = grade(names, release, min_degree=5)
    assert found.top["1-hop"].low > 5 * 5 / names["person"].n_unique()  # as asked of all above


def test_strangers_score_low(names, model, published):
    stranger = named(synthetic_graph(3000, seed=99))
    wrong = match(stranger, published, model, **{**ASKED, "top": 1})
    right = names.filter(pl.col("rank") == 1)
    assert wrong["score"].mean() < right["score"].mean()
    assert (wrong["score"] > 0.3).sum() < (right["score"] > 0.3).sum()
    assert (wrong["score"] > 0.3).mean() < 0.01  # a degree that nobody else has fits somebody by chance


def test_a_release_of_another_scheme_is_refused(graph, model, published):
    other = replace(model, plan=replace(model.plan, scheme=D4D2()))
    with pytest.raises(InputError, match="was made with d4d-1, the model learned d4d-2: train a model with --scheme"):
        match(graph, published, other)


def test_bad_input_is_named(graph, model, published):
    with pytest.raises(InputError, match="is not a graph"):
        match("graph.csv", published, model)
    with pytest.raises(InputError, match="--top 0 with --min-score 0"):
        match(graph, published, model, top=0)
    with pytest.raises(InputError, match="give 1 or more, and a score from 0 to 1"):
        match(graph, published, model, min_score=1.5)


def test_fewer_sub_graphs_are_cut_out_where_there_are_not_so_many(graph, model, published):
    large = replace(model, plan=replace(model.plan, scheme=replace(model.plan.scheme, min_size=400)))
    assert len(match(graph, published, large, top=1))
    with pytest.raises(SampleError, match=r"and 2,900 are needed: give --subgraphs \d+ "):
        match(graph, published, large, subgraphs=2900)


@pytest.mark.parametrize("attack", ["signature", "strong:rounds=1"])
def test_other_attacks_name_people_too(attack):
    graph = synthetic_graph(1500, seed=3)
    release = make_scheme("d4d-1:egonets=3,min_size=50").publish(graph, seed=4)
    model = train(graph, "d4d-1:egonets=10,min_size=50", attack=attack, train_pairs=2_000, train_negatives=2_000)
    names = match(graph, release, model, subgraphs=12, top=3, seed=2)
    found = grade(names, release, min_degree=5)
    assert found.top["1-hop"].low > 3 * 3 / graph.node_count  # of three that are named
    assert found.precision[0.5].low > 10 * 3 / graph.node_count  # about half are right, where nobody knows the ego


def test_times_are_cut_into_slots_on_both_sides():
    """The graph with names has times of its own; they are cut as those of the release were."""
    graph = mails()
    attack = "forest:trees=10,slots=3,features=degrees+contacts"
    model = train(graph, "d4d-1:egonets=20,min_size=50", attack=attack, min_degree=3)
    release = make_scheme("d4d-1:egonets=3,min_size=50").publish(cut_time(graph, 3), seed=8)
    names = match(graph, release, model, subgraphs=30, top=3)
    assert grade(names, release, min_degree=3).top["all"].low > 3 * 3 / names["person"].n_unique()
    assert match(cut_time(graph, 3), release, model, subgraphs=30, top=3).equals(names)


def test_names_are_for_the_owner_only(names, tmp_path):
    for name in ("links.csv", "links.parquet"):
        write_links(names, tmp_path / name)
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
    assert pl.read_parquet(tmp_path / "links.parquet").equals(names)
    assert pl.read_csv(tmp_path / "links.csv")["person"].to_list() == names["person"].to_list()
    with pytest.raises(InputError, match="choose one of the two endings"):
        write_links(names, tmp_path / "links.txt")


def test_the_best_sightings_of_everybody(crowd):
    release = make_scheme("d4d-1:egonets=130,min_size=20").publish(crowd, seed=1)
    channel = DegreeHistogram(5, 4)
    found = gather(release, Needs((channel,)), min_degree=3, most=3)
    view = observe(release.public, Needs((channel,)), min_degree=3)
    labels = label(release.secret, view)
    every = sorted(
        (int(p), bool(f), -int(d), int(s), v.tolist())
        for p, f, d, s, v in zip(
            labels.person, labels.is_far, view.degree, view.subgraph, view.vectors(channel.name), strict=True
        )
    )
    best = [one for k, one in enumerate(every) if k < 3 or every[k - 3][0] != one[0]]
    for kept in (found, gather(release, Needs((channel,), neighbors=True), min_degree=3, most=3)):
        assert sightings_of(kept, channel) == best
    assert len(found.view) == len(best)  # no others are kept
    assert found.start.tolist() == [k for k, one in enumerate(best) if not k or best[k - 1][0] != one[0]] + [len(best)]


def sightings_of(found, channel):
    vectors = found.view.vectors(channel.name)
    columns = (found.person, found.is_far, -found.view.degree, found.view.subgraph, vectors)
    return [tuple(np.asarray(x).tolist() for x in one) for one in zip(*(c[found.order] for c in columns), strict=True)]


def test_nobody_to_name(ring):
    release = make_scheme("d4d-1:egonets=3,min_size=3").publish(ring, seed=1)
    with pytest.raises(SampleError, match="nobody in the cut-out sub-graphs has more than 5 contacts"):
        gather(release, Needs(), min_degree=5, most=3)


class Told:
    """An attack that says of pairs what it is told to, and remembers what it was asked."""

    def __init__(self, chance):
        self.chance, self.asked = chance, []

    def enter(self, view):
        return self

    def quick(self):
        return self

    def score(self, pairs, question):
        self.asked.append((question, list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))))
        return self.chance[pairs.left, pairs.right]


def view_of(degree):
    """Appearances of which nothing is known but their degrees, one in a sub-graph."""
    degree = np.array(degree, dtype=np.int32)
    number = np.arange(degree.size, dtype=np.int32)
    return View({}, number, np.zeros_like(number), degree)


def odds(chance):
    sure = min(max(chance, 0.001), 0.999)
    return sure / (1 - sure)


def plain_match(published, seen, chance, ratios, *, nearest, shortlist):
    """Return the score of each candidate and how many sightings agree; ``seen`` lists (degree, is far) by person."""
    first = np.cumsum([0, *map(len, seen)])
    weights, agree, rest = {}, {}, 0.0
    for is_far in (False, True):
        people = sorted((p for p in range(len(seen)) if seen[p][0][1] == is_far), key=lambda p: seen[p][0][0])
        low, usual, high = ratios
        fits = [p for p in people if low - 1e-9 <= published / seen[p][0][0] <= high + 1e-9]
        start = sum(seen[p][0][0] < published / usual for p in people) - nearest // 2
        if fits:
            before = people.index(fits[0])
            start = min(max(start, before), max(before, before + len(fits) - nearest))
        near = [p for p in people[start : start + nearest] if p in fits] if fits else []
        boost = len(people) / max(len(fits), 1)
        quick = {p: chance[first[p]] for p in near}
        short = sorted(near, key=lambda p: (-quick[p], p))[:shortlist]
        all_odds = sum(odds(quick[p]) for p in near) * boost
        rest += max(all_odds * len(fits) / max(len(near), 1) - sum(odds(quick[p]) * boost for p in short), 0)
        for p in short:
            chances = [chance[k] for k in range(first[p], first[p + 1])]
            weights[p], agree[p] = odds(max(chances)) * boost, sum(c > 0.5 for c in chances)
    whole = len(seen) + rest + sum(weights.values())
    return {p: (weight / whole, agree[p]) for p, weight in weights.items()}


@given(st.integers(0, 10**6), st.sampled_from([(0.4, 0.8, 1.1), (0.05, 0.5, 20.0), (1.0, 1.0, 1.0)]))
def test_scores_equal_the_plain_twins(seed, ratios):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, size=rng.integers(1, 25))
    drawn = ([(int(rng.integers(6, 40)), bool(rng.random() < 0.5)) for _ in range(count)] for count in counts)
    seen = [sorted(person, key=lambda one: (one[1], -one[0])) for person in drawn]  # the best sighting first
    degrees, far = (np.array([s[k] for person in seen for s in person]) for k in (0, 1))
    published = rng.integers(6, 30, size=4)
    who = np.repeat(np.arange(counts.size, dtype=np.int32), counts)
    sightings = Sightings.of(view_of(degrees), Labels(who, far.astype(bool), who), 3)
    chance = np.zeros((4, 4 + degrees.size))
    chance[:, 4:] = rng.random((4, degrees.size)).round(2)
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(matcher, "NEAREST", 8)
        changed.setattr(matcher, "SHORTLIST", 3)
        found = Matcher(Told(chance), {"complete": Ratios(*ratios)}, "matched", view_of(published), sightings, 4).match(
            np.arange(4), UNKNOWN
        )
    for row in range(4):
        expected = plain_match(published[row], seen, chance[row, 4:], ratios, nearest=8, shortlist=3)
        mine = np.flatnonzero(found.appearance == row)
        assert sorted(found.person[mine].tolist()) == sorted(expected)
        for person, score, agree in zip(found.person[mine], found.score[mine], found.agree[mine], strict=True):
            assert (score, agree) == pytest.approx(expected[person])


def test_the_numbers_of_people_do_not_matter():
    """The same sightings under other numbers: everybody gets the same score, to the digit but for the order of sums."""
    rng = np.random.default_rng(3)
    who, far = rng.integers(20, size=60).astype(np.int32), rng.random(60) < 0.5
    chance = rng.random((5, 65))
    numbers = rng.permutation(20).astype(np.int32)
    tables = []
    for called in (who, numbers[who]):
        sightings = Sightings.of(view_of(np.arange(6, 66)), Labels(called, far, called), 3)
        every = {"complete": Ratios(0.01, 1.0, 100.0)}
        one = Matcher(Told(chance), every, "matched", view_of([9, 12, 30, 41, 8]), sightings, 5)
        found = one.match(np.arange(5), UNKNOWN)
        people = one.person[found.person]
        tables.append(dict(zip(zip(found.appearance.tolist(), people.tolist(), strict=True), found.score, strict=True)))
    renumbered = {(row, int(numbers[person])): score for (row, person), score in tables[0].items()}
    assert tables[1] == pytest.approx(renumbered)
    assert len(renumbered) == 5 * np.unique(who).size


def test_the_right_question_is_asked_of_every_sighting():
    """Categories follow from the hop classes of both sides; where one was not learned, all pairs stand in for it."""
    who, far = np.array([0, 0, 1], dtype=np.int32), np.array([False, True, True])
    sightings = Sightings.of(view_of([10, 10, 10]), Labels(who, far, who), 3)
    every = Ratios(0.1, 1.0, 10.0)
    for learned, hop_class, near, other in [
        (("1-hop", "1,2-hop", "2-hop", "complete"), NEAR, "1-hop", "1,2-hop"),
        (("1-hop", "1,2-hop", "2-hop", "complete"), FAR, "1,2-hop", "2-hop"),
        (("1-hop", "1,2-hop", "2-hop", "complete"), UNKNOWN, "complete", "complete"),
        (("complete", "2-hop"), NEAR, "complete", "complete"),
        (("complete", "2-hop"), FAR, "complete", "2-hop"),
    ]:
        told = Told(np.full((4, 4), 0.7))
        ratios = dict.fromkeys(learned, every)
        Matcher(told, ratios, "paper", view_of([10]), sightings, 1).match(np.arange(1), hop_class)
        asked = {(question.category, pair) for question, pairs in told.asked for pair in pairs}
        assert asked == {(near, (0, 1)), (other, (0, 2)), (other, (0, 3))}
        assert {question.protocol for question, _ in told.asked} == {"paper"}


@pytest.mark.parametrize(("hop_class", "published", "seen"), [(NEAR, 50, [10, 50, 90]), (FAR, 10, [10, 50, 90])])
def test_who_is_further_away_shows_fewer_contacts(hop_class, published, seen):
    """A fifth of a person's contacts is left two hops away: of the degrees seen there, or here, only one fits."""
    who = np.arange(3, dtype=np.int32)
    far = np.full(3, hop_class == NEAR)
    sightings = Sightings.of(view_of(seen), Labels(who, far, who), 3)
    ratios = {"complete": Ratios(0.9, 1.0, 1.1), "1,2-hop": Ratios(0.15, 0.2, 0.25)}
    told = Told(np.full((4, 4), 0.7))
    found = Matcher(told, ratios, "paper", view_of([published]), sightings, 1).match(np.arange(1), hop_class)
    assert [seen[person] for person in found.person] == [10 if hop_class == NEAR else 50]


def test_ratios_of_degrees():
    view = view_of([10, 20, 5, 8])
    labels = Labels(np.zeros(4, dtype=np.int32), np.array([False, True, True, False]), np.zeros(1, dtype=np.int32))
    pairs = Pairs(np.array([0, 2]), np.array([1, 3]))
    both = Ratios.of("complete", view, labels, pairs)  # 10 / 20, 20 / 10, 5 / 8, 8 / 5
    assert both.low == pytest.approx(1 / both.high, rel=0.02)
    assert 0.5 <= both.low <= both.usual <= both.high <= 2
    one_way = Ratios.of("1,2-hop", view, labels, pairs)  # far over near: 20 / 10, 5 / 8
    assert one_way.usual == pytest.approx((2 + 5 / 8) / 2)
    assert one_way.inverted() == pytest.approx((1 / one_way.high, 1 / one_way.usual, 1 / one_way.low))
    assert Ratios.read([0.5, 1, 2]) == Ratios(0.5, 1.0, 2.0)
    for wrong in ([1, 0.5, 2], [0, 1, 2], [1, 2, float("inf")], [1, 2], ["a", "b", "c"], [float("nan"), 1, 2]):
        with pytest.raises(ValueError, match=r"ratios|values|convert"):
            Ratios.read(wrong)


def test_the_commands(graph, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = np.repeat(np.arange(graph.node_count), graph.degrees)
    lines = [f"{graph.labels[u]} {graph.labels[v]}" for u, v in zip(source, graph.indices, strict=True) if u < v]
    (tmp_path / "edges.txt").write_text("\n".join(lines))

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    chosen = ["--scheme", "d4d-1:egonets=4,min_size=60", "--seed", 3]
    assert run("anonymize", "edges.txt", *chosen, "--out", "release", "--truth", "truth").exit_code == 0
    made = run("train", "edges.txt", *chosen, "--attack", "forest:trees=20", "--out", "model")
    assert made.exit_code == 0, made.exception
    assert "scheme d4d-1, attack forest" in made.output
    words = ["match", "edges.txt", "release", "--subgraphs", 60, "--truth", "truth"]
    done = run(*words, "--model", "model", "--out", "links.csv")
    assert done.exit_code == 0, done.exception
    assert "1-hop  rank 1: " in done.output
    assert "score >= 0.1: right " in done.output
    assert pl.read_csv("links.csv")["person"].str.starts_with("n").all()
    refused = [
        ("model", "l.txt", "two endings"),
        ("model", "no/l.csv", "cannot be written"),
        ("truth", "l.csv", "not a thinveil model"),
    ]
    for model, out, message in refused:
        assert message in str(run(*words, "--model", model, "--out", out).exception)
        assert not (tmp_path / out).exists()
