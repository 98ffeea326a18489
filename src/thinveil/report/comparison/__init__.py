"""A comparison of schemes as a page for people, and as JSON and CSV for machines."""

from thinveil.report.comparison.files import check_comparison_folder, write_comparison
from thinveil.report.comparison.page import build_comparison_page

__all__ = ["build_comparison_page", "check_comparison_folder", "write_comparison"]
