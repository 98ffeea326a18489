"""``thinveil`` and ``python -m thinveil``: a program that ends well, even if it is stopped before all is loaded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def main() -> None:
    """Run the command line."""
    import gc
    import signal

    gc.disable()  # a sixth of the time of a short command; what takes long turns it on (cli/progress.py)
    # nothing is there yet that could be cleared away, or say a word: Ctrl-C ends it without a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from thinveil.runtime.endings import end_well

    end_well(_load)


def _load() -> Callable[[], Any]:
    from thinveil.cli import load

    return load()


if __name__ == "__main__":
    main()
