"""Plain twin of the comparison of two appearances by what each shows alone.

An appearance is {"degree", "standing": (is inner, inner contacts, triangles, nodes, inner nodes), "histograms": three
lists, "marks": three lists, "signature": a list, "channels": lists}.
"""

import math

HISTOGRAMS = ("INNER_DEGREES", "OUTER_DEGREES", "SHARED")
MARKS = ("EXACT_DEGREES", "EXACT_SHARED", "EXACT_BOTH")


def compare(one, two, entries, appearances):
    """Return {name: value}; ``entries`` counts each mark over all ``appearances``, for each of the three kinds."""
    low, high = sorted((one, two), key=lambda side: side["degree"])
    (inner, contacts, triangles, nodes, inner_nodes), other = low["standing"], high["standing"]
    density = sorted(side["standing"][2] / max(side["degree"] ** 2, 1) for side in (one, two))
    line = {
        "FEWER_CONTACTS": low["degree"],
        "MORE_CONTACTS": high["degree"],
        "CONTACTS_RATIO": low["degree"] / max(high["degree"], 1),
        "INNER_ONES": inner + other[0],
        "CONTACTS_GAP": (high["degree"] - low["degree"]) / max(high["degree"] + low["degree"], 1) * (other[0] - inner),
        "SMALLER_NODES": min(nodes, other[3]),
        "LARGER_NODES": max(nodes, other[3]),
        "FEWER_INNER_NODES": min(inner_nodes, other[4]),
        "MORE_INNER_NODES": max(inner_nodes, other[4]),
        "FEWER_INNER_CONTACTS": min(contacts, other[1]),
        "MORE_INNER_CONTACTS": max(contacts, other[1]),
        "TRIANGLES_RATIO": min(triangles, other[2]) / max(triangles, other[2], 1),
        "LOWER_DENSITY": density[0],
        "HIGHER_DENSITY": density[1],
        "SIGNATURE": float(one["signature"] == two["signature"]),
    }
    for name, *sides in zip(HISTOGRAMS, one["histograms"], two["histograms"], strict=True):
        line[f"{name}_DIFFER"], line[f"{name}_COSINE"] = differ(*sides), cosine(*sides)
    for name, counts, *sides in zip(MARKS, entries, one["marks"], two["marks"], strict=True):
        rarity = {mark: math.log2(appearances / count + 1) for mark, count in counts.items()}
        line.update(common_marks(name, *sides, rarity))
    return line


def compare_channel(one, two):
    """The four numbers for a further channel."""
    low, high = sorted((sum(one), sum(two)))
    return {
        "DIFFER": differ(one, two), "COSINE": cosine(one, two),
        "TOTALS_RATIO": low / max(high, 1), "EQUAL": float(one == two),
    }  # fmt: skip


def differ(one, two):
    """How far two histograms differ, as a share of both."""
    return sum(abs(x - y) for x, y in zip(one, two, strict=True)) / max(sum(one) + sum(two), 1)


def cosine(one, two):
    """The cosine between two histograms."""
    squares = sum(x * x for x in one) * sum(y * y for y in two)
    return sum(x * y for x, y in zip(one, two, strict=True)) / math.sqrt(max(squares, 1))


def common_marks(name, one, two, rarity):
    """Marks in common, each as often as both have it, what they are worth, and what share that is."""
    left, common = list(two), []
    for mark in one:
        if mark in left:
            left.remove(mark)
            common.append(mark)
    worth = sum(rarity[mark] for mark in common)
    totals = [sum(rarity[mark] for mark in marks) for marks in (one, two)]
    return {
        name: len(common), f"{name}_WORTH": worth,
        f"{name}_COSINE": worth / math.sqrt(max(totals[0] * totals[1], 1)),
        f"{name}_SHARE": worth / max(min(totals), 1),
    }  # fmt: skip
