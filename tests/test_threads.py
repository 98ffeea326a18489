import threading
import time

import pytest

from thinveil.runtime.threads import map_chunks, map_threads, thread_count


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_order_is_kept(threads):
    def slow_first(k):
        time.sleep(0.01 if k == 0 else 0)
        return k * k

    assert map_threads(slow_first, range(20), threads) == [k * k for k in range(20)]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("total", "chunk"), [(0, 4), (1, 4), (4, 4), (9, 4), (10, 1)])
def test_chunks_cover_everything_once(total, chunk, threads):
    chunks = map_chunks(lambda first, last: (first, last), total, chunk=chunk, threads=threads)
    assert [k for first, last in chunks for k in range(first, last)] == list(range(total))
    assert all(0 < last - first <= chunk for first, last in chunks)


@pytest.mark.parametrize("threads", [1, 3])
def test_exceptions_come_through(threads):
    def fail_at_three(k):
        if k == 3:
            raise KeyError("three")
        return k

    with pytest.raises(KeyError, match="three"):
        map_threads(fail_at_three, range(8), threads)


def test_several_threads_work():
    barrier = threading.Barrier(2, timeout=10)
    assert len(map_threads(lambda _: barrier.wait(), range(2), 2)) == 2  # each waits for the other


def test_thread_count_is_positive():
    assert thread_count() >= 1
