"""Plain twin of the signature channel: rows are lists of neighbours."""


def common_neighbors(rows):
    """For every entry of every row, how many neighbours both ends have in common."""
    sets = [set(row) for row in rows]
    return [len(sets[u] & sets[v]) for u, row in enumerate(rows) for v in row]


def signature(rows, node):
    """The paper's signature: number of friends, then their sorted degrees inside the node's 1-hop network."""
    inside = {node, *rows[node]}
    return [len(rows[node]), *sorted(sum(other in inside for other in rows[friend]) for friend in rows[node])]
