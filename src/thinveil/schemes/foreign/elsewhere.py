"""A release that was made elsewhere, in the place of a scheme: it publishes what lies there already.

An attack learns from one half of the sub-graphs, drawn by lot, and is tested on the other::

    publish(graph, seed=7)                   one half
    publish(graph, seed=7, avoid=[half])     the other half

Where nothing is learned beforehand, all of them are published each time. Nodes stand in an order drawn by lot.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.thinning import thin
from thinveil.runtime.parameters import check_parameters, parameter
from thinveil.runtime.streams import stream
from thinveil.schemes.base import Published, Release

_SPLIT = (
    "; in each draw half of it, drawn by lot, is there to learn from; all draws share what was published, and so "
    "intervals of several are no narrower than that of one"
)


@dataclass(frozen=True)
class Elsewhere:
    """What somebody else has published already: give it with --release, and who is who with --truth."""

    name: ClassVar[str] = "elsewhere"
    left_open: ClassVar[tuple[str, ...]] = ()
    is_fixed: ClassVar[bool] = True
    """Whether it cannot publish anything else: nobody who attacks it can make releases of his own."""

    release: str = parameter("", "name of the folder or file of the release")
    truth: str = parameter("", "name of the file that says who is who")
    digest: str = parameter("", "SHA-256 of both, as they were read")
    whole: bool = parameter(False, "whether all sub-graphs are attacked, and none is kept to learn from")
    held: Release | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_parameters(self)

    @classmethod
    def from_word(cls, word: str) -> None:
        """Refuse the word: it does not say what the release holds."""
        if word.partition(":")[0] == cls.name:
            raise InputError("scheme elsewhere stands for a release that is there already: give --release and --truth")

    def to_word(self) -> str:
        """Return what it is called; no word makes it again."""
        return self.name

    def holding(self, release: Release) -> Self:
        """Return the same with a release at hand, or say that it is another one than before."""
        digest = digest_of(release)
        if self.digest and self.digest != digest:
            raise InputError(f"{self.release or 'the release'}: not the release and truth of the settings (SHA-256 "
                             f"{digest}, expected {self.digest}): name those")  # fmt: skip
        made = type(self)(self.release, self.truth, digest, self.whole)
        # as plain tuples: what is lazy could not be sent to another process
        held = Release(tuple(release.public), tuple(release.secret or ()), release.scheme, release.names)
        object.__setattr__(made, "held", held)
        return made

    def describe(self) -> str:
        """Say what is published."""
        count = "" if self.held is None else f", {len(self.held):,} sub-graph{'s' * (len(self.held) > 1)}"
        shown = f" as {self.release}" if self.release else ""
        split = "" if self.whole else _SPLIT
        return f"is none of thinveil's: what was audited was published{shown}{count}{split}"

    @property
    def teacher_words(self) -> str:
        """From what an attack learns."""
        return "the other half of the sub-graphs"

    def publish(self, graph: Graph, *, seed: int, avoid: Sequence[Release] = ()) -> Release:
        """Return one half of the sub-graphs, and the other where there is one to avoid."""
        if self.held is None or self.held.secret is None:
            raise InputError("the release that was audited is not at hand: give --release and --truth")
        held, number = self.held, len(avoid)
        mine = stream(seed, "halves").permutation(len(held))
        if not self.whole:
            half = len(held) // 2
            mine = mine[half:] if number else mine[:half]
        published = []
        for k in mine.tolist():
            order = stream(seed, "order", number, k).permutation(held.public[k].node_count).astype(np.int32)
            published.append(Published(thin(held.public[k], order, 0.0, 0), self.held.secret[k].reordered(order)))
        return Release.of(published, scheme=self.name)


def digest_of(release: Release) -> str:
    """Return the SHA-256 of a release and of who is who in it."""
    sha = hashlib.sha256(b"thinveil release elsewhere 1")
    for k, public in enumerate(release.public):
        sha.update(public.digest().encode())
        for column in () if release.secret is None else _columns(release, k):
            sha.update(b"-" if column is None else np.ascontiguousarray(column, dtype="<i8").tobytes() + b"+")
    sha.update("\0".join(map(str, () if release.names is None else release.names.tolist())).encode(errors="replace"))
    return sha.hexdigest()


def _columns(release: Release, k: int) -> Sequence[NDArray[np.integer] | None]:
    secret = (release.secret or ())[k]
    return secret.people, secret.hops, secret.others
