"""Plain twins of the kernels that sort edges on the disk."""

from tests.naive.graphs import flatten

SPAN = 65536


def deal_keys(keys, range_of, ranges, by_high):
    """Keys by range, in their order, and where each range starts."""
    dealt = [[] for _ in range(ranges)]
    for key in keys:
        dealt[range_of[key % 2**32 if by_high else key // 2**32]].append(key)
    starts = [0]
    for run in dealt:
        starts.append(starts[-1] + len(run))
    return [key for run in dealt for key in run], starts


def rows_of(pairs, first, last):
    """The rows of the nodes of a range, from all edges."""
    rows = [set() for _ in range(first, last)]
    for u, v in pairs:
        for node, other in ((u, v), (v, u)):
            if first <= node < last and u != v:
                rows[node - first].add(other)
    return flatten(rows)[1]


def enrol(fields):
    """Numbers by first appearance."""
    numbers = {}
    return [numbers.setdefault(field, len(numbers)) for field in fields]
