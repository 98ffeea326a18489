"""How much could any attack by contacts find? A genie's bound, and how good a start the rounds need.

The genie knows the names of all people but one, and who is in one graph only. That one node of the target is its true
person or somebody who is not in the target at all; the genie takes whom the shared named contacts, and those missing
on either side, make likeliest. No attack that judges by contacts is told as much. Equals share a point.

Beside it: the share of people who keep not a single contact in both graphs or have a structural twin, and what the
rounds make of starts that somebody else hands them: the whole truth, and links of the core of which a share is right.

    python benchmarks/bench_bound.py [--draws 3] [ROW ...]     such as flickr:0.25:0.25, or douban
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import scipy.sparse
from bench_whole import FILES, two_graphs

import thinveil
from thinveil.attacks.matching.whole.rounds import propagate
from thinveil.attacks.matching.whole.scan import Linked
from thinveil.graph import Graph
from thinveil.graph.twins import has_twin

ROWS = ("flickr:0.25:0.25", "flickr:0.5:0.5", "epinions:0.25:0.5", "douban")
SHARES = (0.5, 0.2, 0.05)  # of an oracle's links that are right
CORE = 1000
ASKED, AT_ONCE = 3000, 250  # people whom the genie is asked about
EQUAL = 1e-3


def douban(folder):
    """Return the online network, the offline one, and for each node offline who it is online."""
    online, offline = (np.loadtxt(folder / f"{name}.edgelist", dtype=int) for name in ("online", "offline"))
    person, node = np.loadtxt(folder / "groundtruth", dtype=int).T
    auxiliary, target = Graph.from_edges(*online.T), Graph.from_edges(*offline.T)
    truth = np.full(target.node_count, -1)
    truth[node] = person
    return auxiliary, target, truth


def matrix(graph):
    ones = np.ones(graph.indices.size, dtype=np.float32)
    return scipy.sparse.csr_matrix((ones, graph.indices, graph.indptr), shape=(graph.node_count,) * 2)


def genie(auxiliary, target, truth, chance):
    """Return the genie's right %, the % without a shared contact, shared contacts per person, and both survivals."""
    node = np.flatnonzero(truth >= 0)
    person, absent = truth[node], np.setdiff1d(np.arange(auxiliary.node_count), truth)
    mine, theirs = matrix(auxiliary)[:, person], matrix(target)[:, node]
    inner, outer = mine[person], theirs[node]
    kept = inner.multiply(outer).sum(axis=1).A1
    survival = kept.sum() / inner.sum(), kept.sum() / outer.sum()
    points = []
    for some in np.array_split(chance.permutation(node.size)[:ASKED], max(min(node.size, ASKED) // AT_ONCE, 1)):
        for true, others in zip(
            *weigh((auxiliary, target), (mine, theirs), (person, node), survival, some, absent), strict=True
        ):
            points.append((true >= others - EQUAL).all() / (1 + np.sum(np.abs(others - true) <= EQUAL)))
    return 100 * np.mean(points), 100 * np.mean(kept == 0), kept.mean(), survival


def weigh(graphs, named, common, survival, some, absent):
    """Return for some target nodes the evidence of their true person, and that of everybody who is absent."""
    (mine, theirs), (person, node) = named, common
    degrees = [np.maximum(graph.degrees, 1).astype(np.float64) for graph in graphs]
    ends = np.sqrt(4.0 * graphs[0].edge_count * graphs[1].edge_count)
    common_survival = np.sqrt(survival[0] * survival[1])
    rarity = np.log(common_survival * ends / np.sqrt(degrees[0][person] * degrees[1][node]))
    chance = np.sqrt(degrees[0][person] * degrees[1][node]).sum() / ends
    gone = [np.log(1 - min(share, 0.999)) for share in survival]
    asked, rows = theirs[node[some]], np.concatenate([person[some], absent])
    shared = (asked @ mine[rows].T).toarray()
    weight = (asked.multiply(rarity.astype(np.float32)).tocsr() @ mine[rows].T).toarray()
    of_rows, of_asked = degrees[0][rows][None, :], degrees[1][node[some]][:, None]
    weight -= 0.5 * shared * np.log(of_rows * of_asked)
    weight += gone[0] * (mine[rows].sum(axis=1).A1[None, :] - shared) + gone[1] * (asked.sum(axis=1).A - shared)
    weight += common_survival * chance * np.sqrt(of_rows * of_asked)
    return weight.diagonal(), weight[:, some.size :]


def from_oracle(auxiliary, target, truth, survival, share, chance):
    """Return right and wrong % of the rounds from links of the core of which a share is right; from the truth at 1."""
    person = np.full(auxiliary.node_count, -1, dtype=np.int32)
    person[truth[truth >= 0]] = np.flatnonzero(truth >= 0)
    hubs = np.argsort(-auxiliary.degrees, kind="stable")[: CORE if share < 1 else None]
    hubs = hubs[person[hubs] >= 0]
    other, wrong = person[hubs], np.flatnonzero(chance.random(hubs.size) >= share)
    other[wrong] = np.roll(other[wrong], 1)
    linked, nobody = Linked.nobody(auxiliary.node_count), Linked.nobody(auxiliary.node_count)
    linked.other[hubs], linked.sure[hubs] = other, 0.9
    linked = propagate(auxiliary, target, linked, np.mean(survival), known=nobody)[0]
    right = np.sum((linked.other == person) & (person >= 0))
    return 100 * right / np.sum(person >= 0), 100 * (len(linked) - right) / np.sum(person >= 0)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("rows", nargs="*", default=ROWS)
    options.add_argument("--draws", type=int, default=3)
    given = options.parse_args()
    folder = Path(os.environ.get("THINVEIL_DATA", ""))
    print("row: people and contacts in both, survival | genie right, none shared, twins, % | rounds, right/wrong %")
    for row in given.rows:
        name, *overlaps = row.split(":")
        graph = thinveil.read_graph(folder / FILES[name]) if overlaps else None
        for seed in range(101, 101 + (given.draws if overlaps else 1)):
            chance = np.random.default_rng(seed)
            auxiliary, target, truth = (
                two_graphs(graph, *map(float, overlaps), seed) if overlaps else douban(folder / name)
            )
            right, alone, contacts, survival = genie(auxiliary, target, truth, chance)
            twins = 100 * np.mean(has_twin(target)[truth >= 0])
            starts = {share: from_oracle(auxiliary, target, truth, survival, share, chance) for share in (1, *SHARES)}
            rounds = ", ".join(f"from {share:g}: {one:.1f}/{two:.1f}" for share, (one, two) in starts.items())
            print(f"{row}: {np.sum(truth >= 0)}, {contacts:.1f}, {survival[0]:.2f}/{survival[1]:.2f} | {right:.1f}, "
                  f"{alone:.1f}, {twins:.1f} | {rounds}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
