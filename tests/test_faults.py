"""Kills, full disks and errors at every step leave outputs whole: the old or the new, never half or mixed.

``THINVEIL_KILLS=200`` (``make faults``) kills commands 200 times instead of a few.
"""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from tests import faults
from tests.reporting import make_result, run_ids
from thinveil.cli import app
from thinveil.errors import InputError
from thinveil.report import write_report
from thinveil.runtime import staging
from thinveil.runtime.files import File, Folder, write_together

SYSTEM = sys.platform
KILLS = int(os.environ.get("THINVEIL_KILLS", "8"))
STEPS = ("open", "write", "fsync", "mkdir", "rename", "replace", "link", "unlink", "rmdir")
OLD, NEW = {"a": b"old" * 9, "b": b"old", "gone": b"old"}, {"a": b"new" * 9, "b": b"new"}


def outputs_of(kind, folder, contents):
    """Return what a run writes: a file, a folder, or both."""
    file, whole = File(folder / "file", contents["a"]), Folder(folder / "out", contents)
    return {"file": (file,), "folder": (whole,), "both": (file, whole)}[kind]


def state_of(kind, folder):
    """Return what stands there: old, new or nothing for each output; anything else is a mistake."""
    told = []
    for output in outputs_of(kind, folder, OLD):
        path = output.path
        if not path.exists():
            told.append("nothing")
        else:
            found = path.read_bytes() if path.is_file() else {one.name: one.read_bytes() for one in path.iterdir()}
            told.append({str(OLD): "old", str(OLD["a"]): "old", str(NEW): "new", str(NEW["a"]): "new"}[_key(found)])
    return told


def _key(found):
    return str(dict(sorted(found.items()))) if isinstance(found, dict) else str(found)


def disturb(monkeypatch, number, fault):
    """Let the fault happen at a step, counted from 0, of all calls that touch the disk."""
    count = 0

    def disturbed(name, real):
        def call(*words, **more):
            nonlocal count
            count += 1
            if count - 1 == number:
                if name == "write":
                    real(words[0], bytes(words[1])[:5])
                fault()
            return real(*words, **more)

        return call

    for name in STEPS:
        monkeypatch.setattr(os, name, disturbed(name, getattr(os, name)))
    monkeypatch.setattr(staging, "_exchange", disturbed("exchange", staging._exchange))
    return lambda: count


def killed(monkeypatch, outputs, number):
    """Write in a process that kills itself at a step; tell whether it came so far."""
    child = os.fork()
    if not child:
        disturb(monkeypatch, number, lambda: os.kill(os.getpid(), signal.SIGKILL))
        try:
            write_together(*outputs)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("before", ["nothing", "old"])
@pytest.mark.parametrize("kind", ["file", "folder", "both"])
@pytest.mark.parametrize("system", [SYSTEM, "one that cannot swap"])
def test_a_kill_at_any_step_leaves_old_or_new(monkeypatch, tmp_path, kind, before, system):
    monkeypatch.setattr(sys, "platform", system)
    for number in range(200):
        folder = tmp_path / str(number)
        folder.mkdir()
        if before == "old":
            write_together(*outputs_of(kind, folder, OLD))
        new = outputs_of(kind, folder, NEW)
        if not killed(monkeypatch, new, number):
            break
        found = state_of(kind, folder)
        if system == SYSTEM:
            assert set(found) <= {before, "new"}
        else:  # a folder may be away for an instant: the next run brings it back
            assert set(found) <= {before, "new", "nothing"}
            if "nothing" in found and before == "old":
                assert len([path for path in folder.iterdir() if path.name.endswith("-old")]) >= 1
        write_together(*new)
        assert set(state_of(kind, folder)) == {"new"}
        assert len(list(folder.iterdir())) == len(new)
    assert number > 5


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
@pytest.mark.parametrize("kind", ["file", "folder", "both"])
def test_an_error_at_any_step_leaves_old_or_new(monkeypatch, tmp_path, kind, code):
    def fail():
        raise OSError(code, os.strerror(code))

    refusals = 0
    for number in range(200):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_together(*outputs_of(kind, folder, OLD))
        with monkeypatch.context() as disturbing:
            counted = disturb(disturbing, number, fail)
            refusal = refused(outputs_of(kind, folder, NEW))
        assert set(state_of(kind, folder)) == {"old" if refusal else "new"}
        assert not refusal or os.strerror(code) in refusal
        refusals += bool(refusal)
        write_together(*outputs_of(kind, folder, NEW))
        assert len(list(folder.iterdir())) == len(outputs_of(kind, folder, NEW))
        if counted() <= number:
            break
    assert refusals > 2


def refused(outputs):
    """Return why outputs could not be written; empty if they were."""
    try:
        write_together(*outputs)
    except InputError as error:
        return str(error)
    return ""


def test_a_full_disk_leaves_the_old_report(tmp_path):
    disk = tmp_path / "disk"
    if not faults.mount(disk, "1m"):
        pytest.skip("only the superuser may mount a disk")
    try:
        first = make_result()
        write_report(first, disk / "out")
        fill(disk)
        before = sorted(os.listdir(disk))
        with pytest.raises(InputError, match=r"\(No space left on device\): make room, or choose another place"):
            write_report(make_result(), disk / "out", force=True)
        assert run_ids(disk / "out") == {first.run}
        assert sorted(os.listdir(disk)) == before
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(disk):
    """Leave nothing of a disk."""
    with open(disk / "filler", "wb") as file:
        left = os.statvfs(disk)
        file.write(bytes(left.f_bavail * left.f_frsize))


def test_files_that_may_not_grow_leave_the_old_report(tmp_path):
    first, second = make_result(), make_result()
    write_report(first, tmp_path / "out")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(InputError, match=r"\(File too large\): make room"):
            write_report(second, tmp_path / "out", force=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert run_ids(tmp_path / "out") == {first.run}
    assert os.listdir(tmp_path) == ["out"]


def test_a_folder_that_is_mounted_is_filled(tmp_path):
    disk = tmp_path / "disk"
    if not faults.mount(disk, "2m"):
        pytest.skip("only the superuser may mount a disk")
    try:
        for result in (make_result(), make_result()):
            write_report(result, disk, force=True)
            assert run_ids(disk) == {result.run}
            assert set(os.listdir(disk)) == faults.FILES
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_that_vanishes_while_the_run_works(tmp_path):
    result = replace(make_result())
    (tmp_path / "away").mkdir()
    shutil.rmtree(tmp_path / "away")
    assert write_report(result, tmp_path / "away" / "out").exists()  # made again: the result of hours is kept
    with pytest.raises(InputError, match=r"model: cannot be written \(No such file or directory\)"):
        write_together(File(tmp_path / "gone" / "model", b""))


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A folder in which every command has run once."""
    folder = tmp_path_factory.mktemp("scene")
    here = os.getcwd()
    os.chdir(folder)

    def run(words):
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output + str(done.exception)

    try:
        faults.build_scene(folder, run)
    finally:
        os.chdir(here)
    return folder


def test_commands_killed_at_random_moments(scene):
    killer, inputs, names = faults.Killer(scene, seed=KILLS), faults.digest(scene), list(faults.COMMANDS)
    for number in range(KILLS):
        killer.kill(names[number % len(names)])
        assert faults.digest(scene) == inputs
        faults.check_whole(scene)
    for name in names if KILLS > 8 else ("audit",):
        faults.finish(scene, name)
    if KILLS > 8:
        assert faults.leftovers(scene) == []
    print(f"\n{KILLS} kills\n{killer.told()}")  # where they fell depends on how busy the machine is


@pytest.mark.parametrize("name", list(faults.COMMANDS) if KILLS > 8 else ["link"])
def test_commands_on_a_full_disk(scene, tmp_path, name):
    disk = tmp_path / "disk"
    if not faults.mount(disk, "20m"):
        pytest.skip("only the superuser may mount a disk")
    try:
        shutil.copytree(scene, disk / "scene")
        killed = faults.leftovers(disk)  # of the test before
        fill(disk)
        before = {path: path.read_bytes() for path in (disk / "scene").rglob("*") if path.is_file()}
        process = faults.start(disk / "scene", faults.COMMANDS[name])
        _, errors = process.communicate()
        assert "Traceback" not in errors
        if name not in ("info", "stitch", "reproduce"):  # these write nothing, or find it finished
            assert process.returncode == 1
            assert "No space left on device" in errors.splitlines()[-1]
        assert {path: path.read_bytes() for path in before} == before
        assert set(faults.leftovers(disk)) <= set(killed)
    finally:
        subprocess.run(["umount", disk], check=True)
