"""Attacks that have learned and can be kept: what ``train`` makes, and ``link`` and ``match`` use.

A model file is an ``.npz`` of plain arrays, without pickle: loading a file can fail, it cannot run code. It holds what
the attack learned (see its ``pack``), the plan, the degree ratios and the version as JSON, and a SHA-256 over all of
it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Examples, Fitted, Packed
from thinveil.attacks.matching import Ratios
from thinveil.auditing.plan import Plan
from thinveil.errors import ModelError
from thinveil.features import Labels, View
from thinveil.features.pairs import Question
from thinveil.learners.boosting.packing import check_facts
from thinveil.runtime.archives import NONSENSE, is_archive, pack_archive, read_model_file, unpack_archive
from thinveil.runtime.files import File, write_together
from thinveil.runtime.inputs import first_line
from thinveil.runtime.places import Inputs, Kind, check_place

_FORMAT = "thinveil model 2"
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Model:
    """An attack that has learned, degree ratios by category, and the plan and version that made them."""

    plan: Plan
    fitted: Fitted
    ratios: Mapping[str, Ratios]
    version: str

    @classmethod
    def of(cls, plan: Plan, fitted: Fitted, view: View, labels: Labels, examples: Mapping[Question, Examples]) -> Model:
        """Keep what was learned from a release."""
        ratios = {
            question.category: Ratios.of(question.category, view, labels, given.identical)
            for question, given in examples.items()
        }
        return cls(plan, fitted, ratios, version("thinveil"))

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories of pairs that were learned."""
        return tuple(self.ratios)


MODEL = Kind("model", lambda path: is_archive(path, '"format": "thinveil model'))
"""A model's file, and how it is told from a foreign one."""


def save_model(model: Model, path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()) -> None:
    """Write a model to a file, whole or not at all.

    An earlier model is replaced with ``force``, and nothing else ever, least of all the ``inputs`` that the run read.
    """
    place = check_place(path, MODEL, force=force, inputs=inputs)
    facts, arrays = model.fitted.pack()
    about = {
        "format": _FORMAT, "thinveil": model.version, "plan": model.plan.tables(), "facts": facts,
        "ratios": {name: list(ratios) for name, ratios in model.ratios.items()}, "arrays": sorted(arrays),
    }  # fmt: skip
    # names within the archive are numbers: those of the arrays may be any text
    parts = {f"array{k}": np.asarray(arrays[name]) for k, name in enumerate(sorted(arrays))}
    content = pack_archive(about, {name: parts[name] for name in sorted(parts)})
    write_together(File(place, content, may_replace=MODEL.may_replace(force)))


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file, or say why the file is not one."""
    about, parts = unpack_archive(read_model_file(path), path)
    try:
        return _rebuild(about, parts)
    except NONSENSE as error:
        raise ModelError(f"{path}: the model makes no sense ({first_line(error)}): train it again") from None


def _rebuild(about: Any, parts: Arrays) -> Model:
    if not isinstance(about, dict) or about["format"] != _FORMAT:
        raise ValueError(f"it does not say that it is a {_FORMAT!r}")
    names = about["arrays"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("arrays without names")
    if len(set(names)) < len(names) or len(names) != len(parts):
        raise ValueError("other arrays than it says")
    arrays = {name: parts[f"array{k}"] for k, name in enumerate(names)}
    ratios = {name: Ratios.read(values) for name, values in about["ratios"].items()}
    plan = Plan.from_tables(about["plan"])
    if "complete" not in ratios or not set(ratios) <= set(plan.sampling.categories):
        raise ValueError("degree ratios of other categories than were learned")
    return Model(plan, plan.attack.restore(Packed(check_facts(about["facts"]), arrays)), ratios, str(about["thinveil"]))
