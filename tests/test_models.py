"""Attacks that are kept: learned once, loaded in another process to the digit, and refused if anything is wrong."""

import contextlib
import hashlib
import io
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.golden.cases import mails
from thinveil import link, load_model, save_model, train
from thinveil.errors import InputError, ModelError, SampleError
from thinveil.features import observe
from thinveil.features.pairs import Pairs, Question
from thinveil.graph.events import cut_time
from thinveil.graph.synthetic import synthetic_graph
from thinveil.learners.forest import save_forest
from thinveil.runtime.keys import Key
from thinveil.schemes import make_scheme, read_release, seal, write_release

ATTACKS = {
    "forest": "forest:trees=15",
    "slots": "forest:trees=10,slots=3,features=degrees+contacts,bins=10",
    "signature": "signature:large=4",
    "strong": "strong:rounds=1,features=contacts",
    "strong-slots": "strong:rounds=1,slots=3,features=contacts+weight-out",
}
SCHEME = "d4d-1:egonets=12,min_size=50"
FEW = {"min_degree": 3, "train_pairs": 2_000, "train_negatives": 3_000}


def answers(model, release):
    """What a model says of a release: scores of every question, and links."""
    view = observe(release.public, model.plan.attack.needs, min_degree=model.plan.sampling.min_degree)
    left = np.arange(len(view) // 2)
    session = model.fitted.enter(view)
    pairs = Pairs(left, left + len(view) // 2)
    told = {name: session.score(pairs, Question(name, "matched")) for name in model.categories}
    links = link(release, model, sure=0.01)
    return {**told, "cluster": links["cluster"].to_numpy(), "probability": links["probability"].to_numpy()}


def answer_all(folder):
    """Load all models in a folder, and write down what they say: for a process of its own."""
    release = read_release(folder / "release")
    for path in sorted(folder.glob("*.model")):
        np.savez(path.with_suffix(".npz"), **answers(load_model(path), release))


@pytest.fixture(scope="module")
def models():
    return {name: train(mails(), SCHEME, attack=word, seed=5, **FEW) for name, word in ATTACKS.items()}


@pytest.fixture(scope="module")
def folder(models, tmp_path_factory):
    """A folder with all models and a release."""
    folder = tmp_path_factory.mktemp("models")
    release = make_scheme("d4d-1:egonets=5,min_size=50").publish(cut_time(mails(), 3), seed=8)
    write_release(seal(release, Key.of_seed(1)), folder / "release", folder / "truth")
    for name, model in models.items():
        save_model(model, folder / f"{name}.model")
    return folder


@pytest.fixture(scope="module")
def elsewhere(folder):
    """What the models say in a fresh process."""
    code = "import pathlib, sys; from tests.test_models import answer_all; answer_all(pathlib.Path(sys.argv[1]))"
    place = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code, folder], cwd=place, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return {name: dict(np.load(folder / f"{name}.npz")) for name in ATTACKS}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_fresh_process_gives_the_same_digits(name, models, folder, elsewhere):
    here = answers(models[name], read_release(folder / "release"))
    assert here.keys() == elsewhere[name].keys() >= {"1-hop", "complete"}
    for part, values in here.items():
        assert np.array_equal(values, elsewhere[name][part]), part
    assert np.unique(here["complete"]).size > 1
    assert here["cluster"].size


@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_kept_is_whole(name, models, folder):
    again = load_model(folder / f"{name}.model")
    assert (again.plan, again.categories, again.version) == (
        models[name].plan,
        models[name].categories,
        models[name].version,
    )
    for category in again.categories:
        asked = Question(category, "matched")
        assert again.fitted.lesson(asked) == models[name].fitted.lesson(asked)


@pytest.mark.parametrize("name", ATTACKS)
def test_saving_again_gives_the_same_file(name, folder, tmp_path):
    save_model(load_model(folder / f"{name}.model"), tmp_path / "again")
    assert parts_of(tmp_path / "again") == parts_of(folder / f"{name}.model")


def parts_of(path):
    with np.load(path, allow_pickle=False) as archive:
        return {name: (archive[name].dtype.str, archive[name].tobytes()) for name in archive.files}


def test_only_plain_arrays_are_kept(folder):
    for name in ATTACKS:
        assert all(dtype[1] in "iufb" for dtype, _ in parts_of(folder / f"{name}.model").values())
        assert b"pickle" not in (folder / f"{name}.model").read_bytes()


def test_files_that_are_no_models(models, tmp_path):
    path = tmp_path / "model"
    with pytest.raises(ModelError, match="no such file"):
        load_model(path)
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(tmp_path)
    save_forest(next(iter(models["forest"].fitted.forests.values())), path)
    with pytest.raises(ModelError, match=r"checksum is wrong|not a model"):
        load_model(path)
    np.savez(path.with_suffix(".npz"), about=np.zeros(3))
    for content in (b"", b"text", path.with_suffix(".npz").read_bytes(), pickle.dumps({})):
        path.write_bytes(content)
        with pytest.raises(ModelError, match="not a thinveil model"):
            load_model(path)


@pytest.mark.parametrize("name", ATTACKS)
def test_truncated_files_are_refused(name, folder, tmp_path):
    content = (folder / f"{name}.model").read_bytes()
    for size in (0, 10, len(content) // 2, len(content) - 50, len(content) - 1):
        (tmp_path / "model").write_bytes(content[:size])
        with pytest.raises(ModelError, match="not a thinveil model, or a damaged one"):
            load_model(tmp_path / "model")


@pytest.mark.parametrize("name", ATTACKS)
def test_every_changed_bit_is_noticed(name, folder, tmp_path):
    content, rng = (folder / f"{name}.model").read_bytes(), np.random.default_rng(3)
    for place in rng.integers(len(content), size=15):
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "model").write_bytes(changed)
        with contextlib.suppress(ModelError):  # some bits of a zip mean nothing, such as dates
            save_model(load_model(tmp_path / "model"), tmp_path / "again", force=True)
            assert parts_of(tmp_path / "again") == parts_of(folder / f"{name}.model")


def test_pickled_code_is_not_run(folder, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    buffer, path = io.BytesIO(), tmp_path / "model"
    np.lib.format.write_array(buffer, np.array([Trap()], dtype=object), allow_pickle=True)
    for trapped in ("about", "checksum", "array0"):
        path.write_bytes((folder / "forest.model").read_bytes())
        with np.load(path) as archive:
            parts = {name: archive[name] for name in archive.files if name != trapped}
        np.savez(tmp_path / "parts.npz", **parts)
        path.write_bytes((tmp_path / "parts.npz").read_bytes())
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(f"{trapped}.npy", buffer.getvalue())
        with pytest.raises(ModelError, match="not a thinveil model"):
            load_model(path)
    assert not (tmp_path / "ran").exists()


def forge(source, path, change):
    """Change what a model file says and holds, and put a right checksum on it."""
    with np.load(source) as archive:
        parts = {name: archive[name].copy() for name in archive.files}
    about = json.loads(parts.pop("about").tobytes())
    del parts["checksum"]
    arrays = {name: parts[f"array{k}"] for k, name in enumerate(about["arrays"])}
    about = change(about, arrays) or about
    if isinstance(about, dict) and len(about["arrays"]) == len(parts):
        about["arrays"] = sorted(arrays)
    text = np.frombuffer((about if isinstance(about, str) else json.dumps(about)).encode(), dtype=np.uint8)
    parts = {f"array{k}": arrays[name] for k, name in enumerate(sorted(arrays))}
    sha = hashlib.sha256(text.tobytes())
    for name in sorted(parts):
        sha.update(f"{name} {parts[name].dtype.str} {parts[name].shape}".encode())
        sha.update(np.ascontiguousarray(parts[name]).tobytes())
    np.savez(path.with_suffix(".npz"), about=text, checksum=np.frombuffer(sha.digest(), dtype=np.uint8), **parts)
    path.with_suffix(".npz").rename(path)


def says(*place, value):
    """Change a value in what the file says; ``...`` takes it away."""

    def change(about, arrays):
        inner = about
        for name in place[:-1]:
            inner = inner[name]
        if value is ...:
            del inner[place[-1]]
        else:
            inner[place[-1]] = value

    return change


def holds(ending, change):
    """Change the arrays whose names end like that."""

    def change_arrays(about, arrays):
        mine = [name for name in arrays if name.endswith(ending)]
        assert mine
        for name in mine:
            arrays[name] = change(arrays[name].copy())

    return change_arrays


def first_is(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


ANY = {
    "another format": says("format", value="thinveil model 99"),
    "not a table": lambda about, arrays: [1, 2],
    "not JSON": lambda about, arrays: "{",
    "endless brackets": lambda about, arrays: "[" * 100_000,
    "no plan": says("plan", value=...),
    "a plan that is a word": says("plan", value="d4d-1"),
    "an unknown attack": says("plan", "attack", "name", value="magic"),
    "an unknown scheme": says("plan", "scheme", "name", value="magic"),
    "an unknown parameter": says("plan", "scheme", "code", value="import os"),
    "too many egonets": says("plan", "scheme", "egonets", value=-1),
    "a degree that is a word": says("plan", "sampling", "min_degree", value="many"),
    "an unknown protocol": says("plan", "sampling", "protocol", value="kind"),
    "no categories": says("categories", value=[]),
    "categories that are a table": says("categories", value={"complete": 1}),
    "categories without all pairs": says("categories", value=["1-hop"]),
    "categories that are numbers": says("categories", value=["complete", 7]),
    "an unknown category": says("categories", value=["complete", "3-hop"]),
    "a category twice": says("categories", value=["complete", "complete"]),
    "facts that are a list": says("facts", value=[1]),
    "two arrays of one name": lambda about, arrays: about.update(arrays=["a", "a"]),
    "arrays without names": lambda about, arrays: about.update(arrays=[1]),
    "numbers of ten thousand digits": lambda about, arrays: '{"format": ' + "9" * 10_000 + "}",
    "an array too many": lambda about, arrays: about["arrays"].append("zzz"),
}


@pytest.mark.parametrize("forgery", ANY)
def test_a_forged_model_makes_no_sense(forgery, folder, tmp_path):
    refuses("signature", ANY[forgery], folder, tmp_path)


def refuses(name, change, folder, tmp_path):
    forge(folder / f"{name}.model", tmp_path / "forged", lambda about, arrays: None)
    load_model(tmp_path / "forged")  # forging alone is not what is noticed
    forge(folder / f"{name}.model", tmp_path / "forged", change)
    with pytest.raises(ModelError, match=r"forged: the model makes no sense"):
        load_model(tmp_path / "forged")


FOREST = {
    "no forests": lambda about, arrays: arrays.clear(),
    "other bins": says("plan", "attack", "bins", value=71),
    "more features": says("plan", "attack", "features", value=["degrees", "two-hop"]),
    "no forest's file": holds("complete", lambda array: array[::-1].copy()),
    "half a forest's file": holds("complete", lambda array: array[: array.size // 2]),
    "floats": holds("complete", lambda array: array.astype(float)),
}


@pytest.mark.parametrize("forgery", FOREST)
def test_a_forged_forest_makes_no_sense(forgery, folder, tmp_path):
    refuses("forest", FOREST[forgery], folder, tmp_path)


SLOTS = {
    "nothing said of slots": says("facts", "learned in slots", value=...),
    "slots that are a number": says("facts", "learned in slots", value=3),
    "no forests": lambda about, arrays: arrays.clear(),
    "no slots": says("plan", "attack", "slots", value=0),
}


@pytest.mark.parametrize("forgery", SLOTS)
def test_a_forged_model_in_slots_makes_no_sense(forgery, folder, tmp_path):
    refuses("slots", SLOTS[forgery], folder, tmp_path)


STRONG = {
    "no scorers": says("facts", "scorers", value={}),
    "scorers that are a list": says("facts", "scorers", value=[1]),
    "a scorer that says nothing": says("facts", "scorers", "matched complete", value=[float("nan"), 1.0]),
    "a scorer without its trees": says("facts", "scorers", "matched 9-hop", value=[0.0, 1.0]),
    "a scorer without an end": says("facts", "scorers", "matched complete", value=[1e300, 1.0]),
    "a scorer that turns around": says("facts", "scorers", "matched complete", value=[0.0, -1.0]),
    "a scorer of no question": says("facts", "scorers", "kind complete", value=[0.0, 1.0]),
    "rounds without end": says("facts", "linker", "rounds", value=10**9),
    "rounds that are true": says("facts", "linker", "rounds", value=True),
    "anchors of all degrees": says("facts", "linker", "anchors", "ratio", value=1e-9),
    "anchors with more columns than are compared": lambda about, arrays: arrays.update(
        {k: np.append(v, 0.0) for k, v in arrays.items() if k.startswith("linker.anchors.") and k.endswith(".won")}
    ),
    "leaves beyond all odds": holds("leaves", first_is(1e300)),
    "no words": says("facts", "words", value=[]),
    "no arrays": lambda about, arrays: arrays.clear(),
    "a linker that is a word": says("facts", "linker", value="linker"),
    "a linker without rounds": says("facts", "linker", "rounds", value=...),
    "fewer rounds than none": says("facts", "linker", "rounds", value=-1),
    "a link always sure": says("facts", "linker", "sure", value=1.5),
    "trees that begin nowhere": holds("starts", first_is(7)),
    "trees that end nowhere": holds("starts", lambda array: array + 10**9),
    "columns that are not there": holds("columns", first_is(10**6)),
    "columns below none": holds("columns", first_is(-1)),
    "leaves that are missing": holds("leaves", lambda array: array[:-1]),
    "leaves that are no numbers": holds("leaves", first_is(np.nan)),
    "thresholds that are no numbers": holds("thresholds", first_is(np.nan)),
    "thresholds of another kind": holds("thresholds", lambda array: array.astype(np.float64)),
    "masks without a leaf": holds("masks", lambda array: np.zeros_like(array)),
    "masks of another kind": holds("masks", lambda array: array.astype(np.int8)),
}


@pytest.mark.parametrize("forgery", STRONG)
def test_a_forged_strong_model_makes_no_sense(forgery, folder, tmp_path):
    refuses("strong", STRONG[forgery], folder, tmp_path)


def test_the_seed_decides_and_not_the_threads(tmp_path):
    graph = synthetic_graph(1500, seed=3)

    def learn(name, **choices):
        model = train(graph, SCHEME, attack="forest:trees=5", train_negatives=2_000, **choices)
        save_model(model, tmp_path / name)
        return parts_of(tmp_path / name)

    first = learn("one", seed=1)
    assert first == learn("two", seed=1, threads=1)
    assert first != learn("three", seed=2)


def test_a_model_knows_the_categories_that_it_was_taught(models):
    assert models["forest"].categories == ("1-hop", "1,2-hop", "2-hop", "complete")
    few = train(synthetic_graph(1500, seed=3), SCHEME, attack="signature", categories=("1-hop", "complete"))
    assert few.categories == ("1-hop", "complete")


def test_bad_input_is_named(ring, tmp_path):
    graph = synthetic_graph(1500, seed=3)
    with pytest.raises(InputError, match="no such file"):
        train("graph.csv")
    with pytest.raises(SampleError, match="nobody with more than 1 contacts stands in two sub-graphs"):
        train(ring, "d4d-1:egonets=2,min_size=3", attack="signature", min_degree=1)
    with pytest.raises(InputError, match="publishes one sub-graph, and there is nothing to link"):
        train(graph, "pseudonyms", attack="signature")
    with pytest.raises(InputError, match="known = 5 are people of the attacked graph"):
        train(graph, SCHEME, attack="signature", threat="linkage:known=5")
    model = train(graph, SCHEME, attack="signature")
    with pytest.raises(InputError, match="cannot be written"):
        save_model(model, tmp_path / "nowhere" / "model")
