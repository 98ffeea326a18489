"""Random changes of bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"1e308",
    b"nan",
    b"inf",
    b"-0",
    b"2147483648",
    b"9223372036854775808",
    b"1" * 40,
    b"0x10",
)
_PIECES = (b"", b"\0", b"\n", b"\r", b"\r\n", b'"', b"'", b"\t", b" ", b",", b";", b"#", b"%", b"\xff", b"\xef\xbb\xbf")

Change = Callable[[Random, bytearray, bytes, Sequence[bytes]], None]


def mutate(chance: Random, example: bytes, other: bytes, tokens: Sequence[bytes]) -> bytes:
    """Return an example after one to eight random changes; ``other`` is another one to take pieces from."""
    data = bytearray(example)
    for _ in range(1 + int(7 * chance.random() ** 3)):
        chance.choice(_CHANGES)(chance, data, other, tokens)
    return bytes(data)


def _span(chance: Random, data: bytes | bytearray) -> slice:
    """Return some short piece, anywhere; mostly near the start, where formats keep what decides."""
    start = int(len(data) * chance.random() ** (1 + chance.randrange(3)))
    return slice(start, start + 1 + int(30 * chance.random() ** 4))


def _flip(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _overwrite(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    if data:
        data[min(_span(chance, data).start, len(data) - 1)] = chance.randrange(256)


def _delete(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    del data[_span(chance, data)]


def _repeat(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    span = _span(chance, data)
    data[span.start : span.start] = data[span] * chance.choice((1, 2, 50))


def _insert(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    start = _span(chance, data).start
    data[start:start] = chance.choice((*_PIECES, *_NUMBERS, *tokens))


def _replace(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    data[_span(chance, data)] = chance.choice((*_PIECES, *_NUMBERS, *tokens))


def _splice(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    start = _span(chance, data).start
    data[start:] = other[_span(chance, other).start :]


def _cut_off(chance: Random, data: bytearray, other: bytes, tokens: Sequence[bytes]) -> None:
    del data[chance.randrange(len(data) + 1) :]


_CHANGES: tuple[Change, ...] = (_flip, _overwrite, _delete, _repeat, _insert, _replace, _splice, _cut_off)
