"""The two-graph task in an audit: learning from seeds, and what is told of a release without egos."""

import numpy as np
import pytest

from tests.reporting import Page
from thinveil.attacks import ForestAttack
from thinveil.auditing.audit import _publish, audit
from thinveil.auditing.settings import Settings, check_fit
from thinveil.auditing.trials import Run
from thinveil.errors import InputError, SampleError
from thinveil.features.pairs import Pairs
from thinveil.graph.synthetic import synthetic_graph
from thinveil.report.page import build_page
from thinveil.report.words import bin_words, headline
from thinveil.runtime.progress import Clock
from thinveil.schemes import OverlapScheme, Secret, make_scheme
from thinveil.schemes.base import Published

SMALL = {"attack": "forest", "trees": 30, "train_negatives": 2_000, "test_negatives": 5_000}
EGONETS = {"egonets": 12, "min_size": 60}


@pytest.fixture(scope="module")
def graph():
    return synthetic_graph(2_000, mean_degree=30, seed=2)


@pytest.fixture(scope="module")
def result(graph):
    return audit(graph, "overlap", edge_overlap=0.75, repeats=2, seed=1, **SMALL)


@pytest.fixture
def lessons(monkeypatch):
    """Keep what attacks are given, and give it to them."""
    kept, fit, score = [], ForestAttack.fit, ForestAttack.score

    def spy_fit(self, view, identical, different):
        kept.append((view, identical, different))
        fit(self, view, identical, different)

    def spy_score(self, view, pairs):
        kept.append((view, pairs))
        return score(self, view, pairs)

    monkeypatch.setattr(ForestAttack, "fit", spy_fit)
    monkeypatch.setattr(ForestAttack, "score", spy_score)
    return kept


def keys(pairs):
    return {frozenset(pair) for pair in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}


def test_people_are_found_again(result):
    assert result.found_something
    assert result.categories == ("complete",)
    assert result.auc["complete"].mean > 0.65
    assert result.egos.subgraphs == 0


def test_the_same_seed_gives_the_same_digits(graph, result):
    again = audit(graph, "overlap", edge_overlap=0.75, repeats=2, seed=1, threads=1, **SMALL)
    assert again.rates == result.rates
    assert audit(graph, OverlapScheme(0.25, 0.75), repeats=2, seed=1, **SMALL).rates == result.rates


def test_recorded_settings_show_what_the_scheme_decided(graph, result):
    told = result.settings.to_dict()
    assert (told["seeds"], told["features"], told["categories"]) == (50, ("degrees", "two-hop"), ("complete",))
    assert audit(graph, settings=result.settings, repeats=2).rates == result.rates


@pytest.mark.parametrize(
    ("scheme", "other_graph", "expected"),
    [("overlap", False, 50), ("overlap", True, 0), ("d4d-1", False, 0), ("d4d-2", True, 0), ("mine", False, 0)],
)
def test_defaults_of_the_scheme(scheme, other_graph, expected):
    settings = Settings(scheme=scheme).resolved(other_graph=other_graph)
    assert settings.seeds == expected
    assert settings.features == (("degrees", "two-hop") if scheme == "overlap" else ("degrees",))
    assert settings.resolved() == settings
    assert Settings(scheme=scheme, seeds=7, features=("two-hop",)).resolved().seeds == 7
    assert Settings(scheme=scheme, seeds=7, features=("two-hop",)).resolved().features == ("two-hop",)


@pytest.mark.parametrize(("scheme", "changes"), [("overlap", {}), ("d4d-1", {**EGONETS, "seeds": 30})])
def test_the_attack_gets_the_seeds_pairs_only(graph, scheme, changes):
    settings = Settings.from_dict({**SMALL, **changes, "scheme": scheme, "seed": 3}).resolved()
    known, asked = sides(graph, make_scheme(scheme, **(EGONETS if changes else {})), settings)
    assert known.view is asked.view
    chance, person = np.random.default_rng(0), known.truth.person
    learned, tested = (side.pairs.identical("complete", 10**6, chance) for side in (known, asked))
    seeds = set(person[learned.left].tolist())
    assert len(seeds) == settings.seeds
    assert (person[learned.left] == person[learned.right]).all()
    assert seeds.isdisjoint(person[tested.left].tolist())
    for protocol in ("paper", "uniform", "matched"):
        others = asked.pairs.different(protocol, "complete", 5_000, chance)
        assert seeds.isdisjoint(person[np.append(others.left, others.right)].tolist())
        strangers = known.pairs.different(protocol, "complete", 5_000, chance)
        assert (person[strangers.left] != person[strangers.right]).all()
        # two random rows are two people, near enough; where somebody else is, is known of seeds only
        alone = ~np.isin(person[strangers.left], list(seeds)) & ~np.isin(person[strangers.right], list(seeds))
        assert alone.any() == (protocol != "matched")


def sides(graph, scheme, settings, number=0):
    """What the attack may learn from and what it is asked."""
    run = Run(settings, number, Clock(lambda *_: None, 0), None)
    return _publish(graph, None, scheme, run).sides(settings.protocol)


def test_what_was_learned_is_not_asked(graph, lessons):
    audit(graph, "overlap", seed=1, seeds=20, **SMALL)
    (view, identical, different), (target, asked), (again, people) = lessons
    assert target is again is view
    assert len(identical) == 20
    assert len(different) == SMALL["train_negatives"]
    learned = keys(identical) | keys(different)
    assert not learned & keys(asked)
    seeds = set(identical.left.tolist()) | set(identical.right.tolist())
    for pairs in (asked, people):
        assert seeds.isdisjoint(pairs.left.tolist() + pairs.right.tolist())


def test_seeds_are_drawn_unconditionally(graph):
    """Everybody with rows in both graphs is as likely as anybody else: degrees of seeds are those of all."""
    settings, degrees = Settings(attack="forest", scheme="overlap", seed=5).resolved(), ([], [])
    for number in range(6):
        for side, kept in zip(sides(graph, OverlapScheme(), settings, number), degrees, strict=True):
            kept.extend(side.view.degree[side.pairs.identical("complete", 10**6, np.random.default_rng(1)).left])
    seeds, others = degrees
    assert np.mean(seeds) == pytest.approx(np.mean(others), abs=4 * np.std(others) / np.sqrt(len(seeds)))


def test_no_seeds_means_a_second_release_or_another_graph(graph, lessons):
    audit(graph, "overlap", seeds=0, seed=1, **SMALL)
    audit(graph, "overlap", train_on=synthetic_graph(1_500, mean_degree=30, seed=7), seed=1, **SMALL)
    for (view, identical, _), (target, _), _ in (lessons[:3], lessons[3:]):
        assert view is not target
        assert len(identical) > 100  # everybody's pairs


class Noise:
    """Two real graphs, but who is who is drawn by lot."""

    name = "overlap"

    def settings(self):
        return {}

    def draw(self, graph, *, releases, seed):
        rng = np.random.default_rng(seed)
        return tuple(
            [Published(public, Secret(rng.permutation(secret.people), None)) for public, secret in release]
            for release in OverlapScheme(0.5, 1.0).draw(graph, releases=releases, seed=seed)
        )


def test_noise_is_not_found(graph):
    """Where the truth is drawn by lot the seeds teach nothing, and there is nothing to find."""
    result = audit(graph, Noise(), protocol="matched", seed=1, repeats=8, **SMALL)
    area = result.auc["complete"]
    assert area.mean == pytest.approx(0.5, abs=4 * area.sd / np.sqrt(8))
    assert area.sd < 0.06
    assert not result.found_something


def test_seeds_with_permuted_partners_teach_nothing(graph, monkeypatch):
    fit, rng = ForestAttack.fit, np.random.default_rng(3)

    def mislead(self, view, identical, different):
        sides = np.sort(np.stack((identical.left, identical.right)), axis=0)  # one row per graph
        fit(self, view, Pairs(sides[0], rng.permutation(sides[1])), different)

    honest = audit(graph, "overlap", edge_overlap=1.0, protocol="matched", seed=1, repeats=8, **SMALL)
    monkeypatch.setattr(ForestAttack, "fit", mislead)
    misled = audit(graph, "overlap", edge_overlap=1.0, protocol="matched", seed=1, repeats=8, **SMALL)
    area = misled.auc["complete"]
    assert area.mean == pytest.approx(0.5, abs=4 * area.sd / np.sqrt(8))
    assert honest.auc["complete"].mean > 0.5 + 4 * area.sd


@pytest.mark.parametrize(
    ("scheme", "changes", "error", "message"),
    [
        ("overlap", {"seeds": 10_000}, SampleError, "10,000 of them would be seeds: lower seeds or min_degree"),
        ("overlap", {"unseen": True}, InputError, "seeds = 50 come from the attacked release"),
        ("overlap", {"seeds": -1}, InputError, "seeds = -1: give a number from 0"),
        ("overlap", {"node_overlap": 0.0}, InputError, "node_overlap = 0.0: give a share above 0 and up to 1"),
        ("overlap", {"edge_overlap": 1.5}, InputError, "edge_overlap = 1.5: give a share above 0 and up to 1"),
        ("overlap", {"egonets": 5}, InputError, "scheme overlap takes node_overlap and edge_overlap, not egonets"),
        ("d4d-1", {"edge_overlap": 0.5}, InputError, "scheme d4d-1 takes egonets and min_size, not edge_overlap"),
        ("overlap", {"features": ("degree",)}, InputError, "choose among degrees; two-hop"),
    ],
)
def test_bad_settings_get_one_clear_line(graph, scheme, changes, error, message):
    with pytest.raises(error, match=message) as caught:
        audit(graph, scheme, **changes)
    assert "\n" not in str(caught.value)


def test_seeds_and_another_graph_exclude_each_other(graph):
    with pytest.raises(InputError, match="seeds = 5 are people of the attacked graph: leave train_on out, or seeds"):
        audit(graph, "overlap", seeds=5, train_on=synthetic_graph(500, seed=3))


def test_a_scheme_of_ones_own_takes_no_overlap():
    check_fit("mine", ["egonets", "trees"])
    with pytest.raises(InputError, match="unknown scheme 'mine'"):
        check_fit("mine", ["node_overlap"])


def test_the_page_speaks_of_two_graphs_without_egos(result):
    page = Page(build_page(result))
    assert page.all("h1") == [headline(result)]
    assert "egos" not in page.text.split()
    assert "ego" not in page.text.split()
    for text in (
        "of all people 25% are in both, and of all published edges among these people 75% are in both",
        "those of everybody within two hops, as in Sharad and Danezis (2014), learned from 50 people known in both",
        "Sub-graphs were drawn 2 times: in the two sub-graphs of each draw the attacker knows 50 people",
        "50 people were known to the attacker beforehand",
        "people within two hops with",
    ):
        assert text in page.text
    settings = page.all("code")
    assert {"node_overlap", "edge_overlap", "seeds"} <= set(settings)
    assert not {"egonets", "min_size"} & set(settings)


def test_the_page_says_from_whom_was_learned(graph):
    second = Page(build_page(audit(graph, "overlap", seeds=0, seed=1, **SMALL))).text
    assert "learned from a second release of the same graph" in second
    assert "one release to learn from and another to attack" in second
    known = Page(build_page(audit(graph, "d4d-1", seeds=30, seed=1, **EGONETS, **SMALL))).text
    assert "learned from 30 people known in several sub-graphs" in known
    assert "in 12 sub-graphs of each draw the attacker knows 30 people" in known
    assert "Can the attacker tell who the ego is?" in known
    assert "node_overlap" not in known


def test_components_name_their_channel():
    two = Settings(scheme="overlap", bins=5, bin_size=10)
    assert bin_words(4, two) == "neighbours with more than 40 contacts"
    assert bin_words(5, two) == "people within two hops with 1 to 10 contacts"
    assert bin_words(9, two) == "people within two hops with more than 40 contacts"
    assert bin_words(0, Settings(features=("two-hop",), bin_size=1)) == "people within two hops with 1 contact"
