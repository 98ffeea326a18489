"""What thinveil has to say while it works: the log named ``thinveil``, silent until somebody listens.

A program that wants to hear it adds a handler: ``logging.getLogger("thinveil").addHandler(...)``. Notices have the
level WARNING, stages of the work INFO.
"""

from __future__ import annotations

import logging

LOG = logging.getLogger("thinveil")
LOG.addHandler(logging.NullHandler())


def notify(message: str) -> None:
    """Say in one line what the user did not choose and should know."""
    LOG.warning(message)
