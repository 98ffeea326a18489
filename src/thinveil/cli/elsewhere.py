"""The release of an audit that runs no scheme: the one that is named, or, when it is repeated, that of its settings.

Settings hold the names of the release and of its truth, without folders, and the SHA-256 of both. They are looked for
in the current folder and beside the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from thinveil.errors import InputError

if TYPE_CHECKING:
    from thinveil.auditing.plan import Plan
    from thinveil.schemes import Release

_OPTIONS = {"release": "--release DIR", "truth": "--truth FILE"}


class Places(NamedTuple):
    """Where a release and its truth lie."""

    release: Path
    truth: Path

    def open(self) -> Release:
        """Read both."""
        from thinveil.schemes import read_release

        if not self.release.exists():
            raise InputError(f"{self.release}: no such folder or file: name the release with --release")
        if not self.truth.exists():
            raise InputError(f"{self.truth}: no such file: name the table of who is who with --truth")
        return read_release(self.release, self.truth)

    @property
    def names(self) -> dict[str, str]:
        """Return what both are called, without their folders, which are nobody's business."""
        return {"name": self.release.resolve().name, "truth": self.truth.name}


def find_release(
    release: Path | None, truth: Path | None, base: Plan | None, settings: Path | None, words: Mapping[str, Any]
) -> Places | None:
    """Return where the release lies; None where a scheme is to be run."""
    scheme: Any = None if base is None else base.scheme
    earlier = scheme if getattr(scheme, "is_fixed", False) else None
    if release is None and earlier is None:
        if truth is not None:
            raise InputError(f"--truth {truth} says who is who in a release: give that with --release")
        return None
    if "scheme" in words:
        raise InputError(f"--scheme {words['scheme']} would publish anew, and --release is there: leave one out")
    if words.get("train_on"):
        raise InputError(f"--train-on {words['train_on']}: no scheme is there to publish it too: leave it out")
    if words.get("auxiliary"):
        raise InputError(f"--aux {words['auxiliary']}: the graph with names behind --release is given with --graph")
    if words.get("quick"):
        raise InputError("--quick takes fewer sub-graphs than a scheme would publish: leave it out beside --release")
    found = [
        given or (None if earlier is None else _search(role, getattr(earlier, role), settings))
        for role, given in (("release", release), ("truth", truth))
    ]
    if found[0] is None or found[1] is None:
        raise InputError(f"--release {release} needs --truth FILE, who is who: a table with subgraph, node, person")
    return Places(found[0], found[1])


def _search(role: str, name: str, settings: Path | None) -> Path:
    if not name or settings is None or Path(name).name != name:
        # settings may come from a stranger, who must not choose what is opened
        raise InputError(f"{settings} does not name a {role}: say where it is: {_OPTIONS[role]}")
    there = [path for path in (Path(name), settings.parent / name) if path.exists()]
    if not there:
        raise InputError(f"{name}: the {role} of {settings} is neither here nor beside it: say where: {_OPTIONS[role]}")
    return there[0]
