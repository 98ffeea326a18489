"""Plain twin of the degree histograms."""


def histograms(rows, nodes, bins, bin_size):
    """Neighbours by degree: bin i holds i*b < degree <= (i+1)*b, the last one all above as well."""
    return _count([rows[v] for v in nodes], rows, bins, bin_size)


def two_hop(rows, nodes, bins, bin_size):
    """Everybody within two hops but the node itself, in the same bins."""
    return _count([{u for near in rows[v] for u in (near, *rows[near])} - {v} for v in nodes], rows, bins, bin_size)


def _count(groups, rows, bins, bin_size):
    result = []
    for group in groups:
        counts = [0] * bins
        for u in group:
            degree = len(rows[u])
            fits = [i for i in range(bins) if i * bin_size < degree <= (i + 1) * bin_size]
            counts[fits[0] if fits else bins - 1] += 1
        result.append(counts)
    return result
