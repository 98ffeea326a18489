"""The page of a report alone, made of a result that may have been read back."""

from __future__ import annotations

import os
from pathlib import Path

from thinveil.auditing.results import AuditResult
from thinveil.errors import InputError
from thinveil.report.page import build_page, is_page
from thinveil.runtime.archives import NONSENSE
from thinveil.runtime.files import File, write_together
from thinveil.runtime.inputs import first_line
from thinveil.runtime.places import Inputs, Kind, check_place

PAGE_FILE = Kind("page", is_page, option="--out")


def write_page(
    result: AuditResult, path: str | os.PathLike[str], *, force: bool = False, inputs: Inputs = ()
) -> Path:  # fmt: skip
    """Write the page of an audit as one file that needs nothing outside itself, and return its path.

    Parameters
    ----------
    result
        What the audit found; ``read_result`` reads it from the files of a report.
    path
        The file.
    force
        Whether an earlier page may be replaced.
    inputs
        What was read; none of it is ever written over.
    """
    place = check_place(path, PAGE_FILE, force=force, inputs=inputs)
    try:
        page = build_page(result)
    except NONSENSE as error:
        raise InputError(f"the result makes no sense ({first_line(error)}): audit again") from error
    write_together(File(place, page.encode(), may_replace=PAGE_FILE.may_replace(force)))
    return Path(path)
