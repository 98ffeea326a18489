"""Things that users choose by name: one registry for schemes, one for attacks, one for threats.

A new thing is a file of its own and one line where the registry is filled. A user's own is one call of ``add``.

Most things are written NAME:key=value,... A class whose words have a form of their own, such as one made of several
others, has a class method ``from_word``, which returns the thing that a word stands for, or None for a word that is not
of its form; ``to_word``, which returns the word again; and ``left_open``, the parameters that its word left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any, Generic, TypeVar, cast

from thinveil.errors import InputError
from thinveil.runtime.parameters import from_table, parameters_of, read_values, split_word, suggest, to_table, to_word
from thinveil.runtime.plugins import find_plugins, load_plugin, origin

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Classes by name, each a frozen dataclass whose fields are its parameters.

    Parameters
    ----------
    kind
        What the things are, in a word: ``scheme``.
    classes
        The classes that come with thinveil; each has a class attribute ``name``.
    forms
        Classes that cannot be had by their name alone, only by words of a form of their own, and by tables. What goes
        through the registry does not meet them.
    group
        The group of entry points by which other packages bring more of them along (``runtime.plugins``).
    """

    def __init__(
        self, kind: str, classes: Iterable[type[Any]] = (), *, forms: Iterable[type[Any]] = (), group: str = ""
    ) -> None:
        self.kind, self.group = kind, group
        self._classes: dict[str, type[Any]] = {}
        self.forms: dict[str, type[Any]] = {one.name: one for one in forms}
        for one in classes:
            self.add(one)

    def add(self, one: type[Any]) -> type[Any]:
        """Make a class known by its ``name``; the same name again replaces it. Usable as a decorator."""
        name = getattr(one, "name", None)
        if not isinstance(name, str) or not name or set(name) & set(":=,+ "):
            raise InputError(f"{self.kind} {one!r} needs a class attribute `name`: a word without : = , + or spaces")
        if not is_dataclass(one) or one.__hash__ is None:
            raise InputError(
                f"{self.kind} {name!r}: make it a @dataclass(frozen=True), whose fields are its parameters"
            )
        self._classes[name] = one
        return one

    def remove(self, name: str) -> None:
        """Forget a class."""
        self._classes.pop(name, None)

    def __iter__(self) -> Any:
        return iter(self._classes)

    def names(self) -> set[str]:
        """Return all names that can be chosen, those of plug-ins too."""
        return {*self._classes, *find_plugins(self.group)}

    def __getitem__(self, name: str) -> type[Any]:
        if name in self.forms:
            return self.forms[name]
        if name not in self._classes:
            plugins = find_plugins(self.group)
            if name not in plugins:
                raise InputError(f"unknown {self.kind} {name!r}: {suggest(name, [*self._classes, *plugins])}")
            return load_plugin(self.kind, name, plugins[name])
        return self._classes[name]

    def make(self, given: str | Mapping[str, Any] | Thing) -> Thing:
        """Return the thing that a word or a table names; a thing itself stays as it is.

        A word is the user's own: what it names may be looked for at once (``check_named``), and code of his run for
        that. Tables may come from a stranger, and nothing that they name is run here.
        """
        if isinstance(given, str):
            made = self.read(given)
            check: Any = getattr(made, "check_named", None)
            if check is not None:
                check()
            return made
        if isinstance(given, Mapping):
            table = dict(given)
            name = table.pop("name", None)
            if not isinstance(name, str):
                raise InputError(f"the table of the {self.kind} has no name: choose one of {', '.join(self)}")
            return cast(Thing, from_table(self[name], table))
        if isinstance(given, type) or not is_dataclass(given):
            raise InputError(
                f"{given!r} is no {self.kind}: give a word such as {next(iter(self), 'NAME')}, or an object of a "
                "dataclass whose fields are its parameters"
            )
        return given

    def read(self, word: str) -> Thing:
        """Return the thing that a word names, whoever wrote it: no code is run that is not installed."""
        own = self._of_own_form(word)
        if own is not None:
            return own
        name, written = split_word(word)
        return cast(Thing, from_table(self[name], read_values(self[name], written)))

    def left_open(self, given: str | Mapping[str, Any] | Thing) -> tuple[str, ...]:
        """Return the parameters that a word or a table leaves to the default; a thing itself leaves nothing open."""
        if isinstance(given, str):
            own: Any = self._of_own_form(given)
            if own is not None:
                return tuple(own.left_open)
            name, written = split_word(given)
        elif isinstance(given, Mapping):
            name, written = str(given["name"]), dict(given)
        else:
            return ()
        return tuple(one.name for one in parameters_of(self[name]) if one.name not in written)

    def _of_own_form(self, word: str) -> Thing | None:
        """Return what a word of another form than NAME:key=value stands for; None where it has none."""
        # a name that is known wins over all forms but one that joins words of things that are known
        is_known = word.partition(":")[0] in self._classes
        forms = [one for one in self.forms.values() if not is_known or getattr(one, "joins_words", False)]
        readers = (getattr(one, "from_word", None) for one in (*forms, *self._classes.values()))
        return next((made for read in readers if read is not None and (made := read(word)) is not None), None)

    def table(self, thing: Any) -> dict[str, Any]:
        """Return the name and parameters of a thing: what makes it again."""
        return {"name": thing.name, **to_table(thing)}

    def word(self, thing: Any) -> str:
        """Return the word that makes a thing again."""
        return to_word(thing.name, thing)

    def is_known(self, thing: Any) -> bool:
        """Whether a table of the thing would make it again."""
        known = {**self._classes, **self.forms}.get(thing.name)
        if known is None and thing.name in find_plugins(self.group):
            known = self[thing.name]
        return known is type(thing)

    def is_plugin(self, thing: Any) -> bool:
        """Whether another package has brought the thing along, and nobody has to add it."""
        return thing.name not in self._classes and thing.name in find_plugins(self.group) and self.is_known(thing)

    def origin(self, thing: Any) -> str:
        """Return the package that has brought a thing along, and its version."""
        return " and ".join(origin(point) for point in find_plugins(self.group).get(thing.name, ()))
