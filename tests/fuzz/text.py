"""Edge lists in text."""

from __future__ import annotations

import io

from tests.fuzz.target import Target


def _examples() -> list[bytes]:
    return [
        b"# FromNodeId\tToNodeId\r\n0\t4\r\n0\t5\r\n5 0\r\n",
        b"caller,callee,duration\n7,9,60\n9,7,10.5\n9,9,1\n",
        b'name;friend\n"a ""b""";c\nc;d\n',
        b"1 2\n2 3\n3 1\n\n4 5",
        b"5 18446744073709551615\n",
    ]


def _read(data: bytes) -> None:
    from thinveil.graph.info import info
    from thinveil.graph.reading import read_graph

    info(read_graph(io.BytesIO(data)))


TEXT = Target("text", _examples, _read, (b"source,target\n", b"->", b"NA", b"\xe2\x82\xac", b"1,5", b"a" * 2000))
