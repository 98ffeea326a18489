"""Schemes compared: what each protects, and what it destroys."""

from thinveil.auditing.comparison.comparing import Comparison, compare
from thinveil.auditing.comparison.grid import DEFAULT_GRID, read_grid
from thinveil.auditing.comparison.records import Assessment, Risk

__all__ = ["DEFAULT_GRID", "Assessment", "Comparison", "Risk", "compare", "read_grid"]
