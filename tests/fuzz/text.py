"""Edge lists in text."""

from __future__ import annotations

from random import Random

from tests.fuzz.graphs import read_wished, wished
from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target

EXAMPLES = (
    b"# FromNodeId\tToNodeId\r\n0\t4\r\n0\t5\r\n5 0\r\n",
    b"caller,callee,duration\n7,9,60\n9,7,10.5\n9,9,1\n",
    b'name;friend\n"a ""b""";c\nc;d\n',
    b"1 2\n2 3\n3 1\n\n4 5",
    b"5 18446744073709551615\n",
    b"u;v;w;t\n1;2;1,5;2024-05-01T12:30:00Z\n2;3;2,25;2024-05-02T12:30:00Z\n",
    b'caller,callee,t,w\n1,2,2024-05-01,"1,5"\n2,3,2024-05-02 10:00,2\n',
    b"1 2 out 5\n2 3 in 7\n3 4 both 8\n",
)
TOKENS = (
    b"source,target\n",
    b"->",
    b"NA",
    b"\xe2\x82\xac",
    b"1,5",
    b"a" * 2000,
    b"2024-02-30",
    b"+02:00",
    b"in",
    b"1,234",
)


def _make(chance: Random, example: bytes) -> bytes:
    return wished(chance, mutate(chance, example, chance.choice(EXAMPLES), TOKENS))


TEXT = Target("text", lambda: [b"\0" + example for example in EXAMPLES], read_wished, make=lambda c, e: _make(c, e[1:]))
