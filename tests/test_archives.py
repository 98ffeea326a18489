"""Archives from strangers: what they promise is checked before it is unpacked."""

import io
import json
import os
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from thinveil.auditing.models import load_model
from thinveil.errors import ModelError
from thinveil.learners.forest import load_forest
from thinveil.runtime.archives import pack_archive, unpack_archive

MIB = 2**20


def npy(array):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def header(descr, shape):
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def archive(*members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return buffer.getvalue()


def lie(content, size):
    """Let the directory of an archive promise another size of its first member."""
    changed = bytearray(content)
    place = content.index(b"PK\x01\x02")
    changed[place + 24 : place + 28] = struct.pack("<I", size)
    return bytes(changed)


BOMB = npy(np.zeros(100 * MIB, dtype=np.uint8))[: 100 * MIB]
HOSTILE = {
    "a shape of gigabytes": lambda: archive(("about.npy", header("'<f8'", (400_000_000,)) + b"1234")),
    "a shape without end": lambda: archive(("about.npy", header("'<f8'", (10**400,)))),
    "a shape below none": lambda: archive(("about.npy", header("'<f8'", (-1, -8)))),
    "a shape of nothing": lambda: archive(("about.npy", header("'<f8'", "None"))),
    "a shape of true": lambda: archive(("about.npy", header("'|u1'", (True, 5)) + b"12345")),
    "endless brackets": lambda: archive(("about.npy", header("'<f8'", "(" * 5000))),
    "objects": lambda: archive(("about.npy", header("'|O'", (1,)) + b"12345678")),
    "records": lambda: archive(("about.npy", header("[('a', '<i4')]", (1,)) + b"1234")),
    "text": lambda: archive(("about.npy", npy(np.array(["abc"])))),
    "times": lambda: archive(("about.npy", npy(np.array([1], dtype="M8[s]")))),
    "zeros of 100 MiB": lambda: archive(("array0.npy", BOMB)),
    "a directory that promises gigabytes": lambda: lie(archive(("about.npy", npy(np.arange(9)))), 2**32 - 2),
    "a directory that promises less": lambda: lie(archive(("about.npy", BOMB)), 200),
    "two of one name": lambda: archive(("about.npy", npy(np.arange(9))), ("about.npy", npy(np.arange(9)))),
    "too many": lambda: archive(*((f"a{k}.npy", b"") for k in range(10_001)), method=zipfile.ZIP_STORED),
    "other files": lambda: archive(("about.txt", b"")),
    "nothing": lambda: archive(),
    "bzip2 of damage": lambda: archive(("about.npy", b"x"), method=zipfile.ZIP_BZIP2),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_before_it_is_unpacked(name, tmp_path):
    content = HOSTILE[name]()
    (tmp_path / "model").write_bytes(content)
    tracemalloc.start()
    try:
        for load in (load_model, load_forest):
            with pytest.raises(ModelError, match="not a thinveil model, or a damaged one: train it again") as caught:
                load(tmp_path / "model")
            assert "\n" not in str(caught.value)
        assert tracemalloc.get_traced_memory()[1] < 20 * MIB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("order", "CF")
def test_arrays_come_back_as_they_were(order):
    arrays = {"a": np.asarray(np.arange(12.0).reshape(3, 4), order=order), "b": np.empty(0, dtype=np.int32)}
    about, again = unpack_archive(pack_archive({"x": [1, None]}, arrays), "here")
    assert about == {"x": [1, None]}
    assert list(again) == ["a", "b"]
    for name, array in arrays.items():
        assert np.array_equal(again[name], array)
        assert again[name].dtype == array.dtype
        assert again[name].flags.writeable


@pytest.mark.parametrize("text", ["[" * 10**6, '{"a": NaN}', "9" * 10_000, ""])
def test_what_is_no_json_is_refused(text, monkeypatch):
    monkeypatch.setattr(json, "dumps", lambda *given, **more: text)
    content = pack_archive({}, {})
    with pytest.raises(ModelError, match="makes no sense"):
        unpack_archive(content, "here")


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    for name in ("pipe", "link", "round", "", "a\0b"):
        for load in (load_model, load_forest):
            with pytest.raises(ModelError, match="cannot be read"):
                load(str(tmp_path / name) if "\0" not in name else name)
