"""Plain twin of the kernel that thins a graph by lot (lists of neighbours)."""

from tests.naive.graphs import flatten

_ALL = 2**64 - 1


def lot(key, number):
    """The first 53 bits of word ``number`` of a splitmix64 stream."""
    z = (key + number * 0x9E3779B97F4A7C15) & _ALL
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _ALL
    return (z ^ (z >> 31)) >> 11


def thinned_rows(rows, pseudonyms, nodes, key, cut):
    """Row starts and sorted rows of those with a pseudonym, without edges whose lot is below ``cut``."""
    neighbors, number = [[] for _ in range(nodes)], 0
    for v, row in enumerate(rows):
        for u in row:
            if v < u and min(pseudonyms[u], pseudonyms[v]) >= 0 and lot(key, number) >= cut:
                neighbors[pseudonyms[v]].append(pseudonyms[u])
                neighbors[pseudonyms[u]].append(pseudonyms[v])
            number += 1
    return flatten(neighbors)
