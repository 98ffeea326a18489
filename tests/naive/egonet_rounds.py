"""A plain twin of the rounds that name the people of one sub-graph, from contacts with names."""

import math

import numpy as np

KEPT, LOOKED_AT, RAREST, BUDGET, FAR_BEHIND, MISSING, LEAST = 3, 12, 12, 4_000, 15.0, 2.5, 0.5


def name_subgraph(scene, overlap, remade, null):
    """The best people of every appearance and what is known of the best: {w: {person: facts}}, best first."""
    odds = {w: {} for w in scene["rows"]}
    for w in sorted(remade):
        named = [x for x in sorted(scene["rows"][w]) if scene["person"][x] >= 0]
        facts = {v: weigh(scene, w, v, named, overlap) for v in look_around(scene, w, named)}
        best = sorted(facts, key=lambda v: -facts[v]["odds"])[:KEPT]
        odds[w] = {v: facts[v] for v in best}
    return {w: share_out(w, odds, null) for w in odds}


def counts(scene, w, x):
    """Whether a contact counts: not between two outer appearances, where the rim does not."""
    return scene["rim"] or scene["inner"][w] or scene["inner"][x]


def look_around(scene, w, named):
    """The people who know the rarest of the named contacts; first those of whom that says most, and who pay least."""
    graph, person, odds, shared, budget = scene["graph"], scene["person"], {}, {}, BUDGET
    ends, looked = sum(map(len, graph)), 0
    for x in sorted(named, key=lambda x: len(graph[person[x]]))[:RAREST]:
        known = sorted(graph[person[x]])
        if len(known) > budget:
            break
        budget, looked = budget - len(known), looked + 1
        for v in known:
            one = np.float32(math.log(ends / len(known))) - np.float32(math.log(len(graph[v])))
            odds[v], shared[v] = np.float32(odds.get(v, 0) + max(np.float32(LEAST), one)), shared.get(v, 0) + 1
    for v in odds:
        reach = sum(person[y] in graph[v] for y in scene["rows"] if person[y] >= 0 and counts(scene, w, y))
        beyond = max(0.0, np.float32(reach - shared[v] * np.float32(len(named) / looked)))
        odds[v] -= np.float32(MISSING * (beyond + looked - shared[v]))
        if scene["inner"][w]:
            odds[v] -= np.float32((math.sqrt(len(scene["rows"][w])) - math.sqrt(scene["degrees"][v])) ** 2)
    chosen = sorted(odds, key=lambda v: -odds[v])[:LOOKED_AT]
    return [v for v in chosen if scene["inner"][w] or odds[v] >= odds[chosen[0]] - FAR_BEHIND]


def weigh(scene, w, v, named, overlap):
    """The log odds that w is v, and the numbers behind it."""
    graph, rows, person, trust = (scene[key] for key in ("graph", "rows", "person", "trust"))
    ends = sum(map(len, graph))
    total, shared, rarest = 0.0, [], 0.0
    for x in named:
        if person[x] in graph[v]:
            chance = min(0.5, len(graph[v]) * len(graph[person[x]]) / ends)
            one = math.log(trust[x] * overlap.edges / chance + 1 - trust[x])
            total, rarest = total + max(0.05, one), max(rarest, one)
            shared.append(x)
        else:
            total += math.log(max(0.05, 1 - trust[x] * overlap.edges))
    here = [y for y in rows if person[y] in graph[v] and y != w and y not in rows[w] and counts(scene, w, y)]
    total += sum(math.log(max(0.05, 1 - trust[y] * overlap.edges)) for y in here)
    gap = math.sqrt(len(rows[w])) - math.sqrt(scene["degrees"][v])
    if scene["inner"][w] or gap >= 0:
        total += scene["inner"][w] - gap**2 / (1 - overlap.people * overlap.edges)
    return {
        "odds": total, "shared": len(shared), "missing there": len(named) - len(shared), "missing here": len(here),
        "named contacts": len(named), "contacts": len(rows[w]), "degree": scene["degrees"][v], "gap": gap,
        "inner": scene["inner"][w], "rarest": rarest,
        "trust": sum(trust[x] for x in shared) / max(1, len(shared)),
    }  # fmt: skip


def share_out(w, odds, null):
    """The facts of each person of w, with the two shares, the margin and how strong all rivals for the person are."""
    mine, result = odds[w], {}
    for v, facts in mine.items():
        rivals = [other[v]["odds"] for other in odds.values() if v in other]
        share = 1 / sum(math.exp(one - facts["odds"]) for one in [*rivals, null])
        own = 1 / sum(math.exp(one - facts["odds"]) for one in [*(other["odds"] for other in mine.values()), null])
        others = sorted((other["odds"] for other in mine.values()), reverse=True)
        result[v] = facts | {
            "probability": min(share, own), "share": share, "margin": others[0] - others[1] if len(others) > 1 else 20,
            "rivals": math.log(sum(math.exp(one - max(rivals)) for one in rivals)),
        }  # fmt: skip
    return result
