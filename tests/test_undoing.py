"""Nobody undoes a release by guessing its seed.

An attacker who has the published folder alone tries all seeds up to 100,000: what would each have published? The same
attackers find the seed of a release made to be repeated, and of releases as they were written before there was a key:
so they can find one.
"""

import hashlib
import os
import subprocess
import sys
import zlib
from itertools import permutations

import numpy as np
import polars as pl
import pytest

import thinveil
from thinveil.errors import InputError, RepeatableWarning
from thinveil.graph import Graph
from thinveil.graph.synthetic import synthetic_graph
from thinveil.runtime.keys import Key
from thinveil.schemes import D4D2, Published, Release, Secret, detect_ego, make_scheme, seal

SEEDS = range(100_001)
SEED = 74_242
SCHEMES = ("pseudonyms", "d4d-2:egonets=4,min_size=20")
LINES = 2_048  # numbers at the start of a stream


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(1)
    ends = rng.integers(60, size=(2, 150))
    return Graph.from_edges(*ends, node_count=60, columns={"weight": rng.random(150)})


def write(graph, folder, scheme="d4d-2:egonets=4,min_size=20", **more):
    release = thinveil.anonymize(graph, scheme, seed=SEED, **more)
    thinveil.write_release(release, folder / "out", folder / "truth")
    return folder / "out"


def read(folder, name="nodes"):
    return pl.read_parquet(folder / f"{name}.parquet")


@pytest.fixture(scope="module")
def guesses():
    """Pseudonyms that each seed would give: the first by its key, and some of those by its stream of random numbers."""
    return np.array([np.append(words_of_key(seed), words_of_stream(seed)) for seed in SEEDS]) >> np.uint64(16)


def words_of_key(seed):
    key = hashlib.sha256(f"thinveil repeatable release {seed}".encode()).digest()
    return np.frombuffer(hashlib.shake_256(key + b"pseudonyms/0").digest(16), dtype="<u8")


def words_of_stream(seed):
    words = np.random.SeedSequence([seed, 1, zlib.crc32(b"release files")])
    return np.random.PCG64(words).random_raw(LINES)[::32]  # there are more nodes than that, one behind the other


def find_seeds(guesses, folder):
    """Return the seeds that give a published pseudonym."""
    names = np.sort(read(folder)["node"].to_numpy().astype(np.uint64))
    places = np.minimum(np.searchsorted(names, guesses), names.size - 1)
    return np.flatnonzero((names[places] == guesses).any(axis=1)).tolist()


def write_as_before(release, folder, seed):
    """Write pseudonyms as thinveil did before there was a key."""
    rng = np.random.default_rng([seed, 1, zlib.crc32(b"release files")])
    nodes = sum(one.node_count for one in release.public)
    for one in release.public:
        for count in (one.node_count, one.node_count, one.edge_count):
            rng.permutation(count)
        rng.random(one.edge_count)
    names = rng.permutation(np.union1d(np.empty(0, dtype=np.int64), rng.integers(2**48, size=nodes)))
    folder.mkdir()
    pl.DataFrame({"node": names}).write_parquet(folder / "nodes.parquet")
    return folder


@pytest.mark.parametrize("scheme", SCHEMES)
def test_no_seed_up_to_100_000_gives_what_was_published(guesses, graph, tmp_path, scheme):
    assert find_seeds(guesses, write(graph, tmp_path, scheme)) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_seed_of_a_release_made_to_be_repeated_is_found(guesses, graph, tmp_path, scheme):
    with pytest.warns(RepeatableWarning):
        folder = write(graph, tmp_path, scheme, repeatable=True)
    assert find_seeds(guesses, folder) == [SEED]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_seed_of_a_release_as_it_was_written_before_is_found(guesses, graph, tmp_path, scheme):
    release = make_scheme(scheme).publish(graph, seed=SEED)
    assert find_seeds(guesses, write_as_before(release, tmp_path / "before", SEED)) == [SEED]


def first(seed, k, count):
    """Return where a seed puts the ego of the k-th sub-graph."""
    rng = np.random.default_rng([seed, 3, zlib.crc32(b"pseudonyms"), 0, k])
    return rng.permutation(count)[0]


def test_no_seed_gives_the_order_of_a_release_in_memory():
    graph, scheme = synthetic_graph(2000, seed=3), D4D2(egonets=6, min_size=100)
    before, published = scheme.publish(graph, seed=SEED), thinveil.anonymize(graph, scheme, seed=SEED)

    def fits(seed, release, order):
        return all(first(seed, k, count) == ego for k, (count, ego) in enumerate(release[j] for j in order))

    was, now = ([(one.node_count, detect_ego(one)) for one in release.public] for release in (before, published))
    assert fits(SEED, was, range(6))
    assert not any(fits(seed, now, range(6)) for seed in (SEED, *SEEDS[::10]))
    assert not any(fits(SEED, now, order) for order in permutations(range(6)))


def test_a_seed_decides_who_is_published_and_no_name_and_no_order(graph, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = (write(graph, tmp_path / side) for side in "ab")
    truths = [thinveil.read_release(folder, folder.parent / "truth") for folder in (one, two)]
    people = [[set(secret.people.tolist()) for secret in truth.secret] for truth in truths]
    assert sorted(map(sorted, people[0])) == sorted(map(sorted, people[1]))
    assert not set(read(one)["node"]) & set(read(two)["node"])
    weights = [read(folder, "events")["weight"].to_list() for folder in (one, two)]
    assert sorted(weights[0]) == sorted(weights[1])
    assert weights[0] != weights[1]


def test_the_order_of_sub_graphs_is_drawn_too():
    graph, scheme = synthetic_graph(2000, seed=3), "d4d-2:egonets=12,min_size=30"
    orders = [thinveil.anonymize(graph, scheme, seed=1).egos.tolist() for _ in range(2)]
    orders.append(make_scheme(scheme).publish(graph, seed=1).egos.tolist())
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(orders[2])
    assert len(set(map(tuple, orders))) == 3


class InOrder:
    """A scheme of somebody's own that does not shuffle at all."""

    name = "in-order"

    def publish(self, graph, *, seed, avoid=()):
        secret = Secret(np.arange(graph.node_count, dtype=np.int32))
        return Release.of([Published(graph, secret)] * 3, scheme=self.name, graph=graph)


def test_a_scheme_that_does_not_shuffle_is_shuffled(graph, tmp_path):
    sealed = seal(InOrder().publish(graph, seed=0), Key.fresh())
    for k in range(3):
        people, public = sealed.secret[k].people, sealed.public[k]
        assert sorted(people.tolist()) == list(range(60))
        assert people.tolist() != list(range(60))
        edges = {frozenset((int(people[v]), int(people[w]))) for v in range(60) for w in public.neighbors(v)}
        assert edges == {frozenset((v, int(w))) for v in range(60) for w in graph.neighbors(v)}
        assert public.rows.columns["weight"].tolist() != graph.rows.columns["weight"].tolist()
    assert len({tuple(one.people.tolist()) for one in sealed.secret}) == 3
    # and so on disk, where nobody sealed it
    thinveil.write_release(InOrder().publish(graph, seed=0), tmp_path / "out", tmp_path / "truth")
    truth = pl.read_parquet(tmp_path / "truth")
    for part in read(tmp_path / "out").join(truth, on="node", maintain_order="left").partition_by("subgraph"):
        assert part["person"].to_list() != sorted(part["person"])
        assert part.sort("node")["person"].to_list() != sorted(part["person"])


def test_a_repeatable_release_is_the_same_to_the_byte_and_says_that_it_is_unfit(graph, tmp_path):
    contents = []
    for side in "ab":
        (tmp_path / side).mkdir()
        with pytest.warns(RepeatableWarning, match="whoever guesses its seed can undo this release"):
            folder = write(graph, tmp_path / side, repeatable=True)
        contents.append({path.name: path.read_bytes() for path in (*folder.iterdir(), folder.parent / "truth")})
    assert contents[0] == contents[1]
    assert b"repeatable = true\nwarning = " in contents[0]["release.toml"]
    assert len(thinveil.read_release(tmp_path / "a" / "out")) == 4


def test_repeatable_needs_a_seed(graph):
    with pytest.raises(InputError, match="needs a seed to repeat it by: give --seed"):
        thinveil.anonymize(graph, repeatable=True)


def test_the_key_lies_in_the_truth_and_nowhere_else(graph, tmp_path):
    release = thinveil.anonymize(graph, "pseudonyms")
    thinveil.write_release(release, tmp_path / "out", tmp_path / "truth")
    key = release.key.secret
    assert len(key) == 32
    assert pl.read_parquet_metadata(tmp_path / "truth")["thinveil key"] == key.hex()
    public = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert key not in public
    assert key.hex().encode() not in public
    assert key.hex() not in repr(release.key)
    assert release.without_secret().key is None
    # the custodian can make the release again
    again = seal(make_scheme("pseudonyms").publish(graph, seed=1), Key(key))
    assert sorted(again.secret[0].people.tolist()) == list(range(60))


def test_the_command_line_warns_of_a_release_made_to_be_repeated(tmp_path):
    (tmp_path / "g").write_text("\n".join(f"{v} {(3 * v + 1) % 40}" for v in range(40)))
    words = ["anonymize", tmp_path / "g", "--scheme", "pseudonyms", "--out", tmp_path / "o", "--truth", tmp_path / "t"]

    def run(*more):
        command = [sys.executable, "-m", "thinveil", *map(str, (*words, *more))]
        return subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "COLUMNS": "300"}, check=False
        )

    assert "--seed" in run("--repeatable").stderr
    done = run("--repeatable", "--seed", 3)
    assert done.returncode == 0, done.stderr
    assert "do not publish" in done.stdout
    assert done.stderr.count("whoever guesses its seed can undo this release") == 1
    assert "UNFIT FOR PUBLICATION" in run("--help").stdout


@pytest.mark.parametrize("count", [0, 1, 1000])
def test_a_key_draws_permutations_coins_and_different_numbers(count):
    key = Key(bytes(range(32)))
    assert sorted(key.permutation(count, "a").tolist()) == list(range(count))
    assert len(set(key.numbers(count, 48, "a").tolist())) == count
    assert key.words(count, "a", 1).tolist() == key.words(count, "a", 1).tolist()
    if count == 1000:
        assert abs(key.coins(count, "a").mean() - 0.5) < 0.08
        assert not set(key.words(count, "a", 1).tolist()) & set(key.words(count, "a", 2).tolist())
        assert len(set(key.numbers(count, 10, "few").tolist())) == 1000  # of 1,024


def test_words_of_several_digests_are_one_series():
    key = Key(bytes(range(32)))
    words = key.words(2**20 + 3, "long")
    assert words.size == len(np.unique(words)) == 2**20 + 3
    with pytest.raises(InputError, match="a key has 32 bytes"):
        Key(b"short")


NOISY = ("random-graph", "dp-degrees", "tmf", "sparsify:share=0.3", "add-delete:share=0.5", "sparsify:share=0.3+switch")


def drawn_by(scheme, graph, seed):
    """Return the sorted degrees that a scheme publishes by a seed: the same whatever the names and orders."""
    return sorted(make_scheme(scheme).publish(graph, seed=seed).public[0].degrees.tolist())


@pytest.mark.parametrize("scheme", NOISY)
def test_no_guessed_seed_gives_the_noise_of_a_scheme(graph, scheme):
    """Whoever knows the noise can take it off again: differential privacy would promise nothing."""
    published = sorted(thinveil.anonymize(graph, scheme, seed=SEED).public[0].degrees.tolist())
    assert published != drawn_by(scheme, graph, SEED)
    with pytest.warns(RepeatableWarning):
        again = [thinveil.anonymize(graph, scheme, seed=SEED, repeatable=True).public[0] for _ in range(2)]
    assert again[0].digest() == again[1].digest()


def test_no_seed_up_to_1_000_makes_a_random_graph_again_from_its_size_alone(graph):
    """Made again it would be read in the order of the custodian's file."""
    public = thinveil.anonymize(graph, "random-graph", seed=742).public[0]
    ends = np.triu_indices(60, 1)
    same_size = Graph.from_edges(ends[0][: public.edge_count], ends[1][: public.edge_count], node_count=60)
    degrees = sorted(public.degrees.tolist())
    assert not any(drawn_by("random-graph", same_size, seed) == degrees for seed in range(1_001))


def test_a_given_seed_that_decides_nothing_is_said(graph, caplog):
    thinveil.anonymize(graph, "d4d-2:egonets=4,min_size=20", seed=1)
    thinveil.anonymize(graph, "tmf")
    assert "seed" not in caplog.text
    thinveil.anonymize(graph, "tmf", seed=1)
    assert caplog.text.count("the seed decides nothing here: all that tmf changes is drawn by the secret key") == 1
