"""All fuzz targets: a line each."""

from __future__ import annotations

from tests.fuzz.formats import JSON, LINES, NESTED, XML
from tests.fuzz.matrix import MATRIX
from tests.fuzz.models import MODEL
from tests.fuzz.packed import PACKED
from tests.fuzz.parquet import PARQUET
from tests.fuzz.releases import RELEASE, TRUTH
from tests.fuzz.settings import SETTINGS
from tests.fuzz.target import Target
from tests.fuzz.text import TEXT

TARGETS: dict[str, Target] = {
    one.name: one
    for one in (
        TEXT,
        MATRIX,
        PARQUET,
        *PACKED,
        RELEASE,
        TRUTH,
        MODEL,
        SETTINGS,
        JSON,
        XML,
        NESTED,
        LINES,
    )
}
