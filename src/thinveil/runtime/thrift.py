"""Thrift's compact protocol, as far as Parquet needs it: a struct becomes a dict of its fields' numbers.

Nothing is allocated that is not there: a text or a list can be no longer than the bytes that are left. Since a byte may
become an object of sixty, the values are counted too.
"""

from __future__ import annotations

from typing import Any

Struct = dict[int, Any]
_DEEPEST = 30
_MOST_VALUES = 2**22
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _TEXT, _LIST, _SET, _MAP, _STRUCT = 0, 1, 2, 3, 7, 8, 9, 10, 11, 12
_INTEGERS = (4, 5, 6)


class ThriftError(ValueError):
    """The bytes are no struct."""


def read_struct(data: memoryview, start: int, stop: int) -> tuple[Struct, int]:
    """Read the struct that starts at a byte; also return where it ends.

    Examples
    --------
    >>> read_struct(memoryview(bytes([0x15, 14, 0x18, 1, 65, 0])), 0, 6)
    ({1: 7, 2: b'A'}, 6)
    """
    reader = _Reader(data, start, stop)
    try:
        return reader.struct(0), reader.place
    except IndexError:
        raise ThriftError("it ends too early") from None


class _Reader:
    def __init__(self, data: memoryview, start: int, stop: int) -> None:
        self.data = data[:stop]
        self.place = start
        self.values = 0

    def byte(self) -> int:
        value = self.data[self.place]
        self.place += 1
        return value

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ThriftError("a number has more than 64 bits")

    def integer(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def text(self, size: int) -> bytes:
        if size > len(self.data) - self.place:
            raise ThriftError("a text is longer than what is left")
        self.place += size
        return bytes(self.data[self.place - size : self.place])

    def struct(self, depth: int) -> Struct:
        if depth > _DEEPEST:
            raise ThriftError("structs are nested too deep")
        fields: Struct = {}
        number = 0
        while (head := self.byte()) != _STOP:
            step, kind = head >> 4, head & 15
            number = number + step if step else self.integer()
            if number in fields:
                raise ThriftError("a field is there twice")
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        self.values += 1
        if self.values > _MOST_VALUES:
            raise ThriftError(f"a struct has more than {_MOST_VALUES:,} values")
        if kind in _INTEGERS:
            return self.integer()
        if kind in (_TRUE, _FALSE, _BYTE):
            return self.byte()
        if kind == _TEXT:
            return self.text(self.varint())
        if kind == _DOUBLE:
            return self.text(8)
        if kind in (_LIST, _SET):
            return self.items(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        raise ThriftError("there is a field of an unknown kind")

    def items(self, depth: int) -> list[Any]:
        head = self.byte()
        size, kind = head >> 4, head & 15
        size = self.varint() if size == 15 else size
        # each item takes a byte at least
        if size > len(self.data) - self.place or depth > _DEEPEST:
            raise ThriftError("a list is longer than what is left")
        return [self.value(kind, depth + 1) for _ in range(size)]
