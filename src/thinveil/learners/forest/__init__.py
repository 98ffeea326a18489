"""The pair forest of the paper: growing, prediction, storage, printing."""

from thinveil.learners.forest.forest import PairForest
from thinveil.learners.forest.printing import print_tree
from thinveil.learners.forest.storage import load_forest, save_forest

__all__ = ["PairForest", "load_forest", "print_tree", "save_forest"]
