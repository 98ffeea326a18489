"""Plain twin of passing lines down boosted trees: from the root of each to a leaf, one line at a time.

A model is what ``lightgbm.Booster.dump_model`` returns.
"""

from math import exp

NEXT_TO_ZERO = 1.0000000180025095e-35


def log_odds(model, line):
    """Sum of the line's leaves, in the order of the trees."""
    total = 0.0
    for tree in model["tree_info"]:
        node = tree["tree_structure"]
        while "split_feature" in node:
            value = float(line[node["split_feature"]])
            if abs(value) <= NEXT_TO_ZERO:
                value = 0.0
            node = node["left_child" if value <= node["threshold"] else "right_child"]
        total += node["leaf_value"]
    return total


def probability(model, line):
    """The log odds' sigmoid."""
    odds = log_odds(model, line)
    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0
