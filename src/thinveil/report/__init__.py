"""A result as a page for people and as files for machines."""

from thinveil.report.files import check_report_folder, read_settings, write_report
from thinveil.report.gate import check_limit
from thinveil.report.pagefile import write_page
from thinveil.report.people import check_people_place, people_file, write_people
from thinveil.report.reading import read_result, result_schema
from thinveil.report.words import headline

__all__ = [
    "check_limit", "check_people_place", "check_report_folder", "headline", "people_file", "read_result",
    "read_settings", "result_schema", "write_page", "write_people", "write_report",
]  # fmt: skip
