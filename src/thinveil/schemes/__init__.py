"""Anonymization schemes: from a graph to releases of published sub-graphs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from thinveil.errors import InputError
from thinveil.schemes.base import Published, Release, Scheme, Secret
from thinveil.schemes.egonets import EgonetScheme, d4d_1, d4d_2
from thinveil.schemes.egos import detect_ego
from thinveil.schemes.files import read_release, read_truth, write_release
from thinveil.schemes.overlap import OverlapScheme

SCHEMES: dict[str, Callable[..., Scheme]] = {"d4d-1": d4d_1, "d4d-2": d4d_2, "overlap": OverlapScheme}

__all__ = [
    "SCHEMES",
    "EgonetScheme",
    "OverlapScheme",
    "Published",
    "Release",
    "Scheme",
    "Secret",
    "detect_ego",
    "make_scheme",
    "read_release",
    "read_truth",
    "scheme_parameters",
    "write_release",
]


def make_scheme(name: str, **parameters: Any) -> Scheme:
    """Return the scheme of that name.

    Examples
    --------
    >>> make_scheme("d4d-2", egonets=10).settings()
    {'egonets': 10, 'min_size': 400}
    """
    known = scheme_parameters(name)
    unknown = sorted(set(parameters) - set(known))
    if unknown:
        raise InputError(f"scheme {name} takes {' and '.join(known)}, not {' and '.join(unknown)}")
    return SCHEMES[name](**parameters)


def scheme_parameters(name: str) -> tuple[str, ...]:
    """Return the names of the parameters that a scheme takes."""
    if name not in SCHEMES:
        raise InputError(f"unknown scheme {name!r}: choose one of {', '.join(SCHEMES)}")
    return tuple(inspect.signature(SCHEMES[name]).parameters)
