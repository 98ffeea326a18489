"""Whatever a public function is given, it answers or refuses in one line: Python's own errors never come out."""

import gzip
import inspect
import io
import pickle

import numpy as np
import pytest

import thinveil
from thinveil.errors import InputError

FUNCTIONS = [name for name in thinveil.__all__ if not isinstance(getattr(thinveil, name), type)]
WRONG = {"None": None, "a number": 5, "a list": [1], "an object": object(), "a class": int, "bytes": b"x"}


def closed():
    stream = io.BytesIO(b"1,2")
    stream.close()
    return stream


def required(function):
    return [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty and p.kind < 2]


@pytest.mark.parametrize("value", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if required(getattr(thinveil, name))])
def test_wrong_types_are_refused_in_one_line(name, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = getattr(thinveil, name)
    with pytest.raises(InputError) as caught:
        function(*[value] * len(required(function)))
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("call", "words"), [
    (lambda: thinveil.info(5), "graph = 5 is not a graph: read one with thinveil.read_graph(path)"),
    (lambda: thinveil.audit(None), "graph = None is not a graph"),
    (lambda: thinveil.link(None, None), "release = None is not a release: make one with thinveil.anonymize"),
    (lambda: thinveil.train(3), "graph = 3 is not a graph"),
    (lambda: thinveil.write_report(None, "x"), "result = None is not the result of an audit"),
    (lambda: thinveil.synthetic_graph("many"), "nodes = 'many' is not a whole number"),
    (lambda: thinveil.read_graph(None), "path = None is not a text or a path"),
    (lambda: thinveil.audit(thinveil.synthetic_graph(500), beside="forest"), "beside = 'forest' is one text, and a"),
    (lambda: thinveil.read_graph(io.StringIO("1,2")), "gives text, not bytes: open it with mode 'rb'"),
    (lambda: thinveil.read_graph(closed()), "cannot be read: I/O operation on closed file"),
])  # fmt: skip
def test_a_refusal_says_what_is_needed(call, words):
    with pytest.raises(InputError) as caught:
        call()
    assert words in str(caught.value)


def test_open_files_are_read(tmp_path):
    plain, packed = tmp_path / "plain.csv", tmp_path / "packed.csv.gz"
    plain.write_bytes(b"1,2\n2,3\n")
    packed.write_bytes(gzip.compress(b"1,2\n2,3\n"))
    with open(plain, "rb") as one, open(plain, "rb", buffering=0) as raw, gzip.open(packed) as unpacked:
        for file in (one, raw, unpacked, io.BytesIO(b"1,2\n2,3\n")):
            assert thinveil.read_graph(file).edge_count == 2


def test_numbers_of_numpy_are_numbers():
    assert thinveil.read_graph(io.BytesIO(b"1,2\n"), directed=np.bool_(True)).rows is not None
    assert thinveil.synthetic_graph(np.int64(300), seed=np.int32(1)).node_count == 300


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_keep_their_name_words_and_signature(name):
    function = getattr(thinveil, name)
    assert function is getattr(thinveil, name) is pickle.loads(pickle.dumps(function))
    assert function.__name__ == name
    assert function.__doc__
    assert inspect.signature(function) == inspect.signature(function.__wrapped__)
