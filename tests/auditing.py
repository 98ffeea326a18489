"""What the tests of audits share: small audits, and a look at all that an object holds."""

import gc
from types import FunctionType, ModuleType

import numpy as np

from thinveil.features import Labels
from thinveil.graph import Graph
from thinveil.schemes import Published, Release, Secret

SHAPE = "egonets=20,min_size=60"
FOREST = "forest:trees=40,bag_size=200"
PAIRS = {"test_negatives": 20_000, "test_pairs": 2_000}
SMALL = {"attack": FOREST, **PAIRS}


def small(scheme):
    """The word of a scheme of few egonets."""
    return f"{scheme}:{SHAPE}"


def without(settings, *names):
    return {name: value for name, value in settings.items() if name not in names}


def everything_held(*things):
    """List all that can be reached from some things: attributes, entries, closures, and what arrays are views of."""
    held, waiting = {}, list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) in held or isinstance(thing, type | ModuleType):
            continue
        held[id(thing)] = thing
        if isinstance(thing, FunctionType):  # its globals are the module's, and nobody's secret
            waiting += [*(thing.__closure__ or ()), thing.__defaults__, thing.__kwdefaults__]
        elif isinstance(thing, np.ndarray):
            waiting += [thing.base, *(thing.flat if thing.dtype.hasobject else ())]
        else:
            waiting += gc.get_referents(thing)
    return list(held.values())


def hold_no_truth(held, truths):
    """Whether none of the things that are held tells who is who."""
    secrets = {id(array) for truth in truths for array in (truth.person, truth.is_far, truth.everybody)}
    kinds = Labels | Secret | Published | Release | Graph
    return not any(isinstance(thing, kinds) or id(thing) in secrets for thing in held)
