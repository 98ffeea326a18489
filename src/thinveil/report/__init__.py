"""A result as a page for people and as files for machines."""

from thinveil.report.files import check_report_folder, read_settings, write_report
from thinveil.report.words import headline

__all__ = ["check_report_folder", "headline", "read_settings", "write_report"]
