"""The pair forest of the paper: growing, prediction, storage, printing."""

from thinveil.forest.forest import PairForest
from thinveil.forest.printing import print_tree
from thinveil.forest.storage import load_forest, save_forest

__all__ = ["PairForest", "load_forest", "print_tree", "save_forest"]
