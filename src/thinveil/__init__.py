"""Tell how thin the veil over an anonymized graph is.

>>> import thinveil
>>> graph = thinveil.synthetic_graph(3000, seed=1)
>>> result = thinveil.audit(graph, "d4d-2:egonets=20,min_size=50", attack="forest:trees=50", seed=0)
>>> 0 <= result.rate("complete", 0.01).tpr <= 1
True
"""

from __future__ import annotations

from thinveil.runtime.cache import prepare_cache

TYPE_CHECKING = False  # as in typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from thinveil import datasets as datasets
    from thinveil.attacks import Attack as Attack
    from thinveil.attacks import register_attack as register_attack
    from thinveil.auditing.anonymize import anonymize as anonymize
    from thinveil.auditing.audit import audit as audit
    from thinveil.auditing.comparison import Comparison as Comparison
    from thinveil.auditing.comparison import compare as compare
    from thinveil.auditing.elsewhere import audit_release as audit_release
    from thinveil.auditing.link import link as link
    from thinveil.auditing.match import match as match
    from thinveil.auditing.models import Model as Model
    from thinveil.auditing.models import load_model as load_model
    from thinveil.auditing.models import save_model as save_model
    from thinveil.auditing.plan import Plan as Plan
    from thinveil.auditing.plan import Sampling as Sampling
    from thinveil.auditing.promises import check_promise as check_promise
    from thinveil.auditing.results import AuditResult as AuditResult
    from thinveil.auditing.stitch import stitch as stitch
    from thinveil.auditing.tables import write_links as write_links
    from thinveil.auditing.train import train as train
    from thinveil.errors import GraphFileError as GraphFileError
    from thinveil.errors import InputError as InputError
    from thinveil.errors import ModelError as ModelError
    from thinveil.errors import ReleaseError as ReleaseError
    from thinveil.errors import RoomError as RoomError
    from thinveil.errors import SampleError as SampleError
    from thinveil.errors import ThinveilError as ThinveilError
    from thinveil.errors import UndefinedError as UndefinedError
    from thinveil.graph import Graph as Graph
    from thinveil.graph.info import info as info
    from thinveil.graph.reading import read_graph as read_graph
    from thinveil.graph.stored.convert import convert as convert
    from thinveil.graph.synthetic import synthetic_graph as synthetic_graph
    from thinveil.learners.forest import PairForest as PairForest
    from thinveil.learners.forest import load_forest as load_forest
    from thinveil.learners.forest import save_forest as save_forest
    from thinveil.measures.utility import Utility as Utility
    from thinveil.measures.utility import utility as utility
    from thinveil.paper import reproduce as reproduce
    from thinveil.report import read_result as read_result
    from thinveil.report import read_settings as read_settings
    from thinveil.report import result_schema as result_schema
    from thinveil.report import write_page as write_page
    from thinveil.report import write_people as write_people
    from thinveil.report import write_report as write_report
    from thinveil.report.comparison import write_comparison as write_comparison
    from thinveil.schemes import Release as Release
    from thinveil.schemes import Scheme as Scheme
    from thinveil.schemes import detect_ego as detect_ego
    from thinveil.schemes import read_release as read_release
    from thinveil.schemes import register_scheme as register_scheme
    from thinveil.schemes import write_release as write_release
    from thinveil.threats import Threat as Threat

# imported when first asked for: numba and polars take a second that `thinveil --help` should not wait for
_HOMES = {
    "Attack": "attacks",
    "AuditResult": "auditing.results",
    "Comparison": "auditing.comparison",
    "Graph": "graph",
    "GraphFileError": "errors",
    "InputError": "errors",
    "Model": "auditing.models",
    "ModelError": "errors",
    "PairForest": "learners.forest",
    "Plan": "auditing.plan",
    "Release": "schemes",
    "ReleaseError": "errors",
    "RoomError": "errors",
    "SampleError": "errors",
    "Sampling": "auditing.plan",
    "Scheme": "schemes",
    "ThinveilError": "errors",
    "Threat": "threats",
    "UndefinedError": "errors",
    "Utility": "measures.utility",
    "anonymize": "auditing.anonymize",
    "audit": "auditing.audit",
    "check_promise": "auditing.promises",
    "compare": "auditing.comparison",
    "audit_release": "auditing.elsewhere",
    "convert": "graph.stored.convert",
    "detect_ego": "schemes",
    "info": "graph.info",
    "link": "auditing.link",
    "load_forest": "learners.forest",
    "load_model": "auditing.models",
    "match": "auditing.match",
    "read_graph": "graph.reading",
    "read_release": "schemes",
    "read_result": "report",
    "read_settings": "report",
    "register_attack": "attacks",
    "register_scheme": "schemes",
    "reproduce": "paper",
    "result_schema": "report",
    "save_forest": "learners.forest",
    "save_model": "auditing.models",
    "stitch": "auditing.stitch",
    "synthetic_graph": "graph.synthetic",
    "train": "auditing.train",
    "utility": "measures.utility",
    "write_comparison": "report.comparison",
    "write_links": "auditing.tables",
    "write_page": "report",
    "write_people": "report",
    "write_release": "schemes",
    "write_report": "report",
}

_FOUND: dict[str, Any] = {}

__all__ = sorted(_HOMES)


prepare_cache()


def __getattr__(name: str) -> Any:
    import importlib

    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("thinveil")
    if name == "datasets":
        return importlib.import_module("thinveil.datasets")
    if name not in _HOMES:
        raise AttributeError(f"module 'thinveil' has no attribute {name!r}")
    if name not in _FOUND:  # the same each time: what is pickled by its name must be what the name gives
        found = getattr(importlib.import_module(f"thinveil.{_HOMES[name]}"), name)
        if not isinstance(found, type) and callable(found):
            found = importlib.import_module("thinveil.runtime.door").guarded(found, __name__, name)
        _FOUND[name] = found
    return _FOUND[name]
