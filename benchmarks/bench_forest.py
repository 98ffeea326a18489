"""The pair forest against scikit-learn's random forest on the same pairs, in one process.

Both grow 400 trees with entropy on 600 + 600 pairs of 70-component histograms. scikit-learn needs the 4,900
delta columns written out; that is part of its training time, as it is part of the work that ours avoids. Its
scoring is timed twice: with the writing-out, and, to be fair to it, on columns written out before.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier

from thinveil.features import DegreeHistogram, Needs, View, label, observe
from thinveil.features.pairs import Pairs, PairSampler
from thinveil.graph.synthetic import synthetic_graph
from thinveil.learners.forest import PairForest
from thinveil.measures.rates import auc
from thinveil.schemes import make_scheme

WIDTH = 70
NAME = DegreeHistogram().name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--score", type=int, default=20_000)
    options = parser.parse_args()
    train, train_pairs, train_labels = draw_pairs(600, seed=1)
    test, test_pairs, test_labels = draw_pairs(options.score // 2, seed=2)

    ours = PairForest(trees=400, seed=1, threads=2)
    theirs = RandomForestClassifier(400, criterion="entropy", max_features=0.05, n_jobs=2, random_state=1)

    def grow_ours() -> None:
        ours.fit_pairs(train.vectors(NAME), train_pairs.left, train_pairs.right, train_labels)

    def grow_theirs() -> None:
        theirs.fit(write_out(train, train_pairs), train_labels)

    grow_ours(), ours.score_pairs(test.vectors(NAME), test_pairs.left[:100], test_pairs.right[:100])  # compile
    training = alternate(grow_ours, grow_theirs, options.rounds)
    columns = write_out(test, test_pairs)
    scores: dict[str, NDArray[np.float64]] = {}

    def score_ours() -> None:
        scores["ours"] = ours.score_pairs(test.vectors(NAME), test_pairs.left, test_pairs.right)

    def score_theirs() -> None:
        scores["theirs"] = theirs.predict_proba(columns)[:, 1]

    scoring = alternate(score_ours, score_theirs, options.rounds)
    print(f"{'':34}{'thinveil':>10}{'sklearn':>10}{'ratio':>8}")
    show("train 400 trees, 600 + 600 pairs", training)
    show(f"score {options.score:,} pairs", scoring)
    for name, values in scores.items():
        print(f"AUC {name:7}{auc(values[test_labels], values[~test_labels]):.4f}")


def draw_pairs(per_class: int, seed: int) -> tuple[View, Pairs, NDArray[np.bool_]]:
    """Draw labelled pairs from a Scheme-1 release of the built-in graph."""
    release = make_scheme("d4d-1").publish(synthetic_graph(), seed=seed)
    view = observe(release.public, Needs((DegreeHistogram(WIDTH),)))
    sampler, rng = PairSampler(view.subgraph, label(release.secret, view)), np.random.default_rng(seed)
    same = sampler.identical("complete", per_class, rng)
    other = sampler.different("uniform", "complete", per_class, rng)
    pairs = Pairs(np.append(same.left, other.left), np.append(same.right, other.right))
    return view, pairs, np.repeat([True, False], [len(same), len(other)])


def write_out(view: View, pairs: Pairs) -> NDArray[np.float32]:
    """Return the 4,900 delta columns of each pair."""
    columns = np.empty((len(pairs), WIDTH * WIDTH), dtype=np.float32)
    for first in range(0, len(pairs), 1000):
        part = slice(first, first + 1000)
        x = view.vectors(NAME)[pairs.left[part]][:, :, None].astype(np.float32)
        y = view.vectors(NAME)[pairs.right[part]][:, None, :].astype(np.float32)
        delta = np.abs(x - y) / np.maximum(np.maximum(x, y), 1)
        columns[part] = delta.reshape(len(delta), -1)
    return columns


def alternate(ours: Callable[[], None], theirs: Callable[[], None], rounds: int) -> tuple[list[float], list[float]]:
    """Run both in turn, so that a busy machine slows both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, work in enumerate((ours, theirs)):
            start = time.perf_counter()
            work()
            times[side].append(time.perf_counter() - start)
    return times


def show(what: str, times: tuple[list[float], list[float]]) -> None:
    ours, theirs = (statistics.median(side) for side in times)
    print(f"{what:34}{ours:9.3f}s{theirs:9.2f}s{theirs / ours:7.0f}x")


if __name__ == "__main__":
    main()
