"""Make a release that can be published."""

from __future__ import annotations

import secrets
import warnings

from thinveil.auditing.suiting import suit_scheme
from thinveil.errors import InputError, RepeatableWarning
from thinveil.graph.events import cut_time
from thinveil.graph.exchange.base import GraphLike
from thinveil.graph.exchange.kinds import as_graph
from thinveil.runtime.keys import Key
from thinveil.runtime.notices import notify
from thinveil.schemes import REPEATABLE, SCHEMES, Release, Scheme, seal
from thinveil.schemes.base import title_of


def anonymize(
    graph: GraphLike,
    scheme: str | Scheme = "d4d-2",
    *,
    slots: int = 1,
    seed: int | None = None,
    repeatable: bool = False,
) -> Release:
    """Publish a graph by a scheme.

    Names and orders in the release, and all noise that a scheme adds, are drawn by a fresh secret key of 256 bits from
    the operating system, whatever the seed. ``write_release`` keeps the key in the truth file.

    Parameters
    ----------
    graph
        The graph that someone wants to release, or its path.
    scheme
        A word such as ``d4d-2:egonets=50``, or any object that is a scheme.
    slots
        Equal spans into which times are cut, where the graph has events. Exact times would link sub-graphs at a glance:
        with a single slot they are left out.
    seed
        Decides which people a scheme chooses as egos, and nothing else; random by default. Keep it secret: it tells
        whoever knows the graph whom the release is about.
    repeatable
        Draw names, orders and noise by the seed too, so that the release can be made again to the byte. Whoever guesses
        the seed can undo such a release without the graph: it is for tests, and unfit for publication,
        and a ``RepeatableWarning`` says so.

    Examples
    --------
    >>> from thinveil.graph.synthetic import synthetic_graph
    >>> release = anonymize(synthetic_graph(2000), "d4d-1:egonets=3,min_size=50", seed=1)
    >>> len(release), release.scheme
    (3, 'd4d-1')
    """
    work = as_graph(graph)
    if repeatable and seed is None:
        raise InputError("a repeatable release needs a seed to repeat it by: give --seed (seed=) too")
    if repeatable:
        warnings.warn(f"this release was {REPEATABLE}", RepeatableWarning, stacklevel=3)
    number = secrets.randbelow(2**63) if seed is None else seed
    key = Key.of_seed(number) if repeatable else Key.fresh()
    chosen = suit_scheme(SCHEMES.make(scheme), work, left_open=SCHEMES.left_open(scheme))
    if not getattr(chosen, "draws_egos_only", False):
        if seed is not None and not repeatable:
            notify(f"the seed decides nothing here: all that {title_of(chosen)} changes is drawn by the secret key")
        number = key.seed("scheme")
    return seal(chosen.publish(cut_time(work, slots), seed=number), key)
