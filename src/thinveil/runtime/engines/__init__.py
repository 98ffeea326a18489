"""How jobs are spread: over this process, over processes of this machine, over the workers of a cluster.

An engine has one method, ``map``. A new engine is a file of its own and one line here. Nothing of it changes a result.
"""

from __future__ import annotations

from thinveil.runtime.engines.base import Engine, Outcome
from thinveil.runtime.engines.cluster import DaskEngine
from thinveil.runtime.engines.local import LocalEngine
from thinveil.runtime.registry import Registry

__all__ = ["ENGINES", "DaskEngine", "Engine", "LocalEngine", "Outcome"]

ENGINES: Registry[Engine] = Registry("engine", (LocalEngine,), forms=(DaskEngine,))
"""The engines that can be chosen by name."""
