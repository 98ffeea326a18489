"""Labels of any hashable kind: whole numbers and texts stay as they are, all else becomes its text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph.exchange.base import NO_BYTES
from thinveil.graph.reading.labels import CODED, has_control, text_labels
from thinveil.graph.reading.sources import Source
from thinveil.runtime.visible import shown


def enrol(nodes: Iterable[Any]) -> tuple[dict[Hashable, int], NDArray[Any] | None]:
    """Return the number of each node, in ascending order of the labels, and the labels; None if they are the numbers.

    Examples
    --------
    >>> enrol(["bob", "ann", "bob"])
    ({'ann': 0, 'bob': 1}, array(['ann', 'bob'], dtype='<U3'))
    >>> enrol([(1, 2), (0, 3)])
    ({(0, 3): 0, (1, 2): 1}, array(['(0, 3)', '(1, 2)'], dtype='<U6'))
    """
    try:
        distinct = list(dict.fromkeys(nodes))
    except TypeError as error:
        raise InputError(f"a node cannot be told from others: {error}; use numbers, texts or tuples") from None
    for node in distinct:
        if node is None or node != node:
            raise InputError(f"a node is {node}, which stands for a value that is not there: leave its edges out")
    called = _integers(distinct)
    if called is None:
        called = _texts(distinct)
    order = np.argsort(called, kind="stable")
    labels = called[order]
    place = {distinct[k]: number for number, k in enumerate(order.tolist())}
    is_plain = labels.dtype.kind in "iu" and (not labels.size or (labels[0] == 0 and labels[-1] == labels.size - 1))
    return place, None if is_plain else labels


def _integers(nodes: list[Any]) -> NDArray[Any] | None:
    """Return whole numbers that fit a type of 64 bits; None where there is anything else."""
    if not all(isinstance(node, int | np.integer) and not isinstance(node, bool) for node in nodes):
        return None
    numbers = [int(node) for node in nodes]
    low, high = min(numbers, default=0), max(numbers, default=0)
    if low < -(2**63) or high >= (2**64 if low >= 0 else 2**63):
        return None
    return np.array(numbers, dtype=np.uint64 if high >= 2**63 else np.int64)


def _texts(nodes: list[Any]) -> NDArray[Any]:
    first: dict[str, Any] = {}
    for node in nodes:
        text = node if isinstance(node, str) else str(node)
        if has_control(text) or CODED.search(text):
            raise InputError(f"the label {shown(node)} has a control character in it, such as NUL: take it out")
        if text in first:
            raise InputError(
                f"the labels {shown(first[text])} and {shown(node)} are the same when written: rename one of them"
            )
        first[text] = node
    return text_labels(Source("the labels", NO_BYTES), list(first))
