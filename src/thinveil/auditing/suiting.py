"""A plan suited to a graph: what nobody chose is chosen from the graph.

What was chosen and does not work is refused with a value that does. A small graph has no room for the paper's hundred
large egonets, and few of its people have many contacts. Room for the scheme is looked for before the first draw;
whether anybody can be compared is only looked at once a draw found nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any, TypeVar, cast

from thinveil.auditing.draw import set_scene
from thinveil.auditing.plan import Plan
from thinveil.errors import RoomError, SampleError
from thinveil.features.pairs import Question
from thinveil.graph import Graph
from thinveil.runtime.notices import notify
from thinveil.runtime.parameters import to_word
from thinveil.runtime.progress import restart
from thinveil.runtime.streams import Seeds
from thinveil.schemes import Scheme

Works = Callable[[Plan, int], bool]
"""Whether a draw of a plan, given by its number, has anybody to compare."""

Result = TypeVar("Result")
_DRAWS_TRIED = 100


def suit_scheme(scheme: Scheme, graph: Graph, *, left_open: Collection[str], releases: int = 1) -> Scheme:
    """Return a scheme with what is left open chosen from the graph, if it offers that (``suited``), and say so."""
    fit = getattr(scheme, "suited", None)
    suited = scheme if fit is None else cast(Scheme, fit(graph, left_open=left_open, releases=releases))
    if suited != scheme:
        _tell(graph, f"--scheme {to_word(suited.name, suited)}")
    return suited


def suit(plan: Plan, graph: Graph, *, train_on: Graph | None = None, releases: int | None = None) -> Plan:
    """Return a plan whose scheme has room in the graph, and in the one that is learned from."""
    if releases is None:
        # beside an auxiliary graph, what is learned from is made of that
        is_alone = plan.threat.known or train_on is not None or getattr(plan.threat, "auxiliary", False)
        releases = 1 if is_alone else 2
    for one in _published(plan, graph, train_on) if hasattr(plan.scheme, "suited") else ():
        scheme = suit_scheme(plan.scheme, one, left_open=plan.left_open, releases=releases)
        plan = replace(plan, scheme=scheme)
    return plan


def _published(plan: Plan, graph: Graph, train_on: Graph | None) -> list[Graph]:
    """Return what a scheme is given of graphs: beside an auxiliary graph, examples of the parts that are published."""
    graphs = [one for one in (graph, train_on) if one is not None]
    examples = getattr(plan.threat, "examples", None)
    return graphs if examples is None else cast(list[Graph], examples(*graphs, seed=plan.seed))


def run_suited(plan: Plan, graph: Graph, run: Callable[[Plan], Result], works: Works) -> tuple[Plan, Result]:
    """Run a plan; where it finds nobody to compare, choose what was left open so that it does, and run it again."""
    try:
        return plan, run(plan)
    except RoomError:  # no other choice of whom to compare makes room
        raise
    except SampleError as error:
        eased = _eased(plan, graph.node_count, works)
        if eased is None:
            raise SampleError(f"{error}; {_last_words(plan)}") from None
        if eased == plan:  # it is not for want of people to compare
            raise
        if not _changes(plan, eased) <= set(plan.left_open):
            raise SampleError(f"{error}: give {_options(plan, eased)}") from None
    _tell(graph, _options(plan, eased))
    restart()  # draws that were done do not count: they followed another plan
    return eased, run(eased)


def compares(plan: Plan, graph: Graph, train_on: Graph | None, number: int) -> bool:
    """Whether a draw has anybody to learn from and anybody to ask for."""
    try:
        sides = set_scene(plan, graph, train_on, Seeds(plan.seed, (number,)))
    except SampleError:
        return False
    question = Question("complete", plan.sampling.protocol)
    return sides.examples(question).suffice and all(map(len, sides.asked(question)))


def _eased(plan: Plan, people: int, works: Works) -> Plan | None:
    """Return the plan with the highest degree, and then the most known people, that leave somebody to compare."""
    for one in _fewer_known(plan, people):
        degree: int | None = one.sampling.min_degree
        for number in range(min(plan.repeats, _DRAWS_TRIED)):
            degree = None if degree is None else _highest(one, degree, number, works)
        if degree is not None:
            return _with_degree(one, degree)
    return None


def _fewer_known(plan: Plan, people: int) -> Iterator[Plan]:
    yield plan
    known = min(plan.threat.known or 0, people)
    while known > 1:
        known //= 2
        threat: Any = plan.threat
        yield replace(plan, threat=replace(threat, known=known))


def _highest(plan: Plan, most: int, number: int, works: Works) -> int | None:
    """Return the highest degree up to ``most`` with which a draw works; None where none does."""

    def fits(degree: int) -> bool:
        return works(_with_degree(plan, degree), number)

    if fits(most):
        return most
    if not fits(0):
        return None
    low, high = 0, most  # the first works, the second does not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _with_degree(plan: Plan, degree: int) -> Plan:
    return replace(plan, sampling=replace(plan.sampling, min_degree=degree))


def _changes(before: Plan, after: Plan) -> set[str]:
    changed = {"min_degree"} if before.sampling != after.sampling else set()
    return changed | ({"known"} if before.threat != after.threat else set())


def _options(before: Plan, after: Plan) -> str:
    """Return what to type for the changed plan."""
    changed, options = _changes(before, after), []
    if "min_degree" in changed:
        options.append(f"--min-degree {after.sampling.min_degree}")
    if "known" in changed:
        options.append(f"--threat {to_word(after.threat.name, after.threat)}")
    return " ".join(options)


def _last_words(plan: Plan) -> str:
    if plan.threat.unseen:
        return "leave unseen out of --threat"
    return "nor would it help to compare people with fewer contacts: nothing can be linked in this graph"


def _tell(graph: Graph, options: str) -> None:
    notify(f"suited to this graph of {graph.node_count:,} people: {options}")
