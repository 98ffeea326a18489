"""Plain twins of the published attacks that name people (lists of neighbours; equals go by number)."""

from math import inf, sqrt

EQUAL = 1e-9


def owners(image):
    return {node: person for person, node in enumerate(image) if node >= 0}


def propagate(people, nodes, known, *, theta, power, by_ratio, sweeps):
    """Narayanan and Shmatikov, and Bumblebee: the node of each person, and the lead of each."""
    image, owner = list(known), owners(known)
    lead, looked, watched, clock = [0.0] * len(people), [0] * len(people), {}, 1
    own, near = ({}, {}), ({}, {})

    def touch(side, rows, node):
        own[side][node] = clock
        near[side].update((neighbor, clock) for neighbor in rows[node])

    def is_stale(person):
        best, rival, rival_back = watched.get(person, (None, None, None))
        times = [near[0].get(person, 0), near[1].get(best, 0), own[1].get(best, 0), own[1].get(rival, 0)]
        return max(*times, own[0].get(rival_back, 0)) > looked[person]

    for person, node in enumerate(known):
        if node >= 0:
            touch(0, people, person)
            touch(1, nodes, node)
    for _ in range(sweeps):
        before = clock
        for person in range(len(people)):
            if known[person] >= 0 or not is_stale(person):
                continue
            looked[person] = clock
            named = {p: n for p, n in enumerate(image) if n >= 0}
            best, rival, ahead = choose(people, nodes, named, owner, person, power, by_ratio)
            watched[person] = best, rival, None
            if ahead < theta - EQUAL:
                continue
            reverse, rival_back, back = choose(nodes, people, owner, named, best, power, by_ratio)
            watched[person] = best, rival, rival_back if reverse == person else reverse
            if reverse != person or back < theta - EQUAL:
                continue
            lead[person] = min(ahead, back)
            if image[person] != best:
                clock += 1
                if image[person] >= 0:
                    del owner[image[person]]
                    touch(1, nodes, image[person])
                image[person], owner[best] = best, person
                touch(0, people, person)
                touch(1, nodes, best)
        if clock == before:
            break
    return image, lead


def choose(own, other, image, owner, node, power, by_ratio):
    """The best candidate, the second, and the lead in standard deviations; below 0 if they are equal."""
    counts = {}
    for neighbor in own[node]:
        if neighbor in image:
            for candidate in other[image[neighbor]]:
                if owner.get(candidate, node) == node:
                    counts[candidate] = counts.get(candidate, 0) + 1
    scores = {}
    for candidate, count in counts.items():
        degrees = sorted((len(own[node]), len(other[candidate])))
        scores[candidate] = count * (degrees[0] / degrees[1] if by_ratio else 1 / len(other[candidate])) ** power
    ranked = sorted(scores, key=lambda candidate: -scores[candidate])  # equals as they are met
    if not ranked:
        return None, None, -1.0
    first, second = scores[ranked[0]], scores[ranked[1]] if len(ranked) > 1 else 0
    rival = ranked[1] if len(ranked) > 1 else None
    if first - second <= EQUAL:
        return ranked[0], rival, -1.0
    mean = sum(scores.values()) / len(scores)
    spread = sum((score - mean) ** 2 for score in scores.values()) / len(scores)
    return ranked[0], rival, (first - second) / sqrt(spread) if spread > EQUAL else inf


def reconcile(people, nodes, known, *, witnesses, iterations):
    """Korula and Lattanzi: the node of each person, and its witnesses."""
    image, evidence = list(known), [0] * len(people)
    for _ in range(iterations):
        degree = 1
        while 2 * degree <= max(map(len, people)):
            degree *= 2
        while degree >= 1:
            owner = owners(image)
            counts = {}
            for person, row in enumerate(people):
                for contact in row:
                    if image[person] < 0 and len(row) >= degree and image[contact] >= 0:
                        for node in nodes[image[contact]]:
                            if node not in owner and len(nodes[node]) >= degree:
                                counts[person, node] = counts.get((person, node), 0) + 1
            enough = {pair: count for pair, count in counts.items() if count >= witnesses}
            for person, node, count in mutual_best(enough):
                image[person], evidence[person] = node, count
            degree //= 2
    return image, evidence


def mutual_best(scores, margin=0):
    """The pairs whose score is above all others of either side, by more than a margin."""
    left, right = {}, {}
    for (one, other), score in scores.items():
        left.setdefault(one, []).append((score, other))
        right.setdefault(other, []).append((score, one))
    best = []
    for (one, other), score in scores.items():
        rivals = [s for s, o in left[one] if o != other] + [s for s, o in right[other] if o != one]
        if all(score - rival > margin for rival in rivals):
            best.append((one, other, score))
    return best


def percolate(people, nodes, known, picks, *, marks, limit):
    """Percolation: the node of each person, and how many marks were dropped for lack of room."""
    image, owner, table = list(known), owners(known), {}
    unused, step, dropped, asked, purged = [p for p, node in enumerate(known) if node >= 0], 0, 0, 0, 0
    while unused:
        place = int(picks[step] * len(unused))
        step += 1
        person, last = unused[place], unused.pop()
        if place < len(unused):
            unused[place] = last
        if len(table) >= limit and asked - purged >= limit:
            purged = asked
            table = {pair: count for pair, count in table.items() if image[pair[0]] < 0 and pair[1] not in owner}
        for one in people[person]:
            for other in nodes[image[person]]:
                if image[one] >= 0 or other in owner or min(len(people[one]), len(nodes[other])) < marks:
                    continue
                asked += 1
                if (one, other) not in table and len(table) >= limit:
                    dropped += 1
                    continue
                table[one, other] = table.get((one, other), 0) + 1
                if table[one, other] >= marks:
                    image[one], owner[other] = other, one
                    unused.append(one)
    return image, dropped


def expand_when_stuck(people, nodes, known, *, marks):
    """ExpandWhenStuck with room for all pairs: the node of each person, and the expansions."""
    image, owner, table, near, used = list(known), owners(known), {}, set(), set()
    expansions = 0

    def free(pair):
        return image[pair[0]] < 0 and pair[1] not in owner

    def spread(person, node, amount):
        pairs = [(one, other) for one in people[person] for other in nodes[node] if free((one, other))]
        pairs = [(one, other) for one, other in pairs if min(len(people[one]), len(nodes[other])) >= marks]
        for pair in pairs:
            table[pair] = table.get(pair, 0) + amount
        return pairs

    def rank(pair):
        return -table[pair], abs(len(people[pair[0]]) - len(nodes[pair[1]])), pair

    for person, node in enumerate(known):
        if node >= 0:
            near.update(spread(person, node, 1))
    while True:
        before = len(owner)
        while candidates := [pair for pair, count in table.items() if count >= marks and free(pair)]:
            person, node = min(candidates, key=rank)
            image[person], owner[node] = node, person
            near.update(spread(person, node, 0 if (person, node) in used else 1))
        waiting = [pair for pair in near - used if free(pair)]
        if (expansions and len(owner) == before) or not waiting:
            return image, expansions
        used.update(waiting)
        for pair in waiting:
            spread(*pair, 1)
        expansions += 1


def count_witnesses(people, nodes, image):
    """How many contacts of each person have a node that is a contact of the person's."""
    return [
        sum(image[contact] >= 0 and image[contact] in nodes[image[person]] for contact in row)
        if image[person] >= 0
        else 0
        for person, row in enumerate(people)
    ]
