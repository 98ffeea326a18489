"""How much memory may be taken: the machine, control groups and limits of the process all have a say."""

import subprocess
import sys

import pytest

from thinveil.errors import InputError, ReleaseError
from thinveil.report.files import read_settings
from thinveil.runtime.memory import cgroup_memory, free_memory
from thinveil.schemes import read_release

NO_BOUND = 2**62


def make_group(folder, limit, used, copies, *, version=2):
    folder.mkdir(parents=True, exist_ok=True)
    names = {2: ("memory.max", "memory.current", ""), 1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_")}
    limits, uses, prefix = names[version]
    (folder / limits).write_text(f"{limit}\n")
    (folder / uses).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\n{prefix}inactive_file {copies}\n")


def told(tmp_path, lines):
    (tmp_path / "mine").write_text(lines)
    return cgroup_memory(tmp_path / "mine", tmp_path / "root")


def test_a_control_group_of_version_2_or_any_around_it_sets_a_limit(tmp_path):
    make_group(tmp_path / "root/a/b", "max", 10, 0)
    assert told(tmp_path, "0::/a/b\n") == NO_BOUND
    make_group(tmp_path / "root/a", 1000, 300, 50)
    assert told(tmp_path, "0::/a/b\n") == 750
    make_group(tmp_path / "root", 400, 300, 0)
    assert told(tmp_path, "0::/a/b\n") == 100
    assert told(tmp_path, "0::/not/there\n") == 100


def test_a_control_group_of_version_1_sets_a_limit(tmp_path):
    make_group(tmp_path / "root/memory/job", 900, 950, 70, version=1)
    assert told(tmp_path, "5:devices:/\n4:memory:/job\n0::/\n") == 20
    assert told(tmp_path, "5:devices:/job\n") == NO_BOUND


@pytest.mark.parametrize("lines", ["", "nonsense\n", "0::/../..\n", "::\n"])
def test_no_control_group_is_no_limit(tmp_path, lines):
    assert told(tmp_path, lines) == NO_BOUND
    assert cgroup_memory(tmp_path / "none") == NO_BOUND


def test_a_limit_of_the_process_is_kept():
    pytest.importorskip("resource")
    code = (
        "import resource; from thinveil.runtime.memory import free_memory; "
        "resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29)); print(free_memory())"
    )
    limited = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    assert 2**26 <= limited < 2**29
    assert free_memory() >= 2**26


def test_settings_and_releases_are_not_read_whole_if_they_are_too_long(tmp_path):
    for name in ("settings.toml", "release.toml"):
        with open(tmp_path / name, "wb") as file:
            file.truncate(300_000_000)
    with pytest.raises(InputError, match="longer than 262,144 bytes"):
        read_settings(tmp_path / "settings.toml")
    with pytest.raises(ReleaseError, match="longer than 262,144 bytes"):
        read_release(tmp_path)
