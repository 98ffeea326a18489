"""Plain twins of leads: how far a value is before the best other one of its group, and comparisons by links."""

ROUNDING = 1e-6
VALUES = ("COSINE", "TIES", "NET")


def margin(value, others):
    """How far a value lies above the best of the others of its group, or below it; alone it leads by all it has.

    A value that is the best but for rounding counts as the best.
    """
    best = max([value, *others])
    if value < best - ROUNDING:
        return value - best
    return value - (sorted([value, *others])[-2] if others else 0.0)


def margin_among(value, group):
    """How far a value would lead a group that it need not belong to: before the second if it reaches the first."""
    first, second, *_ = [*sorted(group, reverse=True), *([0.0] * (2 - min(2, len(group))))]
    return value - second if value >= first - ROUNDING else value - first


def values_of(evidence):
    """The three values by which candidates are ranked; evidence is {name: number}."""
    return {
        "COSINE": evidence["TRUSTED_COSINE"] * min(evidence["TRUSTED_WEIGHT"], 10.0) ** 0.5,
        "TIES": evidence["TRUSTED_EQUAL_TIES"],
        "NET": evidence["NET_WEIGHT"],
    }


def leads(candidates):
    """The six leads of each candidate (appearance, cluster, evidence) of one sub-graph."""
    lines = []
    for k, (*mine, evidence) in enumerate(candidates):
        line = {}
        for name in VALUES:
            for kind, side in enumerate(("APPEARANCE", "CLUSTER")):
                rivals = [one for j, one in enumerate(candidates) if j != k and one[kind] == mine[kind]]
                value = values_of(evidence)[name]
                line[f"{name}_OF_{side}"] = margin(value, [values_of(one[2])[name] for one in rivals])
        lines.append(line)
    return lines


def one_side(appearance, cluster, evidence, found, judge):
    """Evidence, leads and verdict of an appearance against a cluster, among the candidates of its sub-graph.

    ``found`` lists (appearance, cluster, evidence, probability) of these; ``judge`` gives the probability by the
    evidence and the leads.
    """
    groups = {
        "APPEARANCE": [one for one in found if one[0] == appearance],
        "CLUSTER": [one for one in found if one[1] == cluster],
    }
    lead = {
        f"{name}_OF_{side}": margin_among(values_of(evidence)[name], [values_of(one[2])[name] for one in group])
        for name in VALUES for side, group in groups.items()
    }  # fmt: skip
    sure = judge(appearance, {**evidence, **lead})
    last = {f"LEAD_OF_{side}": margin_among(sure, [one[3] for one in group]) for side, group in groups.items()}
    return {**evidence, **lead, "PROBABILITY": sure, **last}


def compare(one, two, unused):
    """The smaller and the larger of both sides, name by name, but for those that pairs are not compared by."""
    names = [name for name in one if name not in unused]
    return [min(one[name], two[name]) for name in names] + [max(one[name], two[name]) for name in names]
