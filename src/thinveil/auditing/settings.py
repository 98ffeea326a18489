"""Everything that decides an audit's numbers, in one record: the same settings and graph, the same digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from thinveil.attacks import ATTACKS, JOINS, Attack, make_attack
from thinveil.errors import InputError
from thinveil.features import FEATURES, Channel, make_channels
from thinveil.features.pairs import CATEGORIES, PROTOCOLS
from thinveil.runtime.streams import check_seed
from thinveil.schemes import SCHEMES, Scheme, make_scheme, scheme_parameters

# the upper ends keep a slip of the finger from asking for more memory than there is
_RANGES = {
    "egonets": (2, 10**6), "min_size": (0, 2**31 - 2), "min_degree": (0, 2**31 - 2), "large_signature": (0, 2**31 - 2),
    "bins": (1, 2_000), "bin_size": (1, 10**6), "trees": (1, 10**6), "bag_size": (1, 10**6),
    "train_pairs": (1, 10**8), "test_pairs": (1, 10**8), "train_negatives": (1, 10**8), "test_negatives": (1, 10**8),
    "people": (1, 10**10), "repeats": (1, 10**4), "seeds": (0, 10**8), "slots": (1, 1_000),
}  # fmt: skip

_SCHEME_SETTINGS = ("egonets", "min_size", "node_overlap", "edge_overlap")
"""Parameters of schemes that are settings too."""

_SHARES = ("node_overlap", "edge_overlap")

_COMPARED: dict[str, tuple[str, ...]] = {"strong": ("forest", "signature")}
"""The attacks beside which an attack is shown, on the same releases."""

_COMPARED_PROTOCOLS = ("paper", "matched")


@dataclass(frozen=True)
class Settings:
    """The settings of an audit; the defaults are the paper's, but for more test pairs of different people.

    Parameters
    ----------
    scheme
        Name of the anonymization scheme.
    egonets, min_size
        Sub-graphs per release, and the number of nodes that each must exceed.
    node_overlap, edge_overlap
        Share of the people, and of the edges among them, that the two graphs of scheme ``overlap`` have in common.
    seeds
        People whose appearances in the attacked release the attacker knows and learns from; by default 50 for scheme
        ``overlap``, and 0 for others or with ``train_on``: then the attack learns from another release.
    min_degree
        People with no more edges than this inside a sub-graph are not compared.
    categories
        The categories to measure, ``complete`` among them; all by default.
    features
        What the forest compares; by default the degrees of neighbours, and for scheme ``overlap`` also those of
        everybody within two hops.
    slots, join
        Equal spans into which the time is cut, each attacked apart, and how to join what they say: by ``log odds``,
        ``summed log odds`` or ``majority`` (see ``SlotAttack``).
    attack
        ``strong``, the default; ``forest``, the paper's, which is the default with slots; or ``signature``, its ad-hoc
        one.
    alone
        Measure only the chosen attack, under the chosen protocol, even where others would be shown beside it.
    large_signature
        The signature attack trusts no signature with fewer neighbours than this.
    bins, bin_size
        Length of the degree histogram and width of its bins (n and b in the paper).
    trees, bag_size, candidates, thresholds, smallest
        The forest: see ``PairForest``.
    protocol
        How non-identical pairs are drawn: ``paper``, ``uniform`` or ``matched``.
    unseen
        Test only with people who stand nowhere in the training release.
    train_pairs, test_pairs
        Identical pairs per category, at most; all where there are fewer.
    train_negatives, test_negatives
        Non-identical pairs.
    people
        Size of the sub-graph for which the worth of a link is worked out; the mean size by default.
    repeats
        Number of draws of new egos.
    seed
        Decides all that is random.
    """

    scheme: str = "d4d-2"
    egonets: int = 100
    min_size: int = 400
    node_overlap: float = 0.25
    edge_overlap: float = 0.25
    seeds: int | None = None
    min_degree: int = 5
    categories: tuple[str, ...] = CATEGORIES
    features: tuple[str, ...] = ()
    slots: int = 1
    join: str = "log odds"
    attack: str = ""
    alone: bool = False
    large_signature: int = 6
    bins: int = 70
    bin_size: int = 15
    trees: int = 400
    bag_size: int = 600
    candidates: float = 0.05
    thresholds: int = 21
    smallest: float = 0.1
    protocol: str = "paper"
    unseen: bool = False
    train_pairs: int = 100_000
    test_pairs: int = 10_000
    train_negatives: int = 50_000
    test_negatives: int = 200_000
    people: int | None = None
    repeats: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_type(field.name, getattr(self, field.name), str(field.type))
        check_seed(self.seed)
        _check_choice("categories", self.categories, CATEGORIES)
        if self.features:  # none means those of the scheme
            _check_choice("features", self.features, tuple(FEATURES))
        if "complete" not in self.categories:
            raise InputError(f"categories = {', '.join(self.categories)}: complete must be among them")
        for name, allowed in (("attack", ATTACKS), ("protocol", PROTOCOLS), ("join", JOINS)):
            if getattr(self, name) not in allowed and (name, getattr(self, name)) != ("attack", ""):
                raise InputError(f"unknown {name} {getattr(self, name)!r}: choose one of {', '.join(allowed)}")
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise InputError(f"{name} = {value}: give a number from {low:,} to {high:,}")
        if self.attack == "strong" and self.slots > 1:
            raise InputError("attack strong looks at the whole period: leave slots out, or choose forest")
        for name in _SHARES:
            if not 0 < getattr(self, name) <= 1:
                raise InputError(f"{name} = {getattr(self, name)}: give a share above 0 and up to 1")

    def resolved(self, *, other_graph: bool = False) -> Settings:
        """Return the settings with what the scheme decides where nobody else did.

        Parameters
        ----------
        other_graph
            Whether the attack learns from another graph.

        Examples
        --------
        >>> Settings(scheme="overlap").resolved().features
        ('degrees', 'two-hop')
        """
        two_graphs = self.scheme == "overlap"
        seeds = 50 if two_graphs and not other_graph else 0
        return replace(
            self,
            attack=self.attack or ("forest" if self.slots > 1 else "strong"),
            features=self.features or (("degrees", "two-hop") if two_graphs else ("degrees",)),
            seeds=seeds if self.seeds is None else self.seeds,
            # without egos nobody has a distance from them
            categories=("complete",) if two_graphs else self.categories,
        )

    def make_scheme(self) -> Scheme:
        """Return the scheme that the settings name."""
        return make_scheme(self.scheme, **{name: getattr(self, name) for name in scheme_parameters(self.scheme)})

    def make_channels(self) -> tuple[Channel, ...]:
        """Return what an attack that learns compares."""
        return make_channels(self.resolved().features, bins=self.bins, bin_size=self.bin_size)

    def make_attack(self, *, seed: int, threads: int | None = None) -> Attack:
        """Return an attack that has learned nothing yet."""
        return make_attack(
            self.resolved().attack, self.make_channels(),
            large=self.large_signature, slots=self.slots, join=self.join,
            trees=self.trees, bag_size=self.bag_size, candidates=self.candidates, thresholds=self.thresholds,
            smallest=self.smallest, seed=seed, threads=threads,
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the settings without the empty ones."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """Make settings from a mapping, or say which name is unknown.

        Examples
        --------
        >>> Settings.from_dict({"trees": 10}).trees
        10
        """
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            known = ", ".join(field.name for field in fields(cls))
            raise InputError(f"unknown setting {unknown[0]!r}: known are {known}")
        # TOML has lists, and no tuples
        plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
        return cls(**plain)


def beside_of(settings: Settings) -> tuple[tuple[str, str], ...]:
    """Return the other attacks, each with a protocol, that are measured on the same releases.

    Examples
    --------
    >>> beside_of(Settings(attack="forest"))
    ()
    """
    others = _COMPARED.get(settings.attack, ())
    if settings.alone or not others:
        return ()
    every = [(attack, protocol) for attack in (settings.attack, *others) for protocol in _COMPARED_PROTOCOLS]
    return tuple(pair for pair in every if pair != (settings.attack, settings.protocol))


def foreign_parameters(scheme: str) -> set[str]:
    """Return the settings that only other schemes take; a scheme of the user's own is taken for one of egonets.

    Examples
    --------
    >>> sorted(foreign_parameters("overlap"))
    ['egonets', 'min_size']
    """
    mine = scheme_parameters(scheme) if scheme in SCHEMES else ("egonets", "min_size")
    return {name for other in SCHEMES for name in scheme_parameters(other)} - set(mine)


def choose_scheme(settings: Settings, scheme: str | Scheme | None, given: Iterable[str]) -> tuple[Settings, Scheme]:
    """Return settings that name a scheme, and the scheme: the user's own, or one made from the settings.

    ``given`` are the settings that the user gave by name; those that mean nothing to the scheme are refused.
    """
    if isinstance(scheme, str) or scheme is None:
        settings = replace(settings, scheme=scheme or settings.scheme)
        check_fit(settings.scheme, given)
        return settings, settings.make_scheme()
    told = {name: value for name, value in scheme.settings().items() if name in _SCHEME_SETTINGS}
    return replace(settings, scheme=scheme.name, **told), scheme


def check_fit(scheme: str, given: Iterable[str]) -> None:
    """Say which of the settings that somebody gave mean nothing to a scheme, if one does."""
    foreign = sorted(foreign_parameters(scheme) & set(given))
    if foreign:
        known = " and ".join(scheme_parameters(scheme))
        raise InputError(f"scheme {scheme} takes {known}, not {' and '.join(foreign)}")


def _check_choice(name: str, chosen: tuple[str, ...], known: tuple[str, ...]) -> None:
    unknown = [value for value in chosen if value not in known]
    if unknown or not chosen or len(set(chosen)) < len(chosen):
        raise InputError(f"{name} = {list(chosen)}: choose among {'; '.join(known)}, each once")


def _check_type(name: str, value: Any, declared: str) -> None:
    allowed: dict[str, tuple[type, ...]] = {
        "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,), "int | None": (int, type(None)),
        "tuple[str, ...]": (tuple,),
    }  # fmt: skip
    if not isinstance(value, allowed[declared]) or (declared != "bool" and isinstance(value, bool)):
        raise InputError(f"setting {name} = {value!r} is not of type {declared}")
