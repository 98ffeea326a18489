from decimal import Decimal, localcontext
from fractions import Fraction
from math import log2

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.drawing import assert_follows
from tests.naive import forest as naive
from thinveil.learners.forest.entropy import FRACTION_BITS, entropy_table
from thinveil.learners.forest.forest import _step_lookup
from thinveil.learners.forest.growing import delta_step
from thinveil.runtime import bits

words = st.integers(0, 2**64 - 1)
counts = st.integers(0, 2**31 - 1)


# intrinsics can only be called from compiled code
@numba.njit
def count_ones(word):
    return bits.count_ones(word)


@numba.njit
def lowest_one(word):
    return bits.lowest_one(word)


@example(0)
@example(2**64 - 1)
@example(2**63)
@given(words)
def test_bits_equal_python(word):
    assert int(count_ones(np.uint64(word))) == word.bit_count()
    if word:
        assert int(lowest_one(np.uint64(word))) == (word & -word).bit_length() - 1


def test_splitmix_equals_its_published_numbers():
    state = np.array([1234567], dtype=np.uint64)
    comp = [int(bits.next_word(state)) for _ in range(5)]
    ref = naive.SplitMix(1234567)
    assert comp == [ref.word() for _ in range(5)]
    assert comp == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@given(st.integers(0, 2**63 - 1), st.integers(0, 10**6), st.integers(1, 2**31))
def test_streams_of_trees_equal_plain_twin(seed, tree, limit):
    comp, ref = bits.random_state(seed, tree), naive.SplitMix.of_tree(seed, tree)
    assert int(comp[0]) == ref.state
    assert [int(bits.random_below(comp, limit)) for _ in range(3)] == [ref.below(limit) for _ in range(3)]


def test_numbers_below_a_limit_are_uniform():
    state = bits.random_state(0, 0)
    drawn = [int(bits.random_below(state, 7)) for _ in range(2000)]
    assert_follows({k: drawn.count(k) for k in range(7)}, dict.fromkeys(range(7), 1))
    assert {int(bits.random_below(state, 1)) for _ in range(5)} == {0}


def test_streams_of_neighbouring_trees_and_seeds_differ():
    first = {int(bits.next_word(bits.random_state(seed, tree))) for seed in range(30) for tree in range(30)}
    assert len(first) == 900


def test_entropy_table_is_k_log_k_to_a_unit():
    table = entropy_table(1201)  # 600 + 600 pairs
    assert table.tolist()[:3] == [0, 0, 2 << FRACTION_BITS]
    with localcontext(prec=50):
        for k in range(1, 1201):
            exact = k * Decimal(k).ln() / Decimal(2).ln() * 2**FRACTION_BITS
            assert abs(int(table[k]) - exact) <= 1
    assert table[1:] / 2.0**FRACTION_BITS == pytest.approx([k * log2(k) for k in range(1, 1201)], rel=1e-10)


def test_entropy_of_powers_of_two_is_exact():
    table = entropy_table(2**12 + 1)
    assert [int(table[2**k]) for k in range(13)] == [k * 2**k << FRACTION_BITS for k in range(13)]


@given(counts, counts, st.integers(1, 100))
def test_delta_step_equals_fractions(x, y, steps):
    step = int(delta_step(x, y, steps))
    assert step == naive.delta_step(x, y, steps) == int(delta_step(y, x, steps))
    for k in {0, step - 1, step, steps} - {-1}:
        assert (naive.delta(x, y) <= Fraction(k, steps)) == (step <= k)


@pytest.mark.parametrize(
    ("x", "y", "delta"),
    [(0, 0, "0"), (3, 3, "0"), (0, 1, "1"), (7, 0, "1"), (1, 2, "1/2"), (19, 20, "1/20"), (4, 5, "1/5"), (8, 3, "5/8")],
)
def test_deltas_by_hand(x, y, delta):
    assert naive.delta(x, y) == Fraction(delta)
    # at 1/20 and 1/5 the threshold itself is met exactly: 0.05 and 0.2 in floats would be a matter of luck
    assert delta_step(x, y, 20) == -(-20 * Fraction(delta) // 1)


@pytest.mark.parametrize("steps", [1, 2, 20, 100, 255, 256, 1000])
def test_lookup_equals_delta_step(steps):
    lookup = _step_lookup(steps)
    side = range(lookup.shape[0])
    assert lookup.tolist() == [[naive.delta_step(x, y, steps) for y in side] for x in side]
