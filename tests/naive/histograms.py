"""Plain twin of the degree histograms."""


def histograms(rows, nodes, bins, bin_size):
    """Neighbours by degree: bin i holds i*b < degree <= (i+1)*b, the last one all above as well."""
    result = []
    for v in nodes:
        counts = [0] * bins
        for u in rows[v]:
            degree = len(rows[u])
            fits = [i for i in range(bins) if i * bin_size < degree <= (i + 1) * bin_size]
            counts[fits[0] if fits else bins - 1] += 1
        result.append(counts)
    return result
