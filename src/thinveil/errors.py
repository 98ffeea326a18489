"""Every exception of thinveil.

::

    ThinveilError                 anything thinveil refuses to do
    └── InputError (ValueError)   a value given by the user is wrong
        ├── GraphFileError        a graph file cannot be read; knows file and line
        ├── ReleaseError          a release folder is damaged or not one
        ├── ModelError            a saved model is damaged, tampered with or not one
        ├── SampleError           the graph is too small for what was asked of it
        │   └── RoomError         a scheme finds no way to publish it
        └── UndefinedError        the question has no answer: nobody stands behind what was published

A message says the bad value, what is allowed, and what to do about it, in one line.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class ThinveilError(Exception):
    """Base of all errors that thinveil raises on purpose."""


class InputError(ThinveilError, ValueError):
    """A value given by the user is wrong."""


class GraphFileError(InputError):
    """A graph file cannot be read.

    Parameters
    ----------
    problem
        What is wrong and what was expected, without the place.
    path
        The file as the user named it, ``<stdin>`` for standard input.
    line
        Line number, counted from 1, where the trouble has one.
    """

    def __init__(self, problem: str, *, path: str, line: int | None = None) -> None:
        self.path = path
        self.line = line
        place = path if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {problem}")
        self._problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        # an error of another process is made again here
        return partial(GraphFileError, path=self.path, line=self.line), (self._problem,)


class ReleaseError(InputError):
    """A release folder is damaged or is not a release."""


class ModelError(InputError):
    """A saved model is damaged, tampered with, or is not a model."""


class SampleError(InputError):
    """The graph is too small for what was asked of it."""


class RoomError(SampleError):
    """A scheme finds no way to publish the graph: whoever is compared, that stays so."""


class UndefinedError(InputError):
    """Nobody stands behind any published node: to link or to name them is undefined, which is not a risk of 0."""


class RepeatableWarning(UserWarning):
    """A release was made by a seed alone: whoever guesses the seed can undo it."""
