"""Outputs appear whole or not at all."""

import sys

import pytest

from thinveil.errors import InputError
from thinveil.runtime import staging
from thinveil.runtime.files import File, Folder, fill_folder, write_together, write_whole


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


def test_a_folder_is_replaced_whole(tmp_path):
    fill_folder(tmp_path / "out", {"x": b"1", "y": b"1"})
    (tmp_path / "out").chmod(0o700)
    fill_folder(tmp_path / "out", {"x": b"2"})
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "out").iterdir()] == [("x", b"2")]
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_is_replaced_where_names_cannot_be_swapped(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "elsewhere")
    fill_folder(tmp_path / "out", {"x": b"1", "y": b"1"})
    fill_folder(tmp_path / "out", {"x": b"2"})
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "out").iterdir()] == [("x", b"2")]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_several_outputs_are_written_all_or_none(tmp_path):
    (tmp_path / "taken").mkdir()
    write_whole(tmp_path / "a", b"old")
    with pytest.raises(InputError, match="cannot be written"):
        write_together(
            File(tmp_path / "a", b"new"), Folder(tmp_path / "b", {"x": b"1"}), File(tmp_path / "taken", b"new")
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "taken"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_what_killed_runs_left_is_removed_and_brought_back(tmp_path):
    fill_folder(tmp_path / "out", {"x": b"1"})
    work = staging._work_name(tmp_path, "out")
    work.mkdir()
    (work / "half").write_bytes(b"")
    other = staging._work_name(tmp_path, "other")
    other.write_bytes(b"of another place")
    (tmp_path / "out").rename(work.with_name(work.name + "-old"))  # killed between two renames
    with pytest.raises(InputError):
        fill_folder(tmp_path / "out", {"no/such": b"2"})
    assert (tmp_path / "out" / "x").read_bytes() == b"1"
    fill_folder(tmp_path / "out", {"x": b"2"})
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["out", other.name])


def test_the_work_of_a_living_run_is_left_alone(tmp_path):
    now = Folder(tmp_path / "out", {"x": b"1"}).stage()
    fill_folder(tmp_path / "out", {"x": b"2"})
    assert now.work.exists()
    now.put()
    now.discard()
    assert (tmp_path / "out" / "x").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_to_a_place_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    for name in ("file", "folder"):
        (tmp_path / name).symlink_to(tmp_path / "far" / name)
    write_whole(tmp_path / "file", b"1")
    fill_folder(tmp_path / "folder", {"x": b"1"})
    assert (tmp_path / "file").is_symlink()
    assert (tmp_path / "folder").is_symlink()
    assert (tmp_path / "far" / "folder" / "x").read_bytes() == (tmp_path / "far" / "file").read_bytes() == b"1"


def test_the_longest_name_can_be_written(tmp_path):
    write_whole(tmp_path / ("n" * 255), b"1")
    fill_folder(tmp_path / ("m" * 255), {"x": b"1"})
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_fails_half_way_is_not_there(tmp_path):
    with pytest.raises(InputError):
        fill_folder(tmp_path / "out", {"x": b"1", "no/such": b"2"})
    assert list(tmp_path.iterdir()) == []
