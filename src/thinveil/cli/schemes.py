"""``thinveil schemes``: the ways to publish a graph."""

from __future__ import annotations

from thinveil.cli.listing import print_listing
from thinveil.cli.options import AsJson


def run(as_json: AsJson = False) -> None:
    """List the schemes, each with one sentence and its parameters."""
    print_listing("schemes", as_json=as_json)
