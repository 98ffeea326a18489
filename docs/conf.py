"""How Sphinx builds the documentation: offline, and strictly."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "thinveil"
author = "the authors of thinveil"
release = version = version_of("thinveil")

extensions = [
    "myst_parser", "sphinx.ext.autodoc", "numpydoc", "generated",
]  # fmt: skip
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
# files of the repository that pages point at are no pages themselves
suppress_warnings = ["myst.xref_missing"]

autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

nitpicky = False

html_theme = "pydata_sphinx_theme"
html_title = f"thinveil {release}"
html_static_path = ["_static"]
html_css_files = ["thinveil.css"]
html_show_sourcelink = False
html_copy_source = False
# pages without others beside them need no list of these
html_sidebars = {page: [] for page in ("index", "start", "measured", "reproduce", "glossary")}
html_theme_options = {
    "logo": {"text": "thinveil"},
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 8,
}
copyright = "the authors of thinveil, MIT licence"  # noqa: A001 (the name that Sphinx knows)
