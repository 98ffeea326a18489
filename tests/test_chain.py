"""Schemes one after the other: words, people, egos, room, files."""

import numpy as np
import pytest

from tests.test_whole_schemes import TOWN, edges
from thinveil.auditing.audit import audit
from thinveil.auditing.plan import Plan
from thinveil.auditing.suiting import suit
from thinveil.cli.table import rates_table
from thinveil.errors import InputError, SampleError
from thinveil.graph.synthetic import synthetic_graph
from thinveil.report.page import build_page
from thinveil.schemes import NOBODY, SCHEMES, Chain, Secret, make_scheme, read_release, scheme_of_release, write_release
from thinveil.schemes.chain import followed

WORD = "sparsify:share=0.3+d4d-1:egonets=5,min_size=40"


def test_words_make_chains_and_chains_make_words():
    chain = make_scheme(WORD)
    assert isinstance(chain, Chain)
    assert SCHEMES.word(chain) == WORD
    assert SCHEMES.make(SCHEMES.table(chain)) == chain == make_scheme(SCHEMES.word(chain))
    assert SCHEMES.is_known(chain)
    three = make_scheme("sparsify + switch:share=0.2 + pseudonyms")
    assert three.steps == ("sparsify", "switch:share=0.2", "pseudonyms")
    assert SCHEMES.left_open(WORD) == ("most_nodes",)
    assert SCHEMES.left_open("sparsify+d4d-2:egonets=5") == ("min_size", "most_nodes")
    assert SCHEMES.left_open(SCHEMES.table(chain)) == ()


@pytest.mark.parametrize(("word", "words"), [
    ("sparsify+d4d2", "unknown scheme 'd4d2': did you mean 'd4d-2'"), ("sparsfy+d4d-2", "unknown scheme 'sparsfy"),
    ("sparsify:share=2+d4d-2", "up to 1"), ("sparsify:share=0.1+0.2", "share"), ("sparsify+", "unknown scheme ''"),
    ("chain+d4d-2", "chain"),
])  # fmt: skip
def test_words_that_are_no_chain_are_refused(word, words):
    with pytest.raises(InputError, match=words):
        make_scheme(word)


def test_one_step_is_no_chain():
    with pytest.raises(InputError, match="give two schemes or more"):
        Chain(("sparsify",))


def test_people_are_followed_through_all_steps():
    true = edges(TOWN)
    release = make_scheme(WORD).publish(TOWN, seed=1)
    assert release.scheme == WORD
    for k in range(5):
        public, secret = release.public[k], release.secret[k]
        ends = np.repeat(np.arange(public.node_count), public.degrees)
        pairs = zip(secret.people[ends].tolist(), secret.people[public.indices].tolist(), strict=True)
        found = {frozenset(pair) for pair in pairs}
        assert found <= true
        assert secret.ego == release.centers[k] == release.egos[k]


def test_each_release_is_drawn_anew_around_other_people():
    chain = make_scheme("sparsify:share=0.1+d4d-1:egonets=300,min_size=20")
    first = chain.publish(TOWN, seed=1)
    second = chain.publish(TOWN, seed=1, avoid=[first])
    assert not set(first.egos.tolist()) & set(second.egos.tolist())
    assert np.array_equal(first.egos, chain.publish(TOWN, seed=1).egos)


def test_a_chain_is_suited_to_a_small_graph():
    small = synthetic_graph(300, seed=1)
    plan = Plan.make("sparsify+d4d-2", threat="linkage")
    suited = suit(plan, small)
    assert suited.scheme.steps[1].startswith("d4d-2:egonets=")
    assert len(suited.scheme.publish(small, seed=3)) == len(suited.scheme.publish(small, seed=3).egos)
    assert Plan.from_tables(suited.tables()).scheme == suited.scheme
    assert make_scheme(WORD).resized(7).steps[1] == "d4d-1:egonets=7,min_size=40"
    with pytest.raises(SampleError, match=r"give --scheme sparsify\+d4d-2:min_size=.*scheme=\"sparsify\+d4d-2"):
        make_scheme("sparsify+d4d-2").publish(small, seed=1)


def test_only_the_last_scheme_may_publish_several_graphs():
    with pytest.raises(InputError, match="d4d-1 publishes 5 sub-graphs, and the next scheme wants one graph"):
        make_scheme("d4d-1:egonets=5,min_size=40+sparsify").publish(TOWN, seed=1)


def test_made_up_and_merged_people_are_followed():
    before = Secret(np.array([4, NOBODY, 2, 7]), others=np.array([[0, 3], [5, 6]]))
    last = Secret(np.array([3, 0, 1]), hops=np.array([0, 1, 1]))
    both = followed(last, before)
    assert both.people.tolist() == [7, 4, NOBODY]
    assert sorted(map(tuple, both.others.T.tolist())) == [(0, 6), (1, 5)]
    assert both.hops.tolist() == [0, 1, 1]
    merged = followed(Secret(np.array([1, 2]), others=np.array([[0], [3]])), before)
    assert sorted(merged.everybody.tolist()) == [2, 6, 7]
    assert merged.people[1] == 2


def test_a_chain_is_described_by_its_steps():
    words = make_scheme(WORD).describe()
    assert "sparsify publishes" in words
    assert "d4d-1 publishes" in words


def test_the_page_and_the_terminal_call_a_chain_by_its_schemes():
    result = audit(TOWN, "sparsify:share=0.2+switch", attack="forest:trees=5", threat="identification:edge_overlap=1")
    page = build_page(result)
    assert "<span>sparsify+switch</span>" in page
    assert "The scheme sparsify+switch works in 2 steps" in page
    assert "scheme sparsify+switch, " in str(rates_table(result).title)


def test_a_release_says_its_chain_and_a_stranger_s_word_runs_nothing(tmp_path):
    write_release(make_scheme(WORD).publish(TOWN, seed=1), tmp_path / "release", tmp_path / "truth.parquet")
    assert scheme_of_release(read_release(tmp_path / "release").scheme) == make_scheme(WORD)
    for word in ("", "unknown", "sparsify:share=9", "sparsify+unknown", "command:rm {input}", "sparsify+command:x"):
        assert scheme_of_release(word) is None
