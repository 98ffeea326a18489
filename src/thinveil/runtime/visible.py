r"""Text of others, such as ids and names of files, as it may stand on a terminal.

Control characters can recolour or overwrite what a terminal shows, and marks of direction can reorder it: both are
shown as escapes (``\x1b``).
"""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_KEPT = "\u200c\u200d"  # joiners, which some scripts need


def visible(text: str) -> str:
    r"""Return a text with all that cannot be seen shown as escapes; line ends stay.

    Examples
    --------
    >>> print(visible("a\x1b[31mb"))
    a\x1b[31mb
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(letter) if letter != "\n" else letter for letter in text)


def one_line(text: str) -> str:
    r"""Return a text as one line, with all that cannot be seen shown as escapes.

    Examples
    --------
    >>> one_line("a\nb\tc")
    'a b\\tc'
    """
    return visible(" ".join(text.splitlines()))


def shown(value: object, most: int = 60) -> str:
    """Return a value of others as a short part of a line, in Python's notation.

    Examples
    --------
    >>> shown("x"), shown([0] * 100, 12)
    ("'x'", '[0, 0, 0, 0…')
    """
    try:
        text = one_line(repr(value))
    except Exception:  # a class of somebody else
        text = f"<{type(value).__name__}>"
    return text if len(text) <= most else text[: most - 1] + "…"


def _escape(letter: str) -> str:
    if unicodedata.category(letter) not in _HIDDEN or letter in _KEPT:
        return letter
    return letter.encode("unicode_escape").decode()
