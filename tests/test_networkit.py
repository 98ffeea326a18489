"""networkit is lent to one piece of work at a time: others neither change what it draws nor how many threads it has."""

from concurrent.futures import ThreadPoolExecutor

import networkit
import numpy as np

from thinveil.runtime.networkit import one_thread
from thinveil.schemes.kit import switch_edges


def test_threads_are_put_back_and_work_may_be_nested():
    networkit.setNumberOfThreads(3)
    with one_thread() as kit:
        assert kit.getMaxNumberOfThreads() == 1
        with one_thread(7):
            pass
        assert kit.getMaxNumberOfThreads() == 1
    assert networkit.getMaxNumberOfThreads() == 3


def test_work_at_the_same_time_changes_nothing():
    ends = np.arange(2_000, dtype=np.int32), np.roll(np.arange(2_000, dtype=np.int32), 1)

    def switched(seed):
        made = switch_edges(*ends, 2_000, 20_000, np.random.default_rng(seed))
        return sorted(map(tuple, np.sort(np.stack(made), axis=0).T.tolist()))

    alone = [switched(seed) for seed in range(12)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(switched, range(12))) == alone
