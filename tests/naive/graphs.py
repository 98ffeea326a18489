"""Plain twins of the kernels that read and build graphs."""

import re
from itertools import pairwise


def neighbor_rows(source, target, node_count):
    """Sets, sorted: row starts, rows, self-loops."""
    rows = [set() for _ in range(node_count)]
    loops = 0
    for u, v in zip(source, target, strict=True):
        if u == v:
            loops += 1
        else:
            rows[u].add(v)
            rows[v].add(u)
    return *flatten(rows), loops


def number_labels(source, target):
    """Numbers in ascending order of the labels, and the labels."""
    labels = sorted({*source, *target})
    number = {label: k for k, label in enumerate(labels)}
    return [number[label] for label in source], [number[label] for label in target], labels


def read_pairs(data, delimiter, columns):
    """The chosen integer fields of each line, and where the first bad line starts, or -1."""
    pairs, start = [], 0
    for line in data.split(b"\n"):
        text = line.strip(b" \t\r")
        if delimiter == "\t" and text:
            text = line.strip(b" \r")  # an empty first field counts
        if text and text.strip(b" \t")[:1] not in (b"#", b"%"):
            fields = text.split() if delimiter == " " else text.split(delimiter.encode())
            try:
                pairs.append(tuple(parse_integer(fields[column]) for column in columns))
            except (ValueError, IndexError):
                return pairs, start
        start += len(line) + 1
    return pairs, -1


def is_closed(text, delimiter):
    """Whether all quoted fields of a line end on it, and no return stands outside of them."""
    while True:
        text = text.lstrip(" " if delimiter == "\t" else " \t")
        quoted = re.match(r'"(""|[^"])*"(?!")', text)
        if quoted is None and text.startswith('"'):
            return False
        field, more, text = text[quoted.end() if quoted else 0 :].partition(delimiter)
        if "\r" in (field if more else field.rstrip("\r")):
            return False
        if not more:
            return True


def parse_integer(field):
    """An integer of 64 bits, signed or unsigned."""
    field = field.strip(b" \t")
    digits = field[1:] if field[:1] in (b"+", b"-") else field
    if not digits or any(byte not in b"0123456789" for byte in digits):
        raise ValueError(field)
    number = int(field)
    if not -(2**63) <= number < 2**64:
        raise ValueError(field)
    return number


def flatten(neighbors):
    """Row starts, and the sorted rows one after the other."""
    starts, flat = [0], []
    for row in neighbors:
        flat += sorted(row)
        starts.append(len(flat))
    return starts, flat


def is_simple(starts, flat):
    """Whether rows are those of a simple undirected graph: sorted, without loops, each edge in two rows."""
    nodes = len(starts) - 1
    rows = [flat[first:last] for first, last in pairwise(starts)]
    pairs = {(u, v) for u, row in enumerate(rows) for v in row}
    return all(0 <= v < nodes and u != v and (v, u) in pairs for u, v in pairs) and all(
        row == sorted(set(row)) for row in rows
    )


def first_stray(starts, flat, source, target):
    """The first pair that is no edge, or -1."""
    pairs = zip(source, target, strict=True)
    return next((k for k, (u, v) in enumerate(pairs) if v not in flat[starts[u] : starts[u + 1]]), -1)
