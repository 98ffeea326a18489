"""``thinveil attacks``: the ways to attack a release."""

from __future__ import annotations

from thinveil.cli.listing import print_listing
from thinveil.cli.options import AsJson


def run(as_json: AsJson = False) -> None:
    """List the attacks, each with one sentence and its parameters."""
    print_listing("attacks", as_json=as_json)
