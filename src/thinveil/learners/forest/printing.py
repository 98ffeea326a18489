"""A tree as text, in the manner of the paper's Figure 4."""

from __future__ import annotations

from sklearn.utils.validation import check_is_fitted

from thinveil.errors import InputError
from thinveil.learners.forest.forest import PairForest
from thinveil.learners.forest.growing import CHILD, DIFFERENT, FIRST, IDENTICAL, SECOND, STEP


def print_tree(forest: PairForest, tree: int) -> str:
    """Return a tree of the forest as indented text: questions at splits, (non-identical, identical) at leaves.

    ::

        δ(v1[0], v2[58]) ≤ 0.95
        ├─ False: δ(v1[7], v2[29]) ≤ 0.45
        │  ├─ False: 18, 19
        ...
    """
    check_is_fitted(forest)
    roots = forest.grown_.roots
    if not 0 <= tree < roots.size:
        raise InputError(f"no tree {tree}: the forest has trees 0 to {roots.size - 1}")
    return "\n".join(_lines(forest, int(roots[tree]), "", ""))


def _lines(forest: PairForest, node: int, lead: str, indent: str) -> list[str]:
    row = forest.grown_.nodes[node]
    child = int(row[CHILD])
    if not child:
        return [f"{lead}{row[DIFFERENT]}, {row[IDENTICAL]}"]
    tau = row[STEP] / forest.grown_.steps
    question = f"{lead}δ(v1[{row[FIRST]}], v2[{row[SECOND]}]) ≤ {tau:.3g}"
    left = _lines(forest, child, f"{indent}├─ False: ", f"{indent}│  ")
    right = _lines(forest, child + 1, f"{indent}└─ True: ", f"{indent}   ")
    return [question, *left, *right]
