"""Where a run may write: never over an input, over its own only when told to, and over nothing else."""

import os
import signal
import stat
import subprocess
import sys

import polars as pl
import pytest

from thinveil import write_links
from thinveil.auditing.models import MODEL
from thinveil.auditing.tables import LINKS
from thinveil.errors import InputError
from thinveil.report.files import REPORT
from thinveil.report.people import PEOPLE
from thinveil.runtime.places import Kind, check_folder, check_place, starts_with
from thinveil.schemes.writing import RELEASE

OURS = Kind("model", lambda path: starts_with(path, b"ours"))
FOLDER = Kind("report", {"mark": OURS.is_ours, "more": OURS.is_ours})


def refused(problem, path, kind=OURS, **options):
    with pytest.raises(InputError, match=problem) as caught:
        check_place(path, kind, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("way", ["same", "relative", "hard link", "symlink", "dots"])
def test_an_input_is_never_written_over(tmp_path, monkeypatch, way):
    graph, other = tmp_path / "g.csv", tmp_path / "other"
    graph.write_bytes(b"ours, and still an input")
    monkeypatch.chdir(tmp_path)
    if way == "hard link":
        os.link(graph, other)
    elif way == "symlink":
        other.symlink_to(graph)
    named = {"same": graph, "relative": "g.csv", "dots": f"../{tmp_path.name}/g.csv"}.get(way, other)
    for force in (False, True):
        refused("is what this run reads .* never written over: name another place", named, inputs=[graph], force=force)
        refused("is what this run reads", graph, inputs=[None, "synthetic", named], force=force)


def test_a_folder_with_an_input_is_left_alone(tmp_path):
    (tmp_path / "mark").write_bytes(b"ours")
    refused("holds mark, which this run reads", tmp_path, FOLDER, inputs=[tmp_path / "mark"], force=True)
    refused("lies in .*, which this run reads", tmp_path / "new", inputs=[tmp_path])


def test_standard_input_may_be_a_file(tmp_path):
    graph = tmp_path / "g.csv"
    graph.write_text("1,2\n2,3\n")
    with graph.open() as file:
        command = [sys.executable, "-m", "thinveil", "train", "-", "--out", graph]
        done = subprocess.run(command, stdin=file, capture_output=True, text=True)
    assert done.returncode == 1
    assert "is what this run reads (-)" in done.stderr
    assert graph.read_text() == "1,2\n2,3\n"


def test_what_is_there_needs_force_if_it_is_ours_and_is_left_alone_else(tmp_path):
    (tmp_path / "ours").write_bytes(b"ours")
    (tmp_path / "foreign").write_bytes(b"theirs")
    (tmp_path / "empty").write_bytes(b"")
    refused(r"holds the model of an earlier run: give --force \(force=True\) .* with --out", tmp_path / "ours")
    assert check_place(tmp_path / "ours", OURS, force=True) == tmp_path / "ours"
    for name in ("foreign", "empty"):
        refused("is there already, and no model: name a new file with --out", tmp_path / name, force=True)
    refused("is a folder: name a file", tmp_path, force=True)


@pytest.mark.parametrize("path", ["/dev/null", "/dev/full"])
def test_devices_are_no_files(path):
    before = os.stat(path)
    refused("is no ordinary file", path, force=True)
    assert stat.S_IFMT(os.stat(path).st_mode) == stat.S_IFMT(before.st_mode)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((REPORT, name) for name in REPORT.is_ours), *((RELEASE, name) for name in RELEASE.is_ours),
        (MODEL, None), (LINKS, None), (PEOPLE, None),
    ],
)  # fmt: skip
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, kind, name):
    place = tmp_path / "out"
    if name is not None:
        place.mkdir()
        (place / next(iter(kind.is_ours))).write_bytes(b"x")
        (place / name).unlink(missing_ok=True)
    pipe = place if name is None else place / name
    os.mkfifo(pipe)
    signal.alarm(20)
    try:
        refused("which is of no|is no ordinary file", place, kind, force=True)
    finally:
        signal.alarm(0)


def test_a_folder_is_ours_if_all_of_it_is(tmp_path):
    folder = tmp_path / "out"
    assert check_place(folder, FOLDER) == folder
    folder.mkdir()
    assert check_place(folder, FOLDER) == folder
    (folder / "more").write_bytes(b"ours")
    refused("holds more, which is of no report", folder, FOLDER, force=True)  # the mark is missing
    (folder / "mark").write_bytes(b"ours")
    refused("holds the report of an earlier run", folder, FOLDER)
    assert check_place(folder, FOLDER, force=True) == folder
    (folder / "notes").write_bytes(b"ours")
    refused("holds notes, which is of no report", folder, FOLDER, force=True)


@pytest.mark.parametrize("name", ["", ".", "..", "/"])
def test_the_current_folder_is_no_place(tmp_path, monkeypatch, name):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    refused("give a folder of its own with --out", name, FOLDER, force=True)
    with pytest.raises(InputError, match="give a folder of its own"):
        check_folder(name)


def test_a_place_in_no_folder_is_refused_early(tmp_path):
    refused("no is no folder that can be written", tmp_path / "no" / "model")
    assert check_place(tmp_path / "no" / "deeper", FOLDER)


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_links_replace_links_only(tmp_path, name):
    links = pl.DataFrame({"cluster": [0], "subgraph": [1], "node": [2], "probability": [0.5]})
    write_links(links, tmp_path / name)
    with pytest.raises(InputError, match="give --force"):
        write_links(links, tmp_path / name)
    write_links(links[:0], tmp_path / name, force=True)
    mine = links.rename({"cluster": "mine"})
    for path in (tmp_path / "mine.csv", tmp_path / "mine.parquet"):
        mine.write_csv(path) if path.suffix == ".csv" else mine.write_parquet(path)
        with pytest.raises(InputError, match="is there already, and no table of links"):
            write_links(links, path, force=True)


@pytest.mark.parametrize("kind", [OURS, FOLDER])
@pytest.mark.parametrize("name", ["-", "--force", "-q"])
def test_an_option_is_no_place(tmp_path, monkeypatch, name, kind):
    monkeypatch.chdir(tmp_path)
    refused(f"{name}: looks like an option: name a place with --out, or ./{name}", name, kind, force=True)
    assert check_place(f"./{name}", kind).name == name
