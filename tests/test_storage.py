"""Models on disk: exact round trips, and no way to run code or loop for ever."""

import contextlib
import hashlib
import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from thinveil.errors import ModelError
from thinveil.learners.forest import PairForest, load_forest, save_forest
from thinveil.learners.forest.growing import CHILD, FIRST, STEP


@pytest.fixture(scope="module")
def forest():
    rng = np.random.default_rng(1)
    X = rng.poisson(1.0, size=(300, 12))
    X[::2, 6:] = X[::2, :6]
    return PairForest(trees=20, bag_size=80, widths=(2, 4), seed=9).fit(X, np.arange(300) % 2 == 0)


@pytest.fixture
def saved(forest, tmp_path):
    save_forest(forest, tmp_path / "model.npz")
    return tmp_path / "model.npz"


def rewrite(path, change):
    """Change the arrays or parameters of a model and put a right checksum on it."""
    with np.load(path) as archive:
        arrays = {name: archive[name].copy() for name in ("nodes", "gains", "roots")}
        about = json.loads(archive["about"].tobytes())
    change(arrays, about)
    text = json.dumps(about, sort_keys=True).encode()
    sha = hashlib.sha256(text)
    for name, array in arrays.items():
        sha.update(f"{name} {array.dtype.str} {array.shape}".encode())
        sha.update(np.ascontiguousarray(array).tobytes())
    checksum = np.frombuffer(sha.digest(), dtype=np.uint8)
    np.savez(path, about=np.frombuffer(text, dtype=np.uint8), checksum=checksum, **arrays)


def test_round_trip_is_exact(forest, saved):
    X = np.random.default_rng(2).poisson(1.0, size=(200, 12))
    again = load_forest(saved)
    assert again.get_params() == forest.get_params()
    assert np.array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert again.important_pairs() == forest.important_pairs()
    save_forest(again, saved.with_name("again.npz"))
    assert load_forest(saved.with_name("again.npz")).seed == 9


def test_every_changed_byte_of_the_arrays_is_noticed(saved):
    content = bytearray(saved.read_bytes())
    rng = np.random.default_rng(3)
    for place in rng.integers(len(content), size=60):
        changed = content.copy()
        changed[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(changed)
        with contextlib.suppress(ModelError):  # any other error is a failure of this test
            assert load_forest(saved).trees == 20  # some bytes of a zip mean nothing, such as dates


def test_changed_numbers_are_refused(saved):
    with np.load(saved) as archive:
        arrays = dict(archive)
    arrays["nodes"] = arrays["nodes"].copy()
    arrays["nodes"][0, FIRST] ^= 1
    np.savez(saved, **arrays)
    with pytest.raises(ModelError, match="the checksum is wrong"):
        load_forest(saved)


def test_pickled_code_is_not_run(saved, tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.array([Trap()], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(saved, "w") as archive:
        for name in ("about", "checksum", "nodes", "gains", "roots"):
            archive.writestr(f"{name}.npy", buffer.getvalue())
    with pytest.raises(ModelError, match="not a thinveil model"):
        load_forest(saved)
    saved.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ModelError, match="not a thinveil model"):
        load_forest(saved)
    assert not (tmp_path / "ran").exists()


def circle(arrays, about):
    arrays["nodes"][arrays["nodes"][:, CHILD] > 0, CHILD] = 0
    arrays["nodes"][1, CHILD] = 1


def orphan(arrays, about):
    arrays["nodes"][arrays["roots"][0], CHILD] = 0  # its children are now nobody's


def set_cell(column, value):
    def change(arrays, about):
        arrays["nodes"][0, column] = value

    return change


def about_is(name, value):
    def change(arrays, about):
        about["parameters"][name] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        circle,
        orphan,
        set_cell(CHILD, 10**6),
        set_cell(CHILD, -4),
        set_cell(FIRST, 6),
        set_cell(FIRST, -1),
        set_cell(STEP, 20),
        lambda arrays, about: arrays.update(roots=arrays["roots"][::-1].copy()),
        lambda arrays, about: arrays.update(roots=arrays["roots"] + 1),
        lambda arrays, about: arrays.update(gains=arrays["gains"][:-1]),
        lambda arrays, about: arrays.update(nodes=arrays["nodes"].astype(np.int64)),
        lambda arrays, about: arrays.update(nodes=np.zeros_like(arrays["nodes"])),
        about_is("trees", -1),
        about_is("widths", ["x"]),
        about_is("widths", [2, 10**30]),
        about_is("widths", 1e999),
        about_is("widths", [True, 5]),
        about_is("widths", [2.0, 4.0]),
        about_is("widths", []),
        about_is("thresholds", 1e999),
        about_is("seed", 10**400),
        lambda arrays, about: about.clear(),
        about_is("code", "import os"),
        lambda arrays, about: about.update(format="thinveil forest 99"),
    ],
)
def test_a_forged_model_makes_no_sense(saved, change):
    rewrite(saved, change)
    with pytest.raises(ModelError, match="makes no sense"):
        load_forest(saved)


def test_missing_and_foreign_files(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        load_forest(tmp_path / "none.npz")
    (tmp_path / "text").write_text(hashlib.sha256(b"").hexdigest())
    with pytest.raises(ModelError, match="not a thinveil model"):
        load_forest(tmp_path / "text")
