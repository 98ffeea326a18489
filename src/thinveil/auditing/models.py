"""Attacks that have learned and can be kept: what ``train`` makes, and ``link`` uses.

A model file is an ``.npz`` of plain arrays, without pickle: loading a file can fail, it cannot run code. It holds what
the attack learned (see its ``pack``), the plan, the categories and the version as JSON, and a SHA-256 over all of
it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinveil.attacks import Fitted, Packed
from thinveil.auditing.plan import Plan
from thinveil.errors import ModelError
from thinveil.features.pairs import Question
from thinveil.learners.boosting.packing import check_facts
from thinveil.runtime.archives import NONSENSE, is_archive, pack_archive, read_model_file, unpack_archive
from thinveil.runtime.files import File, write_together
from thinveil.runtime.inputs import first_line
from thinveil.runtime.places import Inputs, Kind, check_place

_FORMAT = "thinveil model 3"
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Model:
    """An attack that has learned, the categories of pairs that it knows, and the plan and version that made it."""

    plan: Plan
    fitted: Fitted
    categories: tuple[str, ...]
    version: str

    @classmethod
    def of(cls, plan: Plan, fitted: Fitted, questions: Iterable[Question]) -> Model:
        """Keep what was learned to answer questions."""
        categories = dict.fromkeys(question.category for question in questions)
        return cls(plan, fitted, tuple(categories), version("thinveil"))


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
        "categories": list(model.categories), "arrays": sorted(arrays),
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


def as_model(given: Model | str | os.PathLike[str]) -> Model:
    """Return a model, or read it from its file."""
    return given if isinstance(given, Model) else load_model(given)


def _rebuild(about: Any, parts: Arrays) -> Model:
    if not isinstance(about, dict) or about["format"] != _FORMAT:
        raise ValueError(f"it does not say that it is a {_FORMAT!r}")
    names = about["arrays"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("arrays without names")
    if len(set(names)) < len(names) or len(names) != len(parts):
        raise ValueError("other arrays than it says")
    arrays = {name: parts[f"array{k}"] for k, name in enumerate(names)}
    plan = Plan.from_tables(about["plan"])
    categories = about["categories"]
    if not isinstance(categories, list) or "complete" not in categories:
        raise ValueError("it does not say what was learned")
    if not set(categories) <= set(plan.sampling.categories) or len(set(categories)) < len(categories):
        raise ValueError("other categories than were learned")
    fitted = plan.attack.restore(Packed(check_facts(about["facts"]), arrays))
    return Model(plan, fitted, tuple(categories), str(about["thinveil"]))
