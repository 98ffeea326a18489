"""Everything that decides an audit's numbers, in one record: the same plan and graph, the same digits.

A plan is a threat, a scheme, an attack, the attacks beside it, how pairs are sampled, how often and with which seed.
Parameters live with their owner: the plan only holds the owners. ``tables`` is what ``settings.toml`` holds::

    [plan]      repeats, seed, quick
    [threat]    name = "linkage", ...
    [scheme]    name = "d4d-2", egonets = 100, ...
    [attack]    name = "strong", ...
    [[beside]]  name = "forest", ...
    [sampling]  protocol = "matched", ...
"""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from thinveil.attacks import ATTACKS, Attack
from thinveil.errors import InputError
from thinveil.features import Needs
from thinveil.features.pairs import CATEGORIES, PROTOCOLS, Question
from thinveil.runtime.parameters import check_parameters, from_table, parameter, parameters_of, suggest, to_table
from thinveil.runtime.streams import check_seed
from thinveil.schemes import SCHEMES, Scheme
from thinveil.threats import THREATS, Threat

_COMPARED = ("paper", "matched")
"""The protocols under which attacks are compared."""

_OWN = ("repeats", "seed", "quick")
"""The settings of a plan that are nobody else's."""

# a first look keeps the attack: a lighter one finds far less, and would be a false comfort
_QUICK = {"train_pairs": 5_000, "train_negatives": 5_000, "test_pairs": 2_000, "test_negatives": 20_000}
_QUICK_SUBGRAPHS = 40


@dataclass(frozen=True)
class Sampling:
    """Which pairs are compared; the defaults are the paper's, but for the protocol and for more test pairs."""

    protocol: str = parameter("matched", "how pairs of different people are drawn", choices=PROTOCOLS)
    categories: tuple[str, ...] = parameter(CATEGORIES, "categories of pairs that are measured", choices=CATEGORIES)
    min_degree: int = parameter(
        5, "people with no more contacts than this in a sub-graph are not compared", low=0, high=2**31 - 2
    )
    train_pairs: int = parameter(100_000, "most pairs of one person to learn from, per category", low=1, high=10**8)
    test_pairs: int = parameter(10_000, "most pairs of one person to test with, per category", low=1, high=10**8)
    train_negatives: int = parameter(50_000, "pairs of different people to learn from", low=1, high=10**8)
    test_negatives: int = parameter(200_000, "pairs of different people to test with", low=1, high=10**8)
    people: int | None = parameter(
        None, "size of the sub-graph for which the worth of a link is worked out", low=1, high=10**10
    )

    def __post_init__(self) -> None:
        check_parameters(self)
        if "complete" not in self.categories:
            raise InputError(f"categories = {', '.join(self.categories)}: complete must be among them")


class Measured(NamedTuple):
    """An attack under a protocol."""

    attack: Attack
    protocol: str


@dataclass(frozen=True)
class Plan:
    """A whole audit.

    Examples
    --------
    >>> plan = Plan.make("d4d-1:egonets=20", "forest:trees=50", protocol="paper", seed=7)
    >>> plan.scheme, plan.sampling.protocol, plan.seed
    (D4D1(egonets=20, min_size=400, most_nodes=0), 'paper', 7)
    """

    threat: Threat
    scheme: Scheme
    attack: Attack
    beside: tuple[Attack, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    repeats: int = parameter(1, "draws of new releases", low=1, high=10**4)
    seed: int = parameter(0, "decides all that is random", low=0, high=2**63 - 1)
    quick: bool = parameter(False, "whether this is a quick first look, with fewer sub-graphs and pairs")
    left_open: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """What nobody chose, and what may be chosen from the graph: parameters of the scheme, min_degree, known."""

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_parameters(self)

    @classmethod
    def make(
        cls,
        scheme: str | Scheme | None = None,
        attack: str | Attack | None = None,
        *,
        threat: str | Threat | None = None,
        beside: Iterable[str | Attack] | None = None,
        base: Plan | None = None,
        quick: bool = False,
        **changes: Any,
    ) -> Plan:
        """Make a plan from words, things and single values; what is not given is that of ``base``, or the default.

        Parameters
        ----------
        scheme, attack, threat
            Words such as ``d4d-2:egonets=50``, or the things themselves.
        beside
            Other attacks on the same releases; by default those that the attack names.
        base
            A plan to start from.
        quick
            Whether to take fewer sub-graphs and pairs, and no other attack, where nobody chose: a first look.
        changes
            Fields of ``Sampling``, and ``repeats`` and ``seed``.
        """
        if quick:
            return _quicken(cls.make(scheme, attack, threat=threat, beside=() if beside is None else beside, base=base,
                                     **{**_QUICK, **changes}), base)  # fmt: skip
        chosen = THREATS.make(threat or (base.threat if base else "linkage"))
        given = scheme or (base.scheme if base else chosen.scheme)
        return cls(
            threat=chosen,
            scheme=SCHEMES.make(given),
            attack=(made := ATTACKS.make(attack or (base.attack if base else chosen.attack))),
            beside=_beside(made, beside, base if attack is None else None),
            **_changed(base, changes, resized=scheme is not None),
            left_open=_left_open(given, base, {*changes, *(["scheme"] if scheme else [])}),
        )

    def resolved(self, *, other_graph: bool = False) -> Plan:
        """Return the plan with what the threat decides where nobody else did.

        Examples
        --------
        >>> Plan.make(threat="identification", attack="forest").resolved().attack.features
        ('degrees', 'two-hop')
        """
        threat = self.threat.resolved(other_graph=other_graph, learns=getattr(self.attack, "learns", True))
        for one in (self.attack, *self.beside):
            if getattr(one, "names_people", False) and not getattr(threat, "auxiliary", False):
                raise InputError(
                    f"attack {one.name} names people with an auxiliary graph: choose --threat identification"
                )
        attack, *beside = (_with_features(one, threat.features) for one in (self.attack, *self.beside))
        known = ("known",) if self.threat.known is None else ()
        left_open = (*self.left_open, *known)
        return replace(self, threat=threat, attack=attack, beside=tuple(beside), left_open=left_open)

    @property
    def needs(self) -> Needs:
        """What must be seen of every appearance, for all attacks."""
        return self.attack.needs.join(*(one.needs for one in self.beside))

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The attacks and protocols that are measured on the same releases, the chosen one first."""
        main = Measured(self.attack, self.sampling.protocol)
        if not self.beside:
            return (main,)
        every = [Measured(attack, protocol) for attack in (self.attack, *self.beside) for protocol in _COMPARED]
        return (main, *(one for one in every if one != main))

    def questions(self, attack: Attack, categories: Iterable[str]) -> tuple[Question, ...]:
        """Return all that an attack is asked."""
        protocols = [one.protocol for one in self.measured if one.attack is attack]
        return tuple(Question(category, protocol) for protocol in protocols for category in categories)

    def tables(self) -> dict[str, Any]:
        """Return the plan as tables for TOML or JSON."""
        tables: dict[str, Any] = {
            "plan": {"repeats": self.repeats, "seed": self.seed, **({"quick": True} if self.quick else {})},
            "threat": THREATS.table(self.threat),
            "scheme": SCHEMES.table(self.scheme),
            "attack": ATTACKS.table(self.attack),
            "sampling": to_table(self.sampling),
        }
        return {**tables, "beside": [ATTACKS.table(one) for one in self.beside]} if self.beside else tables

    @classmethod
    def from_tables(cls, tables: Mapping[str, Any]) -> Plan:
        """Make a plan from its tables, or say what in them is not known."""
        for name in ("plan", "threat", "scheme", "attack", "sampling"):
            if not isinstance(tables.get(name, {}), Mapping):
                raise InputError(f"{name} = {reprlib.repr(tables[name])} is not a table [{name}]")
        others = tables.get("beside", ())
        if not isinstance(others, list | tuple) or not all(isinstance(one, Mapping) for one in others):
            raise InputError(f"beside = {reprlib.repr(others)} is not a list of tables [[beside]]")
        more = dict(tables.get("plan", {}))
        unknown = sorted(set(more) - set(_OWN))
        if unknown:
            raise InputError(f"unknown setting {unknown[0]!r} in [plan]: {suggest(unknown[0], _OWN)}")
        threat = THREATS.make(tables.get("threat", "linkage"))
        scheme, sampling = tables.get("scheme", threat.scheme), tables.get("sampling", {})
        return cls(
            threat,
            SCHEMES.make(scheme),
            ATTACKS.make(tables.get("attack", threat.attack)),
            tuple(ATTACKS.make(one) for one in others),
            from_table(Sampling, sampling),
            **more,
            left_open=_left_open(scheme, None, set(sampling)),
        )

    @property
    def strangers(self) -> tuple[str, ...]:
        """What a table alone cannot make again, because only the user's own program knows it."""
        kinds: list[tuple[Any, Any]] = [(SCHEMES, self.scheme), (THREATS, self.threat)]
        kinds += [(ATTACKS, one) for one in (self.attack, *self.beside)]
        return tuple(
            f"{kind.kind} {one.name}"
            for kind, one in kinds
            if not (type(one).__module__.startswith("thinveil.") or kind.is_plugin(one))
        )


def _beside(attack: Attack, given: Iterable[str | Attack] | None, base: Plan | None) -> tuple[Attack, ...]:
    if given is not None:
        return tuple(ATTACKS.make(one) for one in given)
    if base is not None:
        return base.beside
    # in as many slots: attacks that are compared see the same releases
    slots = getattr(attack, "slots", 1)
    others = tuple(ATTACKS.make(name) for name in getattr(attack, "beside", ()))
    return others if slots == 1 else tuple(replace(one, slots=slots) for one in others)  # type: ignore[type-var]


def _quicken(plan: Plan, base: Plan | None) -> Plan:
    """Return the plan as a quick look: with fewer sub-graphs, where a scheme can be resized and nobody chose."""
    if base is not None:
        raise InputError("--quick (quick=) chooses what nobody chose, and --settings (plan=) choose all: leave one out")
    resized: Any = getattr(plan.scheme, "resized", None)
    is_open = resized is not None and "egonets" in plan.left_open
    return replace(plan, quick=True, scheme=resized(_QUICK_SUBGRAPHS) if is_open else plan.scheme)


def _left_open(scheme: Any, base: Plan | None, chosen: Collection[str]) -> tuple[str, ...]:
    """Return what nobody chose, here or in the plan that this one starts from."""
    names = SCHEMES.left_open(scheme) if base is None or "scheme" in chosen else base.left_open
    degree = () if "min_degree" in chosen or (base and "min_degree" not in base.left_open) else ("min_degree",)
    return (*(name for name in names if name != "min_degree"), *degree)


def _changed(base: Plan | None, changes: Mapping[str, Any], *, resized: bool) -> dict[str, Any]:
    """Return the plan's other fields, with single values changed.

    A quick look is none any more once its sub-graphs (``resized``) or its pairs were chosen.
    """
    own, sampled = {"repeats", "seed"}, {one.name for one in fields(Sampling)}
    for name in changes:
        if name not in own | sampled:
            raise InputError(f"unknown setting {name!r}: {suggest(name, sorted(own | sampled))}")
    sampling = replace(base.sampling if base else Sampling(), **{k: v for k, v in changes.items() if k in sampled})
    kept = {name: getattr(base, name) for name in _OWN} if base else {}
    if kept and (resized or not _QUICK.keys().isdisjoint(changes)):
        kept["quick"] = False
    return {"sampling": sampling, **kept, **{k: v for k, v in changes.items() if k in own}}


def _with_features(attack: Attack, suited: tuple[str, ...]) -> Attack:
    """Fill in what is compared, where an attack leaves that open."""
    choices = next((one.choices for one in parameters_of(attack) if one.name == "features"), ())
    wanted = tuple(name for name in suited if name in choices)
    is_open = wanted and not getattr(attack, "features", None)
    return replace(attack, features=wanted) if is_open else attack  # type: ignore[type-var]
