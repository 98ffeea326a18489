"""A result as a page for people and as files for machines."""

from thinveil.report.files import check_report_folder, read_settings, write_report
from thinveil.report.people import check_people_place, people_file, write_people
from thinveil.report.words import headline

__all__ = [
    "check_people_place", "check_report_folder", "headline", "people_file", "read_settings", "write_people",
    "write_report",
]  # fmt: skip
