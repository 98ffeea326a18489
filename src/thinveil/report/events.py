"""Words about events: what of them an attack used, and what a component of their channels counts."""

from __future__ import annotations

from thinveil.auditing.settings import Settings
from thinveil.features.channels.events import KINDS, bin_range
from thinveil.report.shares import plural

_COMPARED = {
    "degrees": "the numbers of contacts that a person's contacts have",
    "two-hop": "those of everybody within two hops",
    "contacts": "how often a person was in touch with each contact",
    "contacts-out": "how often a person got in touch with each contact",
    "contacts-in": "how often each contact got in touch with a person",
    "weight": "the weight of what passed between a person and each contact",
    "weight-out": "the weight of what went from a person to each contact",
    "weight-in": "the weight of what came from each contact to a person",
}
_WAYS = {"": "", "out": " sent to them", "in": " got from them"}
_JOINS = {
    "log odds": "by the mean of their log odds",
    "summed log odds": "by the sum of their log odds",
    "majority": "by majority",
}


def compared_words(settings: Settings) -> str:
    """Say what a forest compared.

    Examples
    --------
    >>> compared_words(Settings())
    "the numbers of contacts that a person's contacts have"
    """
    *most, last = (_COMPARED.get(name, name) for name in settings.resolved().features)
    return f"{', '.join(most)} and {last}" if most else last


def slots_sentence(settings: Settings) -> str:
    """Say how the time was cut, with a space before; empty where it was not."""
    if settings.slots == 1:
        return ""
    return (
        f" The time was cut into {settings.slots:,} equal slots: each pair was judged in every slot in which both have "
        f"a contact, and the judgements were joined {_JOINS[settings.join]}."
    )


def published_sentence(settings: Settings) -> str:
    """Say that events were published with the edges, with a space before; empty where none were used."""
    used = _used(settings)
    return f" With each edge come its {' and '.join(used)}." if used else ""


def shape_limit(settings: Settings) -> tuple[str, str]:
    """Return what was attacked, and what was not."""
    used = _used(settings)
    unused = [word for word in ("times", "weights") if not any(word in told for told in used)]
    rest = ", ".join(["attributes", *unused]).capitalize()
    return (
        f"Only {' and '.join(['the shape of the network', *used])} {'were' if used else 'was'} attacked.",
        f"{rest} and anything else published beside {'them' if used else 'it'} were not used and add risk.",
    )


def sum_words(kind: str, component: int) -> str:
    """Say whom a component of a channel of events counts.

    Examples
    --------
    >>> sum_words("contacts", 1), sum_words("weight-out", 3)
    ('neighbours with 1 event', 'neighbours with a weight of 4 to 7 sent to them')
    """
    quantity, _, way = kind.partition("-")
    first, last = bin_range(component)
    span = f"{first:,} or more" if last is None else f"{first:,}" if first == last else f"{first:,} to {last:,}"
    if quantity == "weight":
        return f"neighbours with a weight of {span}{_WAYS[way]}"
    events = plural(first, "event") if first == last else f"{span} events"
    return f"neighbours with {events}{_WAYS[way]}"


def _used(settings: Settings) -> list[str]:
    """Name what of the events the attack used."""
    kinds = [name for name in settings.features if name in KINDS and settings.attack != "signature"]
    told = {
        "number of events": any(kind.startswith("contacts") for kind in kinds),
        "weights": any(kind.startswith("weight") for kind in kinds),
        "directions": any("-" in kind for kind in kinds),
        f"times in {settings.slots:,} slots": settings.slots > 1,
    }
    return [word for word, is_used in told.items() if is_used]
