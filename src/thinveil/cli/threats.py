"""``thinveil threats``: what an attacker may hold and want."""

from __future__ import annotations

from thinveil.cli.listing import print_listing
from thinveil.cli.options import AsJson


def run(as_json: AsJson = False) -> None:
    """List the threats, each with one sentence and its parameters."""
    print_listing("threats", as_json=as_json)
