"""Two whole graphs: a start on the cores, links that support each other, a learned judge, and a check of itself."""

from thinveil.attacks.matching.whole.matching import match_whole

__all__ = ["match_whole"]
