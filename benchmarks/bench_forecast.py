"""What audits take beside what `thinveil audit` says before: each in a process of its own, in processor time.

python benchmarks/bench_forecast.py              # about half an hour on one core
python benchmarks/bench_forecast.py --fit        # also the least squares fit, for auditing/forecast.py
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys

import numpy as np

CASES = [
    (nodes, scheme, beside)
    for beside in (False, True)
    for nodes, scheme in (
        (10_000, "d4d-2:egonets=40,min_size=200"),
        (30_000, "d4d-2:egonets=100,min_size=200"),
        (30_000, "d4d-1:egonets=60,min_size=200"),
        (100_000, "d4d-2:egonets=150,min_size=400"),
        (300_000, "d4d-2:egonets=300,min_size=400"),
    )
]
_RUN = """
import json, resource, sys, time
from thinveil import Plan, audit, synthetic_graph
from thinveil.auditing import forecast
nodes, scheme, beside, seed = json.loads(sys.argv[1])
graph = synthetic_graph(nodes, seed=seed)
plan = Plan.make(scheme, **({} if beside else {"beside": ()}))
size = forecast.Size.of(plan, graph)
told = forecast.Forecast.of(plan, graph)
before = time.process_time()
result = audit(graph, plan=plan)
print(json.dumps({
    "size": [size.appearances, size.entries, size.pairs], "cpu": time.process_time() - before,
    "stages": dict(result.seconds), "edges": graph.edge_count,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    "told": [told.seconds, told.memory],
}))
"""


def main() -> None:
    options = _options()
    found = []
    for nodes, scheme, beside in CASES:
        words = json.dumps([nodes, scheme, beside, options.seed])
        environment = {**os.environ, "NUMBA_NUM_THREADS": "1"}
        done = subprocess.run([sys.executable, "-c", _RUN, words], capture_output=True, text=True, env=environment)
        if done.returncode:
            print(f"{nodes:,} {scheme}: {done.stderr.strip().splitlines()[-1]}")
            continue
        one = json.loads(done.stdout)
        found.append((beside, one))
        told = f", told {one['told'][0]:.0f} s, {one['told'][1] / 2**20:.0f} MiB"
        sizes = ", ".join(f"{value:,.0f}" for value in one["size"])
        print(f"{nodes:,} {scheme} beside={beside}: {sizes}; {one['cpu']:.0f} s, {one['memory'] / 2**20:.0f} MiB{told}",
              flush=True)  # fmt: skip
    if options.fit:
        _fit(found)


def _fit(found: list[tuple[bool, dict[str, list[float]]]]) -> None:
    """Fit what cannot be negative, by relative errors."""
    from scipy.optimize import nnls

    for what in ("cpu", "memory"):
        values = np.array([one[what] for _, one in found], dtype=float)
        table = np.array([[1, beside, *one["size"]] for beside, one in found], dtype=float)
        answer, _ = nnls(table / values[:, np.newaxis], np.ones(values.size))
        fitted = table @ answer / values
        print(what, [f"{value:.3g}" for value in answer], "told by taken:", np.round(fitted, 2).tolist())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
