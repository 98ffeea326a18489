"""Plain twin of ego detection."""


def detect_ego(rows):
    """The single node from which all others are at most two hops away, or None."""
    centers = [v for v in range(len(rows)) if len({v, *rows[v], *(w for u in rows[v] for w in rows[u])}) == len(rows)]
    return centers[0] if len(centers) == 1 else None
