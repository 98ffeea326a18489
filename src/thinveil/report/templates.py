"""What fills the templates of this package."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def make_environment() -> Environment:
    """Return what fills the templates of this package; their names start at its root: ``report/page.html``."""
    return Environment(
        loader=PackageLoader("thinveil", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def fill(template: str, **values: Any) -> Markup:
    """Return a template of the report, filled with values; a name that is missing is an error."""
    return Markup(make_environment().get_template(f"report/{template}").render(**values))
