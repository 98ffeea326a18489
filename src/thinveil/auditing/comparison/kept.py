"""Finished assessments in a folder, so that a comparison that was stopped goes on where it was.

An assessment is taken as it is only where all that made it is the same: the graph, the questions, the measures, the
versions, and the code of the scheme. Assessments that failed are made again, and so are those of code whose changes
cannot be seen: commands, functions and classes of the user's own, whose words stay the same.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from thinveil.auditing.comparison.assessing import Asked
from thinveil.auditing.comparison.records import FAILED, Assessment
from thinveil.measures.utility import FAMILIES
from thinveil.runtime.finished import FinishedParts
from thinveil.runtime.versions import used_versions
from thinveil.schemes import SCHEMES, Scheme


class Kept:
    """Assessments that an earlier run finished in a folder, where there is one, and those that this one finishes."""

    def __init__(self, folder: Path | None, digest: str, asked: Asked) -> None:
        self._parts = None if folder is None else FinishedParts(folder)
        self._made_from = {
            "graph": digest, "asked": json.loads(json.dumps(asdict(asked))), "versions": used_versions(),
            "measures": [about.name for family in FAMILIES for about in family.measures],
        }  # fmt: skip

    def find(self, word: str) -> Assessment | None:
        """Return the assessment of a scheme; None where there is none that still holds."""
        makers = find_makers(SCHEMES.make(word))
        if self._parts is None or makers is None:
            return None
        part = self._parts.find(_name(word), self._key(word, makers))
        try:
            return None if part is None else Assessment.from_dict(part)
        except (ValueError, KeyError, TypeError):
            return None

    def keep(self, one: Assessment) -> None:
        """Keep an assessment that did not fail."""
        makers = find_makers(SCHEMES.make(one.scheme))
        if self._parts is not None and makers is not None and one.status != FAILED:
            self._parts.keep(_name(one.scheme), self._key(one.scheme, makers), one.to_dict())

    def _key(self, word: str, makers: list[str]) -> dict[str, Any]:
        return {**self._made_from, "scheme": word, "made_by": makers}


def find_makers(scheme: Scheme) -> list[str] | None:
    """Return the other packages whose code a scheme is, with versions and digests; None where it is the user's own."""
    makers = []
    for one in getattr(scheme, "schemes", (scheme,)):
        if SCHEMES.is_plugin(one):
            makers.append(f"{SCHEMES.origin(one)} {_digest(type(one))}")
        elif getattr(one, "is_foreign", False) or not type(one).__module__.startswith("thinveil."):
            return None
    return makers


def _digest(made: type[Any]) -> str:
    """Return a digest of the file that holds a class: its author may change it and leave the version."""
    try:
        return hashlib.sha256(Path(inspect.getfile(made)).read_bytes()).hexdigest()
    except (OSError, TypeError):
        return ""


def _name(word: str) -> str:
    """Return a name for the file of a scheme, whose word may hold anything."""
    return hashlib.sha256(word.encode()).hexdigest()[:16]
