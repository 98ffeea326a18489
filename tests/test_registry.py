"""Things chosen by name: words, tables, and what is said about names and values that are not allowed."""

from dataclasses import dataclass, fields
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.drawing import few
from thinveil.attacks import ATTACKS, ForestAttack
from thinveil.errors import InputError
from thinveil.runtime.engines import ENGINES, LocalEngine
from thinveil.runtime.parameters import (
    check_parameters,
    parameter,
    parameters_of,
    read_values,
    split_word,
    to_table,
    to_word,
)
from thinveil.runtime.registry import Registry, suggest
from thinveil.schemes import D4D2, SCHEMES
from thinveil.threats import THREATS, Identification, Linkage

ALL = (SCHEMES, ATTACKS, THREATS, ENGINES)


@dataclass(frozen=True)
class Box:
    """A thing with a parameter of every kind."""

    name: ClassVar[str] = "box"

    size: int = parameter(3, "how large it is", low=1, high=9)
    share: float = parameter(0.5, "how full it is", low=0, high=1)
    most: int | None = parameter(None, "how many it holds", low=2)
    open: bool = parameter(False, "whether it is open")
    color: str = parameter("red", "what it looks like", choices=("red", "dark blue"))
    holds: tuple[str, ...] = parameter((), "what is in it", choices=("a", "b-c", "d"))
    note: str = parameter("", "anything")

    def __post_init__(self):
        check_parameters(self)


boxes = st.builds(
    Box,
    size=st.integers(1, 9),
    share=st.floats(0, 1, exclude_min=True),
    most=st.none() | st.integers(2, 10**9),
    open=st.booleans(),
    color=st.sampled_from(["red", "dark blue"]),
    holds=st.lists(st.sampled_from(["a", "b-c", "d"]), unique=True).map(tuple),
)


@pytest.fixture
def registry():
    return Registry("box", (Box,))


@few
@given(boxes)
def test_words_and_tables_make_the_same_thing_again(box):
    registry = Registry("box", (Box,))
    assert registry.make(registry.word(box)) == box
    table = registry.table(box)
    assert registry.make(table) == box
    assert None not in table.values()
    assert all(isinstance(value, int | float | bool | str | list) for value in table.values())
    assert registry.make(box) is box


@pytest.mark.parametrize("registry", ALL, ids=lambda registry: registry.kind)
def test_everything_with_its_defaults_makes_the_round_trip(registry):
    for name in registry:
        thing = registry.make(name)
        assert registry.word(thing) == name or hasattr(thing, "from_word")
        assert registry.make(registry.word(thing)) == thing
        assert registry.make(registry.table(thing)) == thing
        assert registry.is_known(thing)
        assert thing.describe()


@pytest.mark.parametrize("registry", ALL, ids=lambda registry: registry.kind)
def test_every_parameter_has_its_sentence_of_help(registry):
    for name in registry:
        for one in parameters_of(registry[name]):
            assert one.words, (name, one.name)
            assert one.kinds, (name, one.name)
            assert not one.words.endswith(".")


@few
@given(st.integers(1, 10**6), st.floats(0, 1, exclude_min=True), st.sampled_from(["log-odds", "majority"]))
def test_real_things_make_the_round_trip(trees, share, join):
    things = (
        (ATTACKS, ForestAttack(trees=trees, candidates=share, join=join, features=("degrees", "contacts-in"))),
        (THREATS, Identification(node_overlap=share, known=trees)),
        (THREATS, Linkage(known=trees)),
        (THREATS, Linkage(unseen=True)),
    )
    for registry, thing in things:
        assert registry.make(registry.word(thing)) == registry.make(registry.table(thing)) == thing


def test_only_what_is_not_the_default_stands_in_a_word():
    assert to_word("box", Box()) == "box"
    assert to_word("box", Box(size=4, open=True, holds=("a", "d"))) == "box:size=4,open=yes,holds=a+d"
    assert SCHEMES.word(D4D2(egonets=50)) == "d4d-2:egonets=50"


@pytest.mark.parametrize(
    ("word", "box"),
    [
        ("box", Box()),
        ("box:", Box()),
        (" box : size = 4 , share=0.25,", Box(size=4, share=0.25)),
        ("box:share=1", Box(share=1)),
        ("box:open=yes", Box(open=True)),
        ("box:open=No", Box(open=False)),
        ("box:most=none", Box(most=None)),
        ("box:holds=d + a", Box(holds=("d", "a"))),
        ("box:holds=", Box(holds=())),
        ("box:color=dark blue", Box(color="dark blue")),
        ("box:note=a:b=c", Box(note="a:b=c")),
    ],
)
def test_words_are_read(registry, word, box):
    assert registry.make(word) == box


def test_splitting_a_word():
    assert split_word("d4d-2") == ("d4d-2", {})
    assert split_word("x:a=1,b=2+3") == ("x", {"a": "1", "b": "2+3"})
    assert read_values(Box, {"size": "4", "open": "true", "other": "x"}) == {"size": 4, "open": True, "other": "x"}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("bax", "unknown box 'bax': did you mean 'box'. known are box"),
        ("zzz", "unknown box 'zzz': known are box"),
        ("", "unknown box '': known are box"),
        ("box:size", "'box:size': 'size' has no value: write NAME:key=value,key=value"),
        ("box:size=4,open=yes,size=5", "'box:size=4,open=yes,size=5': a parameter has two values: give it once"),
        ("box:sise=4", "box: no parameter is called 'sise': .*size, share, most, open, color, holds, note"),
        ("box:size=ten", "box: size = ten: give a whole number"),
        ("box:size=1.5", r"box: size = 1\.5: give a whole number"),
        ("box:size=10", "box: size = 10: give a whole number from 1 to 9"),
        ("box:share=0", "box: share = 0.0: give a number above 0 and up to 1"),
        ("box:share=nan", "box: share = nan: give a number above 0 and up to 1"),
        ("box:most=1", "box: most = 1: give 2 or more"),
        ("box:most=many", "box: most = many: give a whole number"),
        ("box:open=2", "box: open = 2: give true or false"),
        ("box:color=blue", "box: color = blue: did you mean 'dark blue'. choose one of red, dark blue"),
        ("box:holds=a+x", r"box: holds = a\+x: choose among a, b-c, d"),
        ("box:holds=a+a", r"box: holds = a\+a: choose among a, b-c, d"),
    ],
)
def test_what_is_not_allowed_is_named(registry, word, message):
    with pytest.raises(InputError, match=f"^{message}") as caught:
        registry.make(word)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "the table of the box has no name: choose one of box"),
        ({"name": 3}, "the table of the box has no name"),
        ({"name": "bax"}, "unknown box 'bax'"),
        ({"name": "box", "sise": 4}, "box: no parameter is called 'sise'"),
        ({"name": "box", "size": "4"}, "box: size = 4: give a whole number"),
        ({"name": "box", "size": True}, "box: size = yes: give a whole number"),
        ({"name": "box", "size": 1.0}, r"box: size = 1\.0: give a whole number"),
        ({"name": "box", "share": False}, "box: share = no: give a number"),
        ({"name": "box", "open": 1}, "box: open = 1: give true or false"),
        ({"name": "box", "color": 2}, "box: color = 2: give a word"),
        ({"name": "box", "holds": "a"}, "box: holds = a: give words"),
        ({"name": "box", "most": 2.5}, r"box: most = 2\.5: give a whole number"),
    ],
)
def test_tables_with_values_of_another_kind_are_refused(registry, table, message):
    with pytest.raises(InputError, match=f"^{message}"):
        registry.make(table)


class Bare:
    """No dataclass: nobody could tell what its parameters are."""

    name = "bare"


@pytest.mark.parametrize("thing", [5, None, Bare(), Bare, Box, ("box",)])
def test_what_is_no_such_thing_is_refused(registry, thing):
    with pytest.raises(InputError, match="is no box: give a word such as box, or an object of a dataclass"):
        registry.make(thing)


def test_parameters_are_told_for_help():
    told = {one.name: one for one in parameters_of(Box)}
    assert list(told) == [one.name for one in fields(Box)]
    assert (told["size"].low, told["size"].high, told["size"].words) == (1, 9, "how large it is")
    assert told["most"].kinds == (int, type(None))
    assert told["holds"].kinds == (tuple,)
    assert told["color"].choices == ("red", "dark blue")
    assert parameters_of(Box(size=4))[0].default == 3


def test_empty_values_stand_in_no_table():
    assert "most" not in to_table(Box())
    assert to_table(Box(most=4, holds=("a",)))["holds"] == ["a"]


def test_a_class_is_known_after_one_call(registry):
    @registry.add
    @dataclass(frozen=True)
    class Bag:
        name: ClassVar[str] = "bag"

    assert list(registry) == ["box", "bag"]
    assert registry.make("bag") == Bag()
    assert registry.is_known(Bag())
    registry.remove("bag")
    registry.remove("bag")  # nothing to forget
    assert list(registry) == ["box"]
    assert not registry.is_known(Bag())


def test_the_same_name_again_replaces(registry):
    @registry.add
    @dataclass(frozen=True)
    class Other:
        name: ClassVar[str] = "box"

    assert registry.make("box") == Other()
    assert not registry.is_known(Box())


@pytest.mark.parametrize("name", [None, "", 3, "a b", "a:b", "a=b", "a,b", "a+b"])
def test_a_name_is_one_word(registry, name):
    with pytest.raises(InputError, match="needs a class attribute `name`"):
        registry.add(type("Bad", (), {"name": name}))


@pytest.mark.parametrize(("name", "nearest"), [("forrest", "forest"), ("stron", "strong"), ("xyz", None)])
def test_the_nearest_name_is_suggested(name, nearest):
    told = suggest(name, ATTACKS)
    assert told.startswith(f"did you mean {nearest!r}? known are" if nearest else "known are strong, forest, signature")


def test_engines_by_name():
    assert ENGINES.make("local:jobs=2") == LocalEngine(jobs=2)
    with pytest.raises(InputError, match="local: jobs = 0: give a whole number from 1"):
        ENGINES.make("local:jobs=0")
    with pytest.raises(InputError, match="unknown engine 'lokal': did you mean 'local'"):
        ENGINES.make("lokal")


def test_a_class_may_have_words_of_a_form_of_its_own():
    @dataclass(frozen=True)
    class Twice:
        name: ClassVar[str] = "twice"
        left_open: ClassVar[tuple[str, ...]] = ("what",)
        what: str = "a"

        @classmethod
        def from_word(cls, word):
            half, times, two = word.partition("*")
            return cls(half) if times and two == "2" else None

        def to_word(self):
            return f"{self.what}*2"

    things = Registry("thing", (Twice,))
    made = things.make("b*2")
    assert (made, things.word(made), things.table(made)) == (Twice("b"), "b*2", {"name": "twice", "what": "b"})
    assert things.left_open("b*2") == ("what",)
    assert things.make("twice:what=c") == things.make({"name": "twice", "what": "c"}) == Twice("c")
