"""A result as a page for people and as files for machines."""

from thinveil.report.files import read_settings, write_report
from thinveil.report.words import headline

__all__ = ["headline", "read_settings", "write_report"]
