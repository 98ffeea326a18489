"""What a release keeps of the original, as a file for machines."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import polars as pl

from thinveil.errors import InputError
from thinveil.measures.utility import Utility
from thinveil.runtime.csvtext import guarded_csv
from thinveil.runtime.files import File, write_together
from thinveil.runtime.places import Inputs, Kind, check_place, starts_with

_COLUMNS = ("name", "family", "original", "release", "distance", "error", "subgraphs", "reason", "words", "direction")
_JSON, _CSV = b'{\n  "measures": ', ",".join(_COLUMNS).encode()

UTILITY = Kind("file of utility", lambda path: starts_with(path, _JSON) or starts_with(path, _CSV))
"""What ``write_utility`` writes, and how it is told from a foreign file."""


def check_utility_place(path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()) -> Path:
    """Say early that the measures could not be written there."""
    if Path(path).suffix not in (".json", ".csv"):
        raise InputError(f"{path}: measures are written as .json or .csv: choose one of the two endings")
    return check_place(path, UTILITY, force=force, inputs=inputs)


def write_utility(
    found: Utility, path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()
) -> None:  # fmt: skip
    """Write measures as JSON, with all that was found, or as CSV, a line each, by the name's ending.

    They name nobody. The file appears whole or not at all; ``force`` lets an earlier one be replaced, and none of the
    ``inputs`` is ever written over.
    """
    place = check_utility_place(path, force=force, inputs=inputs)
    content = utility_json(found).encode() if Path(path).suffix == ".json" else _csv(found)
    write_together(File(place, content, may_replace=UTILITY.may_replace(force)))


def utility_json(found: Utility) -> str:
    """Return all that was found, for machines."""
    return json.dumps(found.to_dict(), indent=2) + "\n"


def _csv(found: Utility) -> bytes:
    rows = [{name: asdict(one)[name] for name in _COLUMNS} for one in found.measures]
    return guarded_csv(pl.DataFrame(rows, infer_schema_length=None))
