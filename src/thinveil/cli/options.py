"""Options that several commands share, each written once.

A *group* is a set of options that a command takes together: ``@takes(READER, RUN)`` adds them to its command line, and
hands the given values over as one dictionary, named after the group.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple

import typer

from thinveil.errors import InputError
from thinveil.runtime.visible import visible

if TYPE_CHECKING:
    from thinveil.graph import Graph

SYNTHETIC = "synthetic"

GraphPath = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A file with a graph (CSV and other edge lists, Parquet, MatrixMarket, GraphML, JSON, ...; packed or "
        "not), the folder of a converted graph, - for standard input, "
        f"or '{SYNTHETIC}' for the built-in graph.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel="Output")]
Force = Annotated[
    bool, typer.Option("--force", help="Replace what an earlier run wrote there.", rich_help_panel="Output")
]
FailAbove = Annotated[
    float | None,
    typer.Option(metavar="SHARE", min=0, max=1, rich_help_panel="Output",
                 help="End with status 3 if the risk may be above this share: the upper end of its interval."),
]  # fmt: skip
GRAPH, SCHEME, ATTACKER, SAMPLING, OUTPUT = _PANELS = ("Graph", "Scheme", "Attacker", "Sampling", "Output")
"""The panels of a command's help, in this order."""


class Group(NamedTuple):
    """A name, and for each option its type with its declaration; all are None where they are not given."""

    name: str
    options: dict[str, Any]


def _option(panel: str, kind: Any, words: str, *names: str, default: str = "", **more: Any) -> Any:
    shown = default or False
    return Annotated[kind | None, typer.Option(*names, help=words, rich_help_panel=panel, show_default=shown, **more)]


READER = Group("reader", {
    "source": _option(GRAPH, str, "Name or number of the first id column."),
    "target": _option(GRAPH, str, "Name or number of the second id column."),
    "weight": _option(GRAPH, str, "Name or number of a column of weights."),
    "time": _option(GRAPH, str, "Name or number of a column of times."),
    "direction": _option(GRAPH, str, "Name or number of a column of directions (in, out, both)."),
    "directed": _option(GRAPH, bool, "Every line goes from its first id to its second.", "--directed"),
    "delimiter": _option(GRAPH, str, "What stands between columns.", default="found out"),
    "ids": _option(GRAPH, str, "What node ids are: auto, integer or string.", default="auto"),
    "format": _option(GRAPH, str, "Format of the file: edge-list, adjacency, json, graphml, ...", metavar="NAME",
                      default="found out"),
})  # fmt: skip

_BY_THREAT = "{}; {} for threat identification"
_SCHEME_WORDS = "How the graph is published: NAME:key=value,...; `thinveil schemes` lists them."

SCHEME_OPTION = Group("chosen", {
    "scheme": _option(SCHEME, str, _SCHEME_WORDS, metavar="NAME[:...]", default="d4d-2"),
})  # fmt: skip

PLAN = Group("chosen", {
    "scheme": _option(SCHEME, str, _SCHEME_WORDS, metavar="NAME[:...]",
                      default=_BY_THREAT.format("d4d-2", "pseudonyms")),
    "most_nodes": _option(SCHEME, int, "Leave out egonets of more people than this.", min=1,
                          default="any size"),
    "threat": _option(ATTACKER, str, "What the attacker holds and wants; `thinveil threats` lists them.",
                      metavar="NAME[:...]", default="linkage"),
    "aux": _option(ATTACKER, str, "The auxiliary graph: shares of people and of edges that it has in common with the "
                   "published one; 1 and 1 for the graph itself. Or a file with such a graph (audit only). Means "
                   "--threat identification.", metavar="nodes=SHARE,edges=SHARE"),
    "attack": _option(ATTACKER, str, "The attack: NAME:key=value,...; `thinveil attacks` lists them.",
                      metavar="NAME[:...]", default=_BY_THREAT.format("strong", "names")),
    "protocol": _option(SAMPLING, str, "Pairs of different people: matched, uniform or paper.", default="matched"),
    "repeats": _option(SAMPLING, int, "Draws of new releases.", min=1, default="1"),
    "seed": _option(SAMPLING, int, "Decides all that is random.", min=0, default="0"),
    "min_degree": _option(SAMPLING, int, "People with no more contacts than this in a sub-graph are not compared.",
                          min=0, default="5"),
    "others": _option(SAMPLING, list[str], "Any other setting, as listed below; may be repeated.", "--set",
                      metavar="NAME=VALUE"),
})  # fmt: skip

LEARNING = Group("chosen", {name: kind for name, kind in PLAN.options.items() if name != "repeats"})

RUN = Group("run", {
    "threads": _option(OUTPUT, int, "Threads; they change no result.", min=1, default="all cores"),
    "quiet": _option(OUTPUT, bool, "Show no progress.", "--quiet", "-q"),
})  # fmt: skip


DRAWS = Group("run", {
    **RUN.options,
    "engine": _option(OUTPUT, str, "What runs the work: local:jobs=2 two draws at a time, dask:ADDRESS a cluster.",
                      metavar="NAME[:...]", default="local"),
})  # fmt: skip


def takes(*groups: Group) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add groups of options to a command, which gets a dictionary of the given values for each."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        shared = {name: kind for group in groups for name, kind in group.options.items()}
        kept = [one for one in own.parameters.values() if one.name not in {group.name for group in groups}]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
                for name, kind in shared.items()]  # fmt: skip

        @functools.wraps(command)
        def run(**values: Any) -> None:
            dictionaries = {group.name: _given({name: values.pop(name) for name in group.options}) for group in groups}
            command(**values, **dictionaries)

        parameters = [*(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in kept), *more]
        parameters.sort(key=_place)
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return add


def _place(parameter: inspect.Parameter) -> int:
    """Return where an option stands in the help: arguments first, then panel by panel."""
    about = next((one for one in getattr(parameter.annotation, "__metadata__", ())), None)
    panel = getattr(about, "rich_help_panel", None)
    return _PANELS.index(panel) if panel in _PANELS else -1


def plan_words(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return what makes a plan of the options: words and single settings."""
    chosen = _with_most_nodes(_with_auxiliary(dict(chosen)))
    others = _assignments(chosen.pop("others", []))
    if doubled := sorted(set(others) & set(chosen)):
        raise InputError(f"--set {doubled[0]} and --{doubled[0].replace('_', '-')} are the same: give one of the two")
    return {**others, **chosen}


def _with_most_nodes(chosen: dict[str, Any]) -> dict[str, Any]:
    """Put what is said of the size of egonets into the word for the scheme."""
    most, word = chosen.pop("most_nodes", None), chosen.get("scheme", "d4d-2")
    if most is None:
        return chosen
    return {**chosen, "scheme": f"{word}{',' if ':' in word else ':'}most_nodes={most}"}


def take_auxiliary(chosen: dict[str, Any]) -> str | None:
    """Take a file with the auxiliary graph out of the options, if --aux names one, and choose its threat."""
    from thinveil.threats import GivenIdentification, Identification

    given = chosen.get("aux")
    if given is None or ("=" in given and not Path(given).exists()):
        return None
    name, colon, rest = chosen.get("threat", Identification.name).partition(":")
    if name not in (Identification.name, GivenIdentification.name):
        raise InputError(f"--aux {given} is for --threat identification, not {name}: leave one of the two out")
    chosen["threat"] = f"{GivenIdentification.name}{colon}{rest}"
    return str(chosen.pop("aux"))


def _with_auxiliary(chosen: dict[str, Any]) -> dict[str, Any]:
    """Put what is said of the auxiliary graph into the word for the threat."""
    given, threat = chosen.pop("aux", None), chosen.get("threat", "identification")
    if given is None:
        return chosen
    pairs = dict(one.partition("=")[::2] for one in given.replace(" ", "").split(","))
    if not set(pairs) <= {"nodes", "edges"} or not all(pairs.values()):
        raise InputError(f"--aux {given}: give the shares in common, such as nodes=0.5,edges=0.75 (in an audit a file "
                         "with a graph, too)")  # fmt: skip
    if threat.partition(":")[0] != "identification":
        raise InputError(f"--aux {given} is for --threat identification, not {threat}: leave one of the two out")
    words = [threat.partition(":")[2], *(f"{name[:-1]}_overlap={share}" for name, share in pairs.items())]
    return {**chosen, "threat": f"identification:{','.join(word for word in words if word)}"}


def open_graph(path: str | BinaryIO, reader: dict[str, Any], *, tell: bool = True) -> Graph:
    """Return the graph a user means, and tell on standard error how its file was read."""
    if path == SYNTHETIC and not Path(SYNTHETIC).exists():
        from thinveil.graph.synthetic import synthetic_graph

        return synthetic_graph()
    from thinveil.graph.stored.layout import is_stored

    if isinstance(path, str) and is_stored(path):
        from thinveil.graph.stored.opening import open_read

        graph = open_read(path, bool(reader))
    else:
        from thinveil.graph.reading import read_graph

        graph = read_graph(path, **reader)
    if tell and graph.origin is not None:
        typer.echo(visible(graph.origin.words()), err=True)
    return graph


def say(words: str) -> None:
    """Print lines that may hold names of files, which cannot be trusted with the terminal."""
    typer.echo(visible(words))


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, [])}


def _assignments(texts: list[str]) -> dict[str, Any]:
    """Read NAME=VALUE by the types of the settings of the sampling."""
    if not texts:
        return {}
    from thinveil.auditing.plan import Sampling
    from thinveil.runtime.parameters import parameters_of, read_values, suggest

    pairs = [text.partition("=") for text in texts]
    if not all(equals and name.strip() for name, equals, _ in pairs):
        raise InputError(f"--set {' --set '.join(texts)}: give NAME=VALUE, such as test_pairs=5000")
    written = {name.strip(): value.strip() for name, _, value in pairs}
    known = [one.name for one in parameters_of(Sampling)]
    for name in written:
        if name not in known:
            raise InputError(f"--set {name}: unknown setting {name!r}: {suggest(name, known)}")
    if len(written) < len(pairs):
        raise InputError(f"--set {' --set '.join(texts)}: give each setting once")
    return read_values(Sampling, written)
