"""Gradient boosting: lightgbm grows the trees, and thinveil passes lines down them."""

from thinveil.learners.boosting.growing import Boosted, CrossFitted, Growth

__all__ = ["Boosted", "CrossFitted", "Growth"]
