"""Forests on disk, without pickle: loading a file can fail, it cannot run code.

A model file is an ``.npz`` of plain arrays (the table of nodes, gains, roots), the parameters as JSON, and a
SHA-256 over all of them. A file that was changed is refused; so is one whose checksum was changed along with
it but whose trees are not trees.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from thinveil.errors import ModelError
from thinveil.learners.forest.checks import check_widths
from thinveil.learners.forest.forest import PairForest
from thinveil.learners.forest.growing import CHILD, DIFFERENT, FIRST, IDENTICAL, SECOND, STEP
from thinveil.learners.forest.trees import Trees
from thinveil.runtime.archives import NONSENSE, is_archive, pack_archive, read_model_file, unpack_archive
from thinveil.runtime.files import File, write_together
from thinveil.runtime.inputs import first_line
from thinveil.runtime.places import Kind, check_place

_FORMAT = "thinveil forest 1"
_ARRAYS = {"nodes": ("<i4", 2), "gains": ("<i8", 1), "roots": ("<i8", 1)}


def save_forest(forest: PairForest, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write a grown forest to a file; an earlier forest is replaced with ``force``, and nothing else ever.

    Examples
    --------
    >>> import tempfile
    >>> forest = PairForest(trees=3).fit([[0, 1], [1, 1], [2, 2], [3, 1]], [False, True, True, False])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_forest(forest, folder + "/model.npz")
    ...     load_forest(folder + "/model.npz").trees
    3
    """
    place = check_place(path, FOREST, force=force)
    write_together(File(place, pack_forest(forest), may_replace=FOREST.may_replace(force)))


def pack_forest(forest: PairForest) -> bytes:
    """Return the content of a grown forest's file."""
    check_is_fitted(forest)
    arrays = {name: getattr(forest.grown_, name).astype(kind) for name, (kind, _) in _ARRAYS.items()}
    known = {"widths": list(forest.widths_), "thresholds": forest.grown_.steps + 1, "seed": int(forest.seed)}
    parameters = {**forest.get_params(), **known}
    return pack_archive({"format": _FORMAT, "parameters": parameters}, arrays)


def load_forest(path: str | os.PathLike[str]) -> PairForest:
    """Read a forest from a file, or say why the file is not one."""
    return unpack_forest(read_model_file(path), path)


FOREST = Kind("forest", lambda path: is_archive(path, '"format": "thinveil forest'))
"""A forest's file, and how it is told from a foreign one."""


def unpack_forest(content: bytes, path: str | os.PathLike[str]) -> PairForest:
    """Make the forest of a file's content, or say why it is not one; ``path`` is for the message."""
    about, arrays = unpack_archive(content, path, tuple(_ARRAYS))
    try:
        return _rebuild(about, arrays)
    except NONSENSE as error:
        raise ModelError(f"{path}: the model makes no sense ({first_line(error)}): train it again") from None


def _rebuild(about: Any, arrays: dict[str, NDArray[Any]]) -> PairForest:
    if about["format"] != _FORMAT:
        raise ValueError(f"format {about['format']!r}, expected {_FORMAT!r}")
    parameters = about["parameters"]
    widths = check_widths(parameters["widths"], _sum(parameters["widths"]))
    # how many threads there are is for the machine to say on which the forest is loaded
    forest = PairForest(**{**parameters, "widths": widths, "threads": None})
    forest.check_parameters()
    for name, (kind, dimensions) in _ARRAYS.items():
        if arrays[name].dtype.str != kind or arrays[name].ndim != dimensions:
            raise ValueError(f"array {name} is of the wrong kind")
    nodes, gains, roots = (np.ascontiguousarray(arrays[name]) for name in _ARRAYS)
    grown = Trees(nodes, gains, roots, forest.thresholds - 1)
    _check_trees(grown, sum(widths))
    forest.adopt(grown, widths)
    return forest


def _sum(widths: Any) -> int:
    if not isinstance(widths, list) or not all(isinstance(width, int) for width in widths):
        raise ValueError("widths that are no whole numbers")
    if not 0 < sum(widths) < 2**31:
        raise ValueError("wider than any vector")
    return sum(widths)


def _check_trees(grown: Trees, width: int) -> None:
    """Refuse trees that would lead a pair in circles or out of the table."""
    nodes, roots, count = grown.nodes, grown.roots, len(grown.nodes)
    if nodes.shape[1:] != (6,) or grown.gains.size != count or not roots.size:
        raise ValueError("arrays do not fit each other")
    if roots[0] != 0 or (np.diff(roots) < 1).any() or roots[-1] >= count:
        raise ValueError("roots are out of place")
    child, place = nodes[:, CHILD], np.arange(count)
    ends = np.repeat(np.append(roots[1:], count), np.diff(np.append(roots, count)))
    if ((child != 0) & ((child <= place) | (child + 1 >= ends))).any():
        raise ValueError("children are out of place")
    children = child[child != 0]
    # every node is a root or the child of just one other: prediction never reads what it has not written
    if not np.array_equal(np.sort(np.concatenate((roots, children, children + 1))), place):
        raise ValueError("nodes that are nobody's children")
    components = nodes[:, [FIRST, SECOND]]
    if (components < 0).any() or (components >= width).any() or (nodes[:, STEP] < 0).any():
        raise ValueError("splits are out of range")
    if (nodes[:, STEP] >= grown.steps).any() or (nodes[:, [IDENTICAL, DIFFERENT]] < 0).any():
        raise ValueError("splits or counts are out of range")
    if (nodes[:, IDENTICAL] + nodes[:, DIFFERENT] < 1).any():
        raise ValueError("a node without points")
