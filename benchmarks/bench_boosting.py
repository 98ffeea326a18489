"""Passing lines down boosted trees, against lightgbm's own prediction, in one process; one thread each.

Times are those of a line, the best of all rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from thinveil.learners.boosting import Boosted, Growth
from thinveil.learners.boosting.growing import grow
from thinveil.runtime.threads import limit_threads

# those of the rounds, and of the strong attack's last word
SHAPES = ((Growth(trees=60, leaves=15), 29), (Growth(trees=120, leaves=31), 100))
LINES, TIMES = 16_384, 15


def main() -> None:
    print(f"{'trees':>6}{'leaves':>7}{'columns':>8}{'chunk':>8}{'thinveil':>12}{'lightgbm':>12}{'ratio':>7}")
    rng = np.random.default_rng(1)
    for growth, columns in SHAPES:
        table = rng.normal(size=(LINES, columns)).astype(np.float32)
        table[:, ::3] = np.round(2 * table[:, ::3])  # some are counts
        right = table[:, :9].sum(axis=1) + table[:, 1] * table[:, 2] + rng.normal(size=LINES) > 0
        booster, model = (fit(table, right, growth) for fit in (grow, Boosted.fit))
        for chunk in (500, LINES):
            parts = [table[first : first + chunk] for first in range(0, LINES, chunk)]

            def ours(parts: list[np.ndarray] = parts, model: Boosted = model) -> list[np.ndarray]:
                return [model.predict(part) for part in parts]

            def theirs(parts: list[np.ndarray] = parts, booster: object = booster) -> list[np.ndarray]:
                return [booster.predict(part, num_threads=1) for part in parts]  # type: ignore[attr-defined]

            # also compiles
            np.testing.assert_allclose(np.concatenate(ours()), np.concatenate(theirs()), rtol=1e-14)
            times = [(clock(ours), clock(theirs)) for _ in range(TIMES)]  # in turn: a busy machine slows both
            mine, other = (min(side) / LINES * 1e6 for side in zip(*times, strict=True))
            shape = f"{growth.trees:6}{growth.leaves:7}{columns:8}{chunk:8,}"
            print(f"{shape}{mine:9.2f} µs{other:9.2f} µs{other / mine:6.0f}x")


def clock(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    with limit_threads(1):
        main()
