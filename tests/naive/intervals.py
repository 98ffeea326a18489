"""Plain twin of the bootstrap: groups are drawn one by one, and all ends are sorted."""

import random


def resampled_share(amounts, sizes, *, seed, resamples=4_000, confidence=0.95):
    """Draw whole groups with replacement, as many as there are, again and again."""
    rng, groups, shares = random.Random(seed), list(zip(amounts, sizes, strict=True)), []
    for _ in range(resamples):
        drawn = [rng.choice(groups) for _ in groups]
        shares.append(sum(a for a, _ in drawn) / sum(s for _, s in drawn))
    shares.sort()
    tail = (1 - confidence) / 2
    return shares[int(tail * resamples)], shares[int((1 - tail) * resamples) - 1]


def group_sums(keys, found):
    """Hits and trials by key, in the order of the keys."""
    return {
        key: (sum(f for k, f in zip(keys, found, strict=True) if k == key), keys.count(key))
        for key in sorted(set(keys))
    }


def products(lines, share):
    """Products of what two trials are above the share: of one person; of others in both sub-graphs; in either."""
    own = both = either = 0.0
    for person, a, b, hit in lines:
        for other, c, d, other_hit in lines:
            product = (hit - share) * (other_hit - share)
            shared = len({a, b} & {c, d})
            if person == other:
                own += product
            else:
                both += product * (shared == 2)
                either += product * shared
    return own, both, either
