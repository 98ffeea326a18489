"""Fuzz targets: every reader of files meets damaged and hostile input, and must refuse it in one clear line.

A *target* is a reader with some good examples. A *case* is one input, made from the examples by random changes; the
same seed and number make the same case. A case passes if the reader accepts it, or refuses it with an error of
thinveil's own whose message is one line. It fails on any other error, when it takes too long or too much memory, or
when the process dies.

``make fuzz`` runs all targets for as long as one likes; ``python -m tests.fuzz --help`` tells more. ``test_fuzz.py``
runs a few seconds of each. A new target is one file and one line in ``targets.py``.
"""
