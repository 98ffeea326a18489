"""A scheme of the user's own modules: ``package.module:callable``, imported from the current folder too.

The callable is a class of schemes, a scheme, or a plain function ``function(graph, seed=...)``, which returns

==================  =======================================================================================
a ``Graph``         its nodes bear labels of the graph that was given, or none, and then are the same nodes
several ``Graph``   in a list: a sub-graph each
a table             a polars DataFrame of edges, by the labels of their ends: source, target and, if need be,
                    subgraph
a ``Release``       as any scheme publishes it, made-up and merged people included
==================  =======================================================================================
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, is_dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl

from thinveil.errors import InputError, ThinveilError
from thinveil.graph import Graph
from thinveil.runtime.inputs import first_line
from thinveil.runtime.parameters import from_table, parameter, read_values, split_word, suggest
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Release, Secret
from thinveil.schemes.external.remembering import without_repeats
from thinveil.schemes.external.returning import reordered, shuffled, tell
from thinveil.schemes.foreign.parts import Part, parts_of

_NAME = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_WORD = re.compile(rf"(?P<source>{_NAME}:{_NAME})(?::(?P<parameters>.*))?")
_SEEDS = 2**31 - 1


@dataclass(frozen=True)
class Imported:
    """A class, object or function of your own Python: package.module:callable, and parameters behind a colon."""

    name: ClassVar[str] = "python"
    left_open: ClassVar[tuple[str, ...]] = ()
    is_foreign: ClassVar[bool] = True

    source: str = parameter(MISSING, "module and callable, as package.module:callable")
    parameters: str = parameter("", "parameters of the callable, as key=value,key=value")

    def __post_init__(self) -> None:
        if not isinstance(self.source, str) or _WORD.fullmatch(self.source) is None:
            raise InputError(f"python: source = {self.source!r}: give package.module:callable")

    @classmethod
    def from_word(cls, word: str) -> Imported | None:
        """Return the scheme of a word such as ``package.module:callable:share=0.3``."""
        found = _WORD.fullmatch(word)
        return None if found is None else cls(found["source"], found["parameters"] or "")

    def check_named(self) -> None:
        """Import what the user has named: what is wrong with it is told before any time is spent."""
        self._thing()

    @property
    def title(self) -> str:
        """What it is called in a report."""
        return self.source

    def to_word(self) -> str:
        """Return the word again.

        Examples
        --------
        >>> Imported("mine:Thinned", "share=0.3").to_word()
        'mine:Thinned:share=0.3'
        """
        return f"{self.source}:{self.parameters}" if self.parameters else self.source

    def describe(self) -> str:
        """Say what is published."""
        own = getattr(self._thing(), "describe", None)
        return f"publishes what {self.source} makes of the graph" if own is None else str(self._call(own))

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return what the callable makes of a graph; a function gets another seed where there is something to avoid."""
        thing = self._thing()
        if hasattr(thing, "publish"):
            release: Release = self._call(thing.publish, graph, seed=seed, avoid=avoid)
            return release
        number = int(stream(seed, "function", len(avoid)).integers(_SEEDS))
        made = self._call(thing, graph, seed=number, **_literals(self._written()))
        release = self._released(made, graph, stream(seed, "published", len(avoid)))
        return without_repeats(release, avoid, self.source)

    def _released(self, made: Any, graph: Graph, chance: np.random.Generator) -> Release:
        if isinstance(made, Release):
            return reordered(made, chance)
        if isinstance(made, pl.DataFrame):
            made = [part.graph for part in parts_of(made, f"the table of {self.source}")]
        graphs = [made] if isinstance(made, Graph) else made
        if not isinstance(graphs, list | tuple) or not graphs or not all(isinstance(one, Graph) for one in graphs):
            kind = type(made).__name__ if graphs else "nothing"
            raise InputError(f"{self.source} gave {kind}: return a Graph, several in a list, a Release, or a DataFrame")
        try:
            secrets = [_who(one, graph) for one in graphs]
        except InputError as error:
            raise InputError(f"{self.source}: {error}") from None
        parts = [Part(str(k), one) for k, one in enumerate(graphs)]
        release = shuffled(parts, secrets, graph, chance, scheme=self.name)
        tell(release, graph)
        return release

    def _written(self) -> dict[str, str]:
        return split_word(f"{self.source.replace(':', '.')}:{self.parameters}")[1]

    def _thing(self) -> Any:
        """Return the scheme or the function; it is imported when first asked for."""
        found = load(self.source)
        is_scheme = hasattr(found, "publish")
        if isinstance(found, type):
            if not is_scheme or not is_dataclass(found):
                raise InputError(f"{self.source} is no scheme: make it a @dataclass(frozen=True) with publish")
            return from_table(found, read_values(found, self._written()))
        if not is_scheme and not callable(found):
            raise InputError(f"{self.source} is {type(found).__name__}: name a function, or what has publish")
        if is_scheme and self.parameters:
            raise InputError(f"{self.source} is an object, and takes no parameters ({self.parameters}): name its class")
        return found

    def _call(self, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
        try:
            return function(*given, **more)
        except ThinveilError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"{self.source}: {_where(error, self.source.partition(':')[0])}") from None


def load(source: str) -> Any:
    """Import what ``package.module:callable`` names, from the current folder too, or say why that cannot be."""
    module, _, path = source.partition(":")
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last: what is installed is not to be taken for a file that happens to lie here
    importlib.invalidate_caches()
    try:
        found: Any = importlib.import_module(module)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            raise InputError(f"{source}: there is no module {error.name!r}, neither here nor installed") from None
        raise InputError(f"{source}: cannot be imported: {_where(error, module)}") from None
    for name in path.split("."):
        if not hasattr(found, name):
            known = [one for one in vars(found) if not one.startswith("_")] if hasattr(found, "__dict__") else []
            raise InputError(f"{source}: there is no {name!r}: {suggest(name, known)}")
        found = getattr(found, name)
    return found


def _where(error: BaseException, module: str) -> str:
    """Return what went wrong and at which line: the last one of the user's module, or else the last of all."""
    own = getattr(sys.modules.get(module), "__file__", None)
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if frame.filename == own] or frames[-1:]
    place = "".join(f"{Path(frame.filename).name}, line {frame.lineno}: " for frame in mine[-1:])
    return f"{place}{type(error).__name__}: {first_line(error)}"


def _who(made: Graph, graph: Graph) -> Secret:
    """Return whom the nodes of a graph are of another."""
    if made.labels is None:
        if made.node_count != graph.node_count:
            count = f"{made.node_count:,} nodes without labels, of one of {graph.node_count:,}"
            raise InputError(f"gave a graph of {count}: give it labels of the graph, or keep all nodes")
        return Secret(np.arange(made.node_count, dtype=np.int32))
    labels = range(graph.node_count) if graph.labels is None else graph.labels.tolist()
    number = {label: k for k, label in enumerate(labels)}
    people = [number.get(label, -1) for label in made.labels.tolist()]
    if -1 in people:
        raise InputError(f"gave a node {made.labels[people.index(-1)].item()!r}, which is no label of the graph")
    return Secret(np.array(people, dtype=np.int32))


def _literals(written: dict[str, str]) -> dict[str, Any]:
    """Return values as the numbers that they look like."""
    return {name: _literal(text) for name, text in written.items()}


def _literal(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)
