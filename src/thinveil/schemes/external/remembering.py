"""The last releases of black boxes, and whether two of them are the same."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence

import numpy as np

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.schemes.base import Release, Secret

_MOST = 2


class Remembered:
    """The last few releases, by what they were made from: to look at them again must not mean to make them again."""

    def __init__(self) -> None:
        self._releases: OrderedDict[Hashable, Release] = OrderedDict()

    def get(self, given: Hashable) -> Release | None:
        """Return the release that was made from this."""
        return self._releases.get(given)

    def keep(self, given: Hashable, release: Release) -> Release:
        """Keep a release, and forget the oldest."""
        self._releases[given] = release
        while len(self._releases) > _MOST:
            self._releases.popitem(last=False)
        return release


def same_release(one: Release, two: Release) -> bool:
    """Tell whether two releases publish the same of the same people, in whatever order."""
    return sorted(_digests(one)) == sorted(_digests(two))


def without_repeats(release: Release, avoid: Sequence[Release], scheme: str) -> Release:
    """Return a release without the sub-graphs that earlier ones hold already: they may have been learned from.

    A whole graph is always the same.
    """
    if len(release) < 2 or not avoid:
        return release
    earlier = {digest for one in avoid for digest in _digests(one)}
    kept = [k for k, digest in enumerate(_digests(release)) if digest not in earlier]
    if len(kept) == len(release):
        return release
    if len(kept) < 2:
        raise InputError(
            f"scheme {scheme} published the same sub-graphs twice, to learn from and to attack: let its random numbers "
            "depend on the seed that it is given"
        )
    public, secret = release.public, release.secret or ()
    return Release(tuple(public[k] for k in kept), tuple(secret[k] for k in kept), release.scheme, release.names)


def _digests(release: Release) -> list[bytes]:
    return [_digest(release.public[k], (release.secret or ())[k]) for k in range(len(release))]


def _digest(public: Graph, secret: Secret) -> bytes:
    """Return a number of a sub-graph that hangs on who is joined to whom, and on nothing else."""
    source = np.repeat(np.arange(public.node_count), public.degrees)
    ends = secret.people[source].astype(np.int64), secret.people[public.indices].astype(np.int64)
    edges = np.sort(ends[0] << 32 ^ ends[1])
    return hashlib.sha256(np.sort(secret.everybody).tobytes() + edges.tobytes()).digest()
