"""MatrixMarket files."""

from __future__ import annotations

from random import Random

from tests.fuzz.graphs import read_wished, wished
from tests.fuzz.mutation import mutate
from tests.fuzz.target import Target

_START = b"%%MatrixMarket matrix coordinate "
_EXAMPLES = (
    _START + b"pattern symmetric\n% more\n5 5 3\n2 1\n3 1\n4 2\n",
    _START + b"integer general\n4 4 3\n1 2 7\n2 1 8\n3 4 9\n",
    _START + b"real skew-symmetric\n3 3 2\n2 1 0.5\n3 1 -1e3\n",
)
_TOKENS = (b"2147483647 2147483647 3", b"1000000 1000000 2", b"array", b"complex", b"hermitian", b"0 0 0", b"4 4 4")


def _make(chance: Random, example: bytes) -> bytes:
    return wished(chance, mutate(chance, example, chance.choice(_EXAMPLES), _TOKENS))


MATRIX = Target(
    "mtx", lambda: [b"\0" + example for example in _EXAMPLES], read_wished, make=lambda c, e: _make(c, e[1:])
)
