"""Attacks that have learned and can be kept: what ``train`` makes, and ``link`` and ``match`` use.

A model file is an ``.npz`` of plain arrays, without pickle: loading a file can fail, it cannot run code. It holds what
the attack learned (see its ``pack``), the plan, the degree ratios and the version as JSON, and a SHA-256 over all of
it.
"""

from __future__ import annotations

import hashlib
import io
import json
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
from thinveil.errors import InputError, ModelError
from thinveil.features import Labels, View
from thinveil.features.pairs import Question
from thinveil.learners.forest.storage import is_archive, read_model
from thinveil.runtime.files import write_whole
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
    text = np.frombuffer(json.dumps(about, sort_keys=True, allow_nan=False).encode(), dtype=np.uint8)
    # names within the archive are numbers: those of the arrays may be any text
    parts = {f"array{k}": np.asarray(arrays[name]) for k, name in enumerate(sorted(arrays))}
    checksum = np.frombuffer(_checksum(text, parts), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=text, checksum=checksum, **parts)  # type: ignore[arg-type]
    write_whole(place, buffer.getvalue())


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model from a file, or say why the file is not one."""
    content = read_model(path)
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            parts = {name: archive[name] for name in archive.files}
        about, checksum = parts.pop("about"), parts.pop("checksum").tobytes()
    except Exception:  # a damaged archive fails in more ways than its libraries list
        raise ModelError(f"{path}: not a model of thinveil train, or a damaged one: train it again") from None
    if _checksum(about, parts) != checksum:
        raise ModelError(f"{path}: the checksum is wrong, the file was damaged or changed: train it again")
    try:
        return _rebuild(json.loads(about.tobytes(), parse_constant=_refuse), parts)
    except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ModelError(f"{path}: the model makes no sense ({error}): train it again") from None


def _rebuild(about: dict[str, Any], parts: Arrays) -> Model:
    if about["format"] != _FORMAT:
        raise ValueError(f"format {about['format']!r}, expected {_FORMAT!r}")
    arrays = {name: parts[f"array{k}"] for k, name in enumerate(about["arrays"])}
    ratios = {str(name): Ratios.read(values) for name, values in about["ratios"].items()}
    plan = Plan.from_tables(about["plan"])
    if "complete" not in ratios or not set(ratios) <= set(plan.sampling.categories):
        raise ValueError("degree ratios of other categories than were learned")
    return Model(plan, plan.attack.restore(Packed(about["facts"], arrays)), ratios, str(about["thinveil"]))


def _refuse(number: str) -> None:
    raise ValueError(f"{number} is no number")


def _checksum(about: NDArray[np.uint8], parts: Arrays) -> bytes:
    sha = hashlib.sha256(about.tobytes())
    for name in sorted(parts):
        sha.update(f"{name} {parts[name].dtype.str} {parts[name].shape}".encode())
        sha.update(np.ascontiguousarray(parts[name]).tobytes())
    return sha.digest()
