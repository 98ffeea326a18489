"""Tables whose columns are named once.

A kernel writes ``line[Table.NAME]``; everybody else takes the same name, what it means, and the words for the report.
A column's number is its place in the table, so that a column may be inserted anywhere. numba freezes these numbers when
it compiles a kernel: after a change of a table, delete what it keeps in ``__pycache__``.
"""

from __future__ import annotations

from enum import IntEnum


class Columns(IntEnum):
    """Columns in their order; each is ``NAME = meaning, words for the report, is it used in comparing pairs``.

    Examples
    --------
    >>> class Size(Columns):
    ...     HEIGHT = "height in meters", "how large it is"
    ...     WIDTH = "width in meters", "how large it is"
    >>> int(Size.WIDTH), Size.WIDTH.meaning, Size.all_words()
    (1, 'width in meters', ('how large it is', 'how large it is'))
    """

    meaning: str
    words: str
    used: bool

    def __new__(cls, meaning: str, words: str, used: bool = True) -> Columns:
        """Give numbers to the columns, from 0 on."""
        number = len(cls.__members__)
        column = int.__new__(cls, number)
        column._value_, column.meaning, column.words, column.used = number, meaning, words, used
        return column

    @classmethod
    def all_words(cls) -> tuple[str, ...]:
        """Return the words of the columns that are used in comparing pairs."""
        return tuple(column.words for column in cls if column.used)
