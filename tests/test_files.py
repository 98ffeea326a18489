"""Outputs appear whole or not at all."""

import pytest

from thinveil.errors import InputError
from thinveil.runtime.files import fill_folder, write_whole


def test_a_file_is_replaced_whole(tmp_path):
    write_whole(tmp_path / "a", b"one")
    write_whole(tmp_path / "a", b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"two"


def test_a_file_in_no_folder_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"missing/a: cannot be written \(No such file or directory\)"):
        write_whole(tmp_path / "missing" / "a", b"")


def test_a_file_over_a_folder_leaves_nothing_behind(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path / "a", b"one")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_is_filled(tmp_path):
    fill_folder(tmp_path / "new" / "out", {"x": b"1", "y": b"2"})
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == ["x", "y"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["out"]


def test_an_empty_folder_is_taken_a_full_one_is_not(tmp_path):
    (tmp_path / "out").mkdir()
    fill_folder(tmp_path / "out", {"x": b"1"})
    with pytest.raises(InputError, match="is there already and not empty"):
        fill_folder(tmp_path / "out", {"x": b"2"})
    assert (tmp_path / "out" / "x").read_bytes() == b"1"


def test_a_folder_that_fails_half_way_is_not_there(tmp_path):
    with pytest.raises(InputError):
        fill_folder(tmp_path / "out", {"x": b"1", "no/such": b"2"})
    assert list(tmp_path.iterdir()) == []
