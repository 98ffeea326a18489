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
    from thinveil.auditing.audit import audit as audit
    from thinveil.auditing.linking import link as link
    from thinveil.auditing.results import AuditResult as AuditResult
    from thinveil.auditing.settings import Settings as Settings
    from thinveil.errors import ThinveilError as ThinveilError
    from thinveil.graph import Graph as Graph
    from thinveil.graph.reading import read_graph as read_graph
    from thinveil.graph.synthetic import synthetic_graph as synthetic_graph
    from thinveil.learners.forest import PairForest as PairForest
    from thinveil.learners.forest import load_forest as load_forest
    from thinveil.learners.forest import save_forest as save_forest
    from thinveil.report import write_report as write_report
    from thinveil.schemes import detect_ego as detect_ego
    from thinveil.schemes import make_scheme as make_scheme
    from thinveil.schemes import read_release as read_release
    from thinveil.schemes import write_release as write_release

# imported when first asked for: numba and polars take a second that `thinveil --help` should not wait for
_HOMES = {
    "AuditResult": "auditing.results",
    "Graph": "graph",
    "PairForest": "learners.forest",
    "Settings": "auditing.settings",
    "ThinveilError": "errors",
    "audit": "auditing.audit",
    "detect_ego": "schemes",
    "link": "auditing.linking",
    "load_forest": "learners.forest",
    "make_scheme": "schemes",
    "read_graph": "graph.reading",
    "read_release": "schemes",
    "save_forest": "learners.forest",
    "synthetic_graph": "graph.synthetic",
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
