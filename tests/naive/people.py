"""Plain twin of the tables of people: one person after the other."""


def tabulate(person, degree, is_far, asked, linked):
    """Return (person, rows, degree, hops, looked, linked) of everybody of whom a pair was asked."""
    lines = []
    for who in sorted(set(asked)):
        mine = [k for k, owner in enumerate(person) if owner == who]
        outcomes = [hit for owner, hit in zip(asked, linked, strict=True) if owner == who]
        hops = None if is_far is None else 2 if all(is_far[k] for k in mine) else 1
        lines.append((who, len(mine), max(degree[k] for k in mine), hops, len(outcomes), sum(outcomes)))
    return lines


def histogram(lines):
    """Return how many were never linked, and how many have a risk above k * 10% and up to (k + 1) * 10%."""
    counts = [sum(10 * linked > k * looked and 10 * linked <= (k + 1) * looked for *_, looked, linked in lines)
              for k in range(10)]  # fmt: skip
    return sum(linked == 0 for *_, linked in lines), counts
