import threading
import time

import numba
import pytest

from thinveil.errors import InputError
from thinveil.runtime.threads import limit_threads, map_chunks, map_threads, thread_count


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_order_is_kept(threads):
    def slow_first(k):
        time.sleep(0.01 if k == 0 else 0)
        return k * k

    with limit_threads(threads):
        assert map_threads(slow_first, range(20)) == [k * k for k in range(20)]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("total", "chunk"), [(0, 4), (1, 4), (4, 4), (9, 4), (10, 1)])
def test_chunks_cover_everything_once(total, chunk, threads):
    with limit_threads(threads):
        chunks = map_chunks(lambda first, last: (first, last), total, chunk=chunk)
    assert [k for first, last in chunks for k in range(first, last)] == list(range(total))
    assert all(0 < last - first <= chunk for first, last in chunks)


@pytest.mark.parametrize("threads", [1, 3])
def test_exceptions_come_through(threads):
    def fail_at_three(k):
        if k == 3:
            raise KeyError("three")
        return k

    with limit_threads(threads), pytest.raises(KeyError, match="three"):
        map_threads(fail_at_three, range(8))


def test_several_threads_work():
    barrier = threading.Barrier(2, timeout=10)
    with limit_threads(2):
        assert len(map_threads(lambda _: barrier.wait(), range(2))) == 2  # each waits for the other


def test_no_more_threads_work_than_the_limit_says():
    at_work, most, lock = set(), [0], threading.Lock()

    def work(_):
        with lock:
            at_work.add(threading.get_ident())
            most[0] = max(most[0], len(at_work))
        time.sleep(0.002)
        with lock:
            at_work.discard(threading.get_ident())

    for threads in (1, 2, 3):
        most[0] = 0
        with limit_threads(threads):
            map_threads(work, range(20))
        assert most[0] <= threads


def test_one_thread_is_the_callers_own():
    with limit_threads(1):
        assert set(map_threads(lambda _: threading.get_ident(), range(5))) == {threading.get_ident()}


def test_thread_count_is_what_the_machine_has():
    assert thread_count() == numba.config.NUMBA_NUM_THREADS >= 1


def test_a_limit_ends_with_its_work():
    before = thread_count()
    with limit_threads(3):
        assert thread_count() == 3
        with limit_threads(1):
            assert thread_count() == 1
        with limit_threads(None):  # leaves it as it is
            assert thread_count() == 3
        with pytest.raises(KeyError), limit_threads(2):
            raise KeyError("lost")
        assert thread_count() == 3
    assert thread_count() == before


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2"])
def test_bad_limits_are_named(threads):
    with pytest.raises(InputError, match=f"threads = {threads}: give 1 or more, or None"), limit_threads(threads):
        pass
    assert thread_count() == numba.config.NUMBA_NUM_THREADS
