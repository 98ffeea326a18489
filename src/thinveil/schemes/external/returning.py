"""What a black box wrote, as a release: who its nodes are follows from the numbers that it was given.

Without a mapping the published ids are those numbers. A mapping has the columns published and original, and subgraph
where there are several: a line without an original is a node that was made up, several lines of one node are people who
were put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from thinveil.errors import InputError
from thinveil.graph import Graph
from thinveil.graph.thinning import thin
from thinveil.runtime.notices import notify
from thinveil.runtime.streams import stream
from thinveil.schemes.base import NOBODY, Published, Release, Secret, check_published
from thinveil.schemes.external.handing import Handed
from thinveil.schemes.foreign.parts import Part, read_parts
from thinveil.schemes.foreign.who import read_who, secrets_of


def take_back(folder: Path, handed: Handed, chance: np.random.Generator, *, scheme: str) -> Release:
    """Return what a command wrote into a folder, in an order drawn by lot, or say what is wrong with it."""
    parts = read_parts(_output(folder))
    mapping = folder / "mapping.csv"
    secrets = _mapped(parts, mapping, handed) if mapping.exists() else [_kept(part, handed) for part in parts]
    return shuffled(parts, secrets, handed.graph, chance, scheme=scheme)


def shuffled(
    parts: Sequence[Part], secrets: Sequence[Secret], graph: Graph, chance: np.random.Generator, *, scheme: str
) -> Release:
    """Return parts as a release whose sub-graphs and nodes stand in an order drawn by lot, without their ids."""
    published = []
    for k in chance.permutation(len(parts)):
        order = chance.permutation(parts[k].graph.node_count).astype(np.int32)
        published.append(Published(thin(parts[k].graph, order, 0.0, 0), secrets[k].reordered(order)))
    return Release.of(published, scheme=scheme, graph=graph)


def reordered(release: Release, chance: np.random.Generator) -> Release:
    """Return a release with its sub-graphs and nodes in an order drawn by lot; none is made before it is asked for."""
    public, secret = release.public, release.secret
    if secret is None:
        return release
    order, seed = chance.permutation(len(public)), int(chance.integers(2**62))

    def make(k: int) -> Published:
        before = int(order[k])
        one = check_published(before, Published(public[before], secret[before]))
        nodes = stream(seed, "nodes", k).permutation(one.public.node_count).astype(np.int32)
        return Published(thin(one.public, nodes, 0.0, 0), one.secret.reordered(nodes))

    return Release.lazy(len(public), make, scheme=release.scheme, names=release.names)


def _output(folder: Path) -> Path:
    """Return what the command has written; some programs put an ending behind the name that they are given."""
    if not folder.is_dir():
        raise InputError("deleted the folder that it was to write into")
    found = sorted(path for path in folder.iterdir() if path.name == "output" or path.name.startswith("output."))
    if not found:
        raise InputError("wrote nothing to {output}, and ended as if all were well")
    if len(found) > 1:
        raise InputError(f"wrote {', '.join(path.name for path in found)}: write one file, or a folder, {{output}}")
    if not found[0].is_file() and not found[0].is_dir():  # to open a pipe would be to wait for ever
        raise InputError("made {output} neither a file nor a folder: write one of these")
    return found[0]


def _kept(part: Part, handed: Handed) -> Secret:
    """Return who the nodes of a part are that kept the numbers they were given."""
    texts = pl.Series([str(one) for one in part.labels.tolist()], dtype=pl.String)
    people = handed.people(texts)
    strange = np.flatnonzero(people == NOBODY)
    if strange.size:
        lost = texts[int(strange[0])]
        raise InputError(f"wrote the id {lost!r}, which it was never given: say in {{mapping}} who it is")
    return Secret(people.astype(np.int32))


def _mapped(parts: Sequence[Part], mapping: Path, handed: Handed) -> list[Secret]:
    def find(texts: pl.Series) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        people = handed.people(texts)
        strange = np.flatnonzero(people == NOBODY)
        if strange.size:
            raise InputError(f"original {texts[int(strange[0])]!r} is an id that the command was never given")
        return people

    who = read_who(mapping, node="published", person="original")
    try:
        return secrets_of(parts, who, find, all_there=False)
    except InputError as error:
        raise InputError(f"{mapping}: {error}") from None


def tell(release: Release, graph: Graph) -> None:
    """Say what became of the people, where something did."""
    secrets = list(release.secret or ())
    made_up = sum(int((secret.people == NOBODY).sum()) for secret in secrets)
    merged = sum(int((~secret.is_one & (secret.people != NOBODY)).sum()) for secret in secrets)
    told = [f"{_nodes(made_up)} made up"] * bool(made_up) + [f"{_nodes(merged)} of several people"] * bool(merged)
    if len(secrets) == 1:
        gone = int((graph.degrees > 0).sum()) - secrets[0].everybody.size
        told += [
            f"{gone:,} {'person' if gone == 1 else 'people'} missing (left out, or put together without a word)"
        ] * (gone > 0)
    if told:
        notify(f"in what scheme {release.scheme} published: {', '.join(told)}")


def _nodes(count: int) -> str:
    return f"{count:,} node{'s' * (count != 1)}"
