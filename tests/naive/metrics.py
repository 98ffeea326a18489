"""Plain twins of the metrics: all thresholds tried."""

from fractions import Fraction


def tpr_at_fpr(positives, negatives, fpr):
    """The best share of positives at or above a threshold that lets no more than fpr of the negatives pass.

    As a binary fraction, 0.3 is a little less than 3 in 10.
    """
    best = 0
    for threshold in {*positives, *negatives}:
        if Fraction(sum(s >= threshold for s in negatives), len(negatives)) <= fpr + 1e-9:
            best = max(best, sum(s >= threshold for s in positives))
    return best / len(positives)


def auc(positives, negatives):
    """Pairs won, ties counting half."""
    won = sum((p > n) + Fraction(int(p == n), 2) for p in positives for n in negatives)
    return won / (len(positives) * len(negatives))


def roc_points(positives, negatives):
    """Points (false positives, true positives) of all thresholds."""
    return [(0, 0)] + [
        (sum(s >= threshold for s in negatives), sum(s >= threshold for s in positives))
        for threshold in sorted({*positives, *negatives}, reverse=True)
    ]


def placements(positives, negatives):
    """Share of negatives below each positive, ties counting half."""
    return [sum((p > n) + (p == n) / 2 for n in negatives) / len(negatives) for p in positives]
