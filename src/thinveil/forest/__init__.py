"""The pair forest of the paper: growing, prediction, storage."""

from thinveil.forest.forest import PairForest

__all__ = ["PairForest"]
