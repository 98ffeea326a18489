"""Plain twins of the kernels that cut 2-hop balls out of a graph (lists of neighbours)."""

from tests.naive.graphs import flatten


def two_hop_ball(rows, ego):
    """The ego, its neighbours, then the others as they are met."""
    ball = [ego, *rows[ego]]
    for near in rows[ego]:
        ball += [far for far in rows[near] if far not in ball]
    return ball


def first_large(rows, order, min_size, count, most=0):
    """The first nodes whose ball has more than ``min_size`` nodes, and at most ``most`` where that is not 0."""
    sizes = {ego: len(two_hop_ball(rows, ego)) for ego in order}
    return [ego for ego in order if sizes[ego] > min_size and (not most or sizes[ego] <= most)][:count]


def ball_sizes(rows, most):
    """The number of nodes in every ball, counted up to ``most``."""
    return [min(len(two_hop_ball(rows, ego)), most) for ego in range(len(rows))]


def published_edges(rows, ego, outer_edges):
    """Edges among the ball; without those between two nodes that are two hops away, if so wanted."""
    ball, near = set(two_hop_ball(rows, ego)), {ego, *rows[ego]}
    return {frozenset((u, v)) for u in ball for v in rows[u] if v in ball and (outer_edges or u in near or v in near)}


def induced_rows(rows, members, pseudonyms, inner, outer_edges):
    """Row starts and sorted rows of the published ball."""
    published = dict(zip(members, pseudonyms, strict=True))
    near = set(members[:inner])
    neighbors = [[] for _ in members]
    for u in members:
        for v in rows[u]:
            if v in published and (outer_edges or u in near or v in near):
                neighbors[published[u]].append(published[v])
    return flatten(neighbors)
