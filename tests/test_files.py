"""Outputs appear whole or not at all."""

import os
import signal
import sys

import pytest

from thinveil.errors import InputError
from thinveil.runtime import staging
from thinveil.runtime.files import File, Folder, write_together
from thinveil.runtime.places import Kind, check_place, starts_with

OURS = Kind("thing", lambda path: starts_with(path, b"ours"))


def test_a_file_is_replaced_whole(tmp_path):
    write_together(File(tmp_path / "a", b"one"))
    write_together(File(tmp_path / "a", b"two"))
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"two"


def test_a_file_in_no_folder_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"missing/a: cannot be written \(No such file or directory\)"):
        write_together(File(tmp_path / "missing" / "a", b""))


def test_a_file_over_a_folder_leaves_nothing_behind(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_together(File(tmp_path / "a", b"one"))
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_is_filled(tmp_path):
    write_together(Folder(tmp_path / "new" / "out", {"x": b"1", "y": b"2"}))
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == ["x", "y"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["out"]


def test_a_folder_is_replaced_whole(tmp_path):
    write_together(Folder(tmp_path / "out", {"x": b"1", "y": b"1"}))
    (tmp_path / "out").chmod(0o700)
    write_together(Folder(tmp_path / "out", {"x": b"2"}))
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "out").iterdir()] == [("x", b"2")]
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_is_replaced_where_names_cannot_be_swapped(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "elsewhere")
    write_together(Folder(tmp_path / "out", {"x": b"1", "y": b"1"}))
    write_together(Folder(tmp_path / "out", {"x": b"2"}))
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "out").iterdir()] == [("x", b"2")]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_several_outputs_are_written_all_or_none(tmp_path):
    (tmp_path / "taken").mkdir()
    write_together(File(tmp_path / "a", b"old"))
    with pytest.raises(InputError, match="cannot be written"):
        write_together(
            File(tmp_path / "a", b"new"), Folder(tmp_path / "b", {"x": b"1"}), File(tmp_path / "taken", b"new")
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "taken"]
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("system", [sys.platform, "one that cannot swap"])
def test_undoing_brings_old_files_back(tmp_path, monkeypatch, system):
    monkeypatch.setattr(sys, "platform", system)
    (tmp_path / "taken").mkdir()
    write_together(File(tmp_path / "a", b"old"), Folder(tmp_path / "b", {"x": b"old"}))
    with pytest.raises(InputError, match="cannot be written"):
        write_together(
            File(tmp_path / "a", b"new"), Folder(tmp_path / "b", {"x": b"new"}), File(tmp_path / "taken", b"new")
        )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b" / "x").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "taken"]


@pytest.mark.parametrize("system", [sys.platform, "one that cannot swap"])
@pytest.mark.parametrize("kind", ["file", "folder"])
@pytest.mark.parametrize("force", [False, True])
def test_what_another_run_put_there_meanwhile_stays(tmp_path, monkeypatch, system, kind, force):
    monkeypatch.setattr(sys, "platform", system)
    place = tmp_path / "out"
    if kind == "file":
        staged = File(place, b"ours", may_replace=OURS.may_replace(force)).stage()
        place.write_bytes(b"of another run")
    else:
        things = Kind("things", {"x": lambda path: starts_with(path, b"ours")})
        staged = Folder(place, {"x": b"ours"}, things.may_replace(force)).stage()
        place.mkdir()
        (place / "x").write_bytes(b"of another run")
    with pytest.raises(OSError, match="File exists"):
        staged.put()
    staged.undo()
    staged.discard()
    assert (place if kind == "file" else place / "x").read_bytes() == b"of another run"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("system", [sys.platform, "one that cannot swap"])
@pytest.mark.parametrize("output", [File, Folder])
def test_a_place_taken_at_the_very_last_moment_stays(tmp_path, monkeypatch, system, output):
    monkeypatch.setattr(sys, "platform", system)
    place = tmp_path / "out"
    outputs = [output(place, b"1" if output is File else {"x": b"1"}).stage() for _ in range(2)]
    outputs[0].put()
    monkeypatch.setattr(os.path, "lexists", lambda path: False)  # the second has looked before
    with pytest.raises(OSError, match=r"File exists|not empty"):
        outputs[1].put()
    for one in outputs:
        one.discard()
    assert place.exists()


def test_what_is_replaced_is_looked_at_again_once_nobody_can_change_it(tmp_path, monkeypatch):
    place, swap = tmp_path / "out", staging._exchange
    place.write_bytes(b"ours")

    def another_run_first(one, two):
        if place.read_bytes() == b"ours":
            place.write_bytes(b"foreign")
        return swap(one, two)

    monkeypatch.setattr(staging, "_exchange", another_run_first)
    with pytest.raises(InputError, match="File exists"):
        write_together(File(place, b"ours, new", may_replace=OURS.may_replace(True)))
    assert place.read_bytes() == b"foreign"


@pytest.mark.parametrize("name", ["_exchange", "_take", "_remove"])
def test_a_signal_while_names_are_swapped_waits_for_the_end(tmp_path, monkeypatch, name):
    real = getattr(staging, name)

    def interrupted(*words):
        done = real(*words)
        signal.raise_signal(signal.SIGINT)
        return done

    write_together(File(tmp_path / "a", b"old"))
    monkeypatch.setattr(staging, name, interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_together(File(tmp_path / "a", b"new"), File(tmp_path / "b", b"new"))
    finally:
        signal.signal(signal.SIGINT, before)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"new", "b": b"new"}


def test_the_rest_of_a_killed_run_is_removed_while_its_lock_is_held(tmp_path, monkeypatch):
    work, real, free = staging._work_name(tmp_path, "out"), staging._remove, []
    work.write_bytes(b"half")

    def remove(path):
        with path.open() as file:
            free.append(staging._try_lock(file.fileno()))
        real(path)

    monkeypatch.setattr(staging, "_remove", remove)
    staging._clear(tmp_path, "out")
    assert free == [False]
    assert not work.exists()


def test_what_another_run_is_just_putting_there_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(staging, "_PATIENCE", 0.05)
    living = File(tmp_path / "a", b"1").stage()
    living.put()
    with pytest.raises(InputError, match="busy"):
        write_together(File(tmp_path / "a", b"2"))
    living.discard()
    write_together(File(tmp_path / "a", b"2"))
    assert (tmp_path / "a").read_bytes() == b"2"


def test_what_a_living_run_has_moved_away_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "one that cannot swap")
    write_together(Folder(tmp_path / "out", {"x": b"1"}))
    living = Folder(tmp_path / "out", {"x": b"2"}).stage()
    living.put()
    staging._clear(tmp_path, "out")
    living.undo()
    living.discard()
    assert (tmp_path / "out" / "x").read_bytes() == b"1"


def test_what_killed_runs_left_is_removed_and_brought_back(tmp_path):
    write_together(Folder(tmp_path / "out", {"x": b"1"}))
    work = staging._work_name(tmp_path, "out")
    work.mkdir()
    (work / "half").write_bytes(b"")
    other = staging._work_name(tmp_path, "other")
    other.write_bytes(b"of another place")
    (tmp_path / "out").rename(work.with_name(work.name + "-old"))  # killed between two renames
    with pytest.raises(InputError):
        write_together(Folder(tmp_path / "out", {"no/such": b"2"}))
    assert (tmp_path / "out" / "x").read_bytes() == b"1"
    write_together(Folder(tmp_path / "out", {"x": b"2"}))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["out", other.name])


def test_the_work_of_a_living_run_is_left_alone(tmp_path):
    now = Folder(tmp_path / "out", {"x": b"1"}).stage()
    write_together(Folder(tmp_path / "out", {"x": b"2"}))
    assert now.work.exists()
    now.put()
    now.discard()
    assert (tmp_path / "out" / "x").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_link_to_a_place_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    for name in ("file", "folder"):
        (tmp_path / name).symlink_to(tmp_path / "far" / name)
    write_together(File(check_place(tmp_path / "file", OURS), b"1"))
    write_together(Folder(check_place(tmp_path / "folder", Kind("things", {"x": lambda path: True})), {"x": b"1"}))
    assert (tmp_path / "file").is_symlink()
    assert (tmp_path / "folder").is_symlink()
    assert (tmp_path / "far" / "folder" / "x").read_bytes() == (tmp_path / "far" / "file").read_bytes() == b"1"


def test_the_longest_name_can_be_written(tmp_path):
    write_together(File(tmp_path / ("n" * 255), b"1"))
    write_together(Folder(tmp_path / ("m" * 255), {"x": b"1"}))
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_fails_half_way_is_not_there(tmp_path):
    with pytest.raises(InputError):
        write_together(Folder(tmp_path / "out", {"x": b"1", "no/such": b"2"}))
    assert list(tmp_path.iterdir()) == []
