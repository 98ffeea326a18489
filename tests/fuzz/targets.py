"""All fuzz targets: a line each."""

from __future__ import annotations

from tests.fuzz.matrix import MATRIX
from tests.fuzz.packed import PACKED
from tests.fuzz.parquet import PARQUET
from tests.fuzz.target import Target
from tests.fuzz.text import TEXT

TARGETS: dict[str, Target] = {
    one.name: one
    for one in (
        TEXT,
        MATRIX,
        PARQUET,
        *PACKED,
    )
}
