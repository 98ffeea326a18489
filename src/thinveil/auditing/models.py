"""Learned attacks that can be kept: a forest per category, and all it takes to use them on another release.

A model file is an ``.npz`` of plain arrays: the settings and degree ratios as JSON, the files of the forests (see
``thinveil.learners.forest.storage``) as bytes, and a SHA-256 over all of them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np

from thinveil.attacks import ForestAttack
from thinveil.auditing.settings import Settings
from thinveil.errors import InputError, ModelError, SampleError
from thinveil.features import Channel, RowTruth, View, observe
from thinveil.features.pairs import Pairs, PairSampler, categories_of, has_company
from thinveil.graph import Graph
from thinveil.learners.forest import PairForest
from thinveil.learners.forest.storage import pack_forest, read_model, unpack_forest
from thinveil.runtime.files import write_whole
from thinveil.runtime.streams import stream

_FORMAT = "thinveil model 1"
_RATIO_LEVELS = (0.005, 0.5, 0.995)


class Ratios(NamedTuple):
    """Degree of a person in one sub-graph over that in another: what is seldom undercut, usual, seldom exceeded.

    Of a ``1,2-hop`` pair it is the degree two hops from the ego over that within one hop.
    """

    low: float
    usual: float
    high: float

    def inverted(self) -> Ratios:
        """Return the ratios of the second degree over the first."""
        return Ratios(1 / self.high, 1 / self.usual, 1 / self.low)


@dataclass(frozen=True, eq=False)
class Model:
    """An attack that has learned: forests and degree ratios by category, the settings and version that made them."""

    settings: Settings
    forests: Mapping[str, PairForest]
    ratios: Mapping[str, Ratios]
    version: str

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What the model wants to see of every row."""
        return self.settings.make_channels()


def train_model(
    graph: Graph, scheme: str | None = None, *, settings: Settings | None = None, threads: int | None = None,
    **changes: Any,
) -> Model:  # fmt: skip
    """Learn the attack on a release drawn from a graph.

    Parameters
    ----------
    graph
        The graph to learn from: the one that was published, or another of its kind.
    scheme
        Name of the scheme.
    settings, changes
        A ``Settings``, or its fields by name. Without settings the protocol is ``matched``, which links best.
    threads
        Number of threads; it does not change the result.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> model = train_model(synthetic_graph(3000, seed=1), "d4d-2", egonets=20, min_size=50, trees=20)
    >>> sorted(model.forests)
    ['1,2-hop', '1-hop', '2-hop', 'complete']
    """
    base = settings or Settings(protocol="matched")
    chosen = Settings.from_dict({**base.to_dict(), **({"scheme": scheme} if scheme else {}), **changes})
    chosen = replace(chosen, attack=chosen.attack or "forest").resolved(other_graph=True)
    if chosen.attack != "forest" or chosen.slots > 1:
        raise InputError(f"attack {chosen.attack!r} in {chosen.slots} slots cannot be kept: train the forest, in one")
    seed = int(stream(chosen.seed, "training release").integers(2**62))
    (release,) = chosen.make_scheme().draw(graph, releases=1, seed=seed)
    view, truth = observe(release, chosen.make_channels(), min_degree=chosen.min_degree, threads=threads)
    admit = has_company(view.subgraph, truth) if chosen.protocol == "matched" else None
    sampler = PairSampler(view.subgraph, truth, admit=admit)
    categories = [name for name in categories_of(truth) if name in chosen.categories and sampler.count(name)]
    if "complete" not in categories:
        raise SampleError(
            f"nobody with more than {chosen.min_degree} edges stands in two sub-graphs: nothing can be learned; "
            "change egonets, min_size or min_degree"
        )
    forests, ratios = {}, {}
    for category in categories:
        chance = stream(chosen.seed, "training pairs", category)
        identical = sampler.identical(category, chosen.train_pairs, chance)
        different = sampler.different(chosen.protocol, category, chosen.train_negatives, chance)
        forests[category] = _grow(category, chosen, view, identical, different, threads)
        ratios[category] = _ratios(category, view, truth, identical)
    return Model(chosen, forests, ratios, version("thinveil"))


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, whole or not at all."""
    parts = {name: np.frombuffer(pack_forest(forest), dtype=np.uint8) for name, forest in model.forests.items()}
    facts = {
        "format": _FORMAT, "thinveil": model.version, "settings": model.settings.to_dict(),
        "ratios": {name: list(ratios) for name, ratios in model.ratios.items()},
    }  # fmt: skip
    about = np.frombuffer(json.dumps(facts, sort_keys=True).encode(), dtype=np.uint8)
    buffer = io.BytesIO()
    checksum = np.frombuffer(_checksum(about, parts), dtype=np.uint8)
    np.savez(buffer, allow_pickle=False, model=about, checksum=checksum, **parts)
    write_whole(path, buffer.getvalue())


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file, or say why the file is not one."""
    content = read_model(path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            parts = {name: archive[name] for name in archive.files}
        about, checksum = parts.pop("model"), parts.pop("checksum").tobytes()
    except Exception:  # a damaged archive fails in more ways than its libraries list
        raise ModelError(f"{path}: not a model of thinveil train, or a damaged one: train it again") from None
    if _checksum(about, parts) != checksum:
        raise ModelError(f"{path}: the checksum is wrong, the file was damaged or changed: train it again")
    forests = {name: unpack_forest(part.tobytes(), path) for name, part in parts.items()}
    try:
        return _rebuild(json.loads(about.tobytes()), forests)
    except (InputError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{path}: the model makes no sense ({error}): train it again") from None


def _rebuild(facts: dict[str, Any], forests: dict[str, PairForest]) -> Model:
    if facts["format"] != _FORMAT:
        raise ValueError(f"format {facts['format']!r}, expected {_FORMAT!r}")
    settings = Settings.from_dict(facts["settings"])
    ratios = {name: Ratios(*map(float, values)) for name, values in facts["ratios"].items()}
    if "complete" not in forests or set(forests) != set(ratios) or not set(forests) <= set(settings.categories):
        raise ValueError("forests and degree ratios of different categories")
    if not all(0 < low <= usual <= high < np.inf for low, usual, high in ratios.values()):
        raise ValueError("degree ratios out of order")
    width = sum(channel.width for channel in settings.make_channels())
    if any(forest.n_features_in_ != 2 * width for forest in forests.values()):
        raise ValueError("forests that compare something else than the settings say")
    return Model(settings, forests, ratios, str(facts["thinveil"]))


def _checksum(about: Any, parts: Mapping[str, Any]) -> bytes:
    sha = hashlib.sha256(about.tobytes())
    for name in sorted(parts):
        sha.update(f"{name} {parts[name].size}".encode())
        sha.update(parts[name].tobytes())
    return sha.digest()


def _grow(
    category: str, chosen: Settings, view: View, identical: Pairs, different: Pairs, threads: int | None
) -> PairForest:
    attack = chosen.make_attack(seed=int(stream(chosen.seed, f"forest {category}").integers(2**62)), threads=threads)
    attack.fit(view, identical, different)
    assert isinstance(attack, ForestAttack)  # the only attack that a model can keep
    return attack.forest


def _ratios(category: str, view: View, truth: RowTruth, identical: Pairs) -> Ratios:
    left, right = identical.left, identical.right
    if category == "1,2-hop":
        left, right = np.where(truth.is_far[left], left, right), np.where(truth.is_far[left], right, left)
    else:  # neither comes first
        left, right = np.append(left, right), np.append(right, left)
    low, usual, high = np.quantile(view.degree[left] / view.degree[right], _RATIO_LEVELS)
    return Ratios(float(low), float(usual), float(high))
