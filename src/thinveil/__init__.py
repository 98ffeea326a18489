"""Tell how thin the veil over an anonymized graph is.

>>> import thinveil
>>> graph = thinveil.synthetic_graph(3000, seed=1)
>>> result = thinveil.audit(graph, scheme="d4d-2", egonets=20, min_size=50, trees=50, seed=0)
>>> 0 <= result.rate("complete", 0.01).tpr <= 1
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinveil.auditing import audit as audit
    from thinveil.datasets import synthetic_graph as synthetic_graph
    from thinveil.errors import ThinveilError as ThinveilError
    from thinveil.forest import PairForest as PairForest
    from thinveil.forest import load_forest as load_forest
    from thinveil.forest import save_forest as save_forest
    from thinveil.graph import Graph as Graph
    from thinveil.io import read_graph as read_graph
    from thinveil.linking import link as link
    from thinveil.report import write_report as write_report
    from thinveil.results import AuditResult as AuditResult
    from thinveil.schemes import detect_ego as detect_ego
    from thinveil.schemes import make_scheme as make_scheme
    from thinveil.schemes import read_release as read_release
    from thinveil.schemes import write_release as write_release
    from thinveil.settings import Settings as Settings

# imported when first asked for: numba and polars take a second that `thinveil --help` should not wait for
_HOMES = {
    "AuditResult": "results",
    "Graph": "graph",
    "PairForest": "forest",
    "Settings": "settings",
    "ThinveilError": "errors",
    "audit": "auditing",
    "detect_ego": "schemes",
    "link": "linking",
    "load_forest": "forest",
    "make_scheme": "schemes",
    "read_graph": "io",
    "read_release": "schemes",
    "save_forest": "forest",
    "synthetic_graph": "datasets",
    "write_release": "schemes",
    "write_report": "report",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("thinveil")
    if name not in _HOMES:
        raise AttributeError(f"module 'thinveil' has no attribute {name!r}")
    return getattr(importlib.import_module(f"thinveil.{_HOMES[name]}"), name)
