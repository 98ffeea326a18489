"""Things that other packages bring along: entry points of a group such as ``thinveil.schemes``, loaded when named.

An entry point has the name by which its class is chosen::

    [project.entry-points."thinveil.schemes"]
    noisy = "my_package:Noisy"
"""

from __future__ import annotations

from dataclasses import is_dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from thinveil.errors import InputError
from thinveil.runtime.inputs import first_line


def find_plugins(group: str) -> dict[str, list[EntryPoint]]:
    """Return what is installed, by name; nothing of it is loaded. A package that is found twice counts once."""
    found: dict[str, list[EntryPoint]] = {}
    for point in sorted(entry_points(group=group), key=lambda one: (one.name, origin(one))) if group else ():
        same = found.setdefault(point.name, [])
        if (origin(point), point.value) not in [(origin(one), one.value) for one in same]:
            same.append(point)
    return found


def origin(point: EntryPoint) -> str:
    """Return the package that an entry point belongs to, and its version."""
    return "an unknown package" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def load_plugin(kind: str, name: str, points: list[EntryPoint]) -> type[Any]:
    """Return the class of an entry point, or say whose fault it is that there is none."""
    if len(points) > 1:
        packages = " and ".join(origin(point) for point in points)
        raise InputError(f"{kind} {name!r} comes from {packages}: uninstall one of them")
    (point,) = points
    title = f"{kind} {name!r} of {origin(point)}"
    try:
        made = point.load()
    except (Exception, SystemExit) as error:
        raise InputError(f"{title} cannot be loaded ({type(error).__name__}: {first_line(error)})") from None
    if not isinstance(made, type) or not is_dataclass(made) or getattr(made, "name", None) != name:
        raise InputError(f"{title} is no frozen dataclass with name = {name!r}: tell its authors")
    return made
