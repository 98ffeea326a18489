"""Short commands import little: what they import is counted, since times depend on the machine."""

import subprocess
import sys

import pytest

HEAVY = {"sklearn", "lightgbm", "matplotlib", "networkit", "jinja2", "pandas", "networkx"}
PARTS = {"scipy.stats", "scipy.linalg", "scipy.optimize", "scipy.special", "scipy.sparse"}


def imported(*words):
    """Return the names of all modules that a command imports."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-m", "thinveil", *map(str, words)], capture_output=True,
                          text=True, check=True)  # fmt: skip
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines[1:]}


def packages(modules):
    return {module.partition(".")[0] for module in modules}


@pytest.fixture
def edges(tmp_path):
    (tmp_path / "edges.txt").write_text("".join(f"{k} {7 * k % 50}\n" for k in range(200)))
    return tmp_path / "edges.txt"


@pytest.mark.parametrize("words", [["--help"], ["info", "--help"], ["--version"]])
def test_help_imports_no_numbers_at_all(words):
    assert not packages(imported(*words)) & (HEAVY | {"numpy", "numba", "scipy", "polars"})


def test_info_imports_neither_learners_nor_plots(edges):
    modules = imported("info", edges)
    assert "numba" in modules  # this test sees what is imported
    assert not packages(modules) & (HEAVY | {"polars"})
    assert not modules & PARTS


def test_info_of_a_converted_graph_reads_no_text(edges, tmp_path):
    subprocess.run(
        [sys.executable, "-m", "thinveil", "convert", edges, tmp_path / "g"], check=True, capture_output=True
    )
    modules = imported("info", tmp_path / "g")
    assert "thinveil.graph.stored.opening" in modules
    assert not packages(modules) & (HEAVY | {"polars"})
    assert not modules & PARTS
    assert "thinveil.graph.reading.formats" not in modules


def test_kernels_that_multiply_matrices_still_can():
    """A plug-in may have some: what numba was spared, it imports then."""
    code = (
        "import thinveil.runtime.threads, sys, numba, numpy as np\n"
        "assert 'scipy.linalg' not in sys.modules\n"
        "square = numba.njit(lambda a: np.dot(a, a))\n"
        "assert square(np.eye(3) * 2).tolist() == (np.eye(3) * 4).tolist()\n"
        "assert 'scipy.linalg' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
