"""Plain twin of the overlap of 2-hop neighbourhoods (a sub-graph is lists of neighbours, and who its nodes are)."""


def ball(rows, node):
    """All nodes within two hops."""
    near = {node, *rows[node]}
    return near.union(*(rows[other] for other in near))


def jaccard(one, two):
    """Share of people in both neighbourhoods among those in either; each side is (rows, people, node)."""
    first, second = ({people[v] for v in ball(rows, node)} for rows, people, node in (one, two))
    return len(first & second) / len(first | second)
