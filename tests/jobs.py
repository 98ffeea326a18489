"""Jobs for engines: a module of its own, which another process imports in no time."""

import os

from thinveil.errors import SampleError
from thinveil.runtime.threads import thread_count


def where(given, job):
    """Tell who worked, with how many threads, on what."""
    return os.getpid(), thread_count(), given, job


def fail_at_two(job):
    if job == 2:
        raise SampleError("two is not enough")
    return job


def leave(job):
    """End the process without a word, as the system does when memory runs out."""
    os._exit(3)


def edges_of_given(graph, job):
    """Tell of a graph that came from another process."""
    return graph.digest(), graph.indices.size
