#!/usr/bin/env python3
"""Publish the contacts of some people and what these know of each other, as a script in R might: CSV in, CSV out.

Each sub-graph is a file of its own in the output folder; a mapping file says whom the new ids stand for. The script
knows nothing of thinveil.

    thinveil audit calls.csv --scheme 'command:examples/blackbox/cut_egonets.py {input} {output} {mapping} {seed}'
"""

import csv
import random
import sys
from collections import defaultdict
from pathlib import Path

EGONETS, SMALLEST = 30, 60


def main(given, output, mapping, seed):
    """Read the graph, draw people with many contacts of contacts, and write what is around each."""
    chance = random.Random(int(seed))
    with open(given) as file:
        edges = [(line["source"], line["target"]) for line in csv.DictReader(file)]
    contacts = defaultdict(set)
    for one, other in edges:
        contacts[one].add(other)
        contacts[other].add(one)
    balls = {ego: {ego}.union(near, *(contacts[one] for one in near)) for ego, near in contacts.items()}
    egos = chance.sample(sorted(ego for ego, ball in balls.items() if len(ball) > SMALLEST), EGONETS)
    Path(output).mkdir()
    with open(mapping, "w", newline="") as file:
        who = csv.writer(file)
        who.writerow(["subgraph", "published", "original"])
        for number, ego in enumerate(egos):
            new = dict(zip(sorted(balls[ego]), chance.sample(range(10**6), len(balls[ego])), strict=True))
            with open(Path(output) / f"net{number}.csv", "w", newline="") as net:
                lines = csv.writer(net)
                lines.writerow(["source", "target"])
                lines.writerows((new[one], new[other]) for one, other in edges if one in new and other in new)
            who.writerows((f"net{number}", new[one], one) for one in new)


if __name__ == "__main__":
    main(*sys.argv[1:])
