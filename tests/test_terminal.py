"""Tables on terminals of any width: no digit is lost."""

import io

import pytest
from rich.console import Console

from thinveil.cli.table import attacks_table, rates_table, show
from thinveil.report.sections.beside import attack_rows


def printed(table, width, keys=1):
    console = Console(width=width, file=io.StringIO(), highlight=False)
    show(console, table, keys=keys)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [30, 40, 60, 79, 80, 200])
def test_every_number_is_printed_whole(town_audit, width):
    tables = [(rates_table(town_audit), 1), (attacks_table(town_audit, attack_rows(town_audit)), 2)]
    for table, keys in tables:
        words = printed(table, width, keys)
        assert "…" not in words
        assert max(map(len, words.splitlines())) <= width
        for column in table.columns:
            for cell in column.cells:
                assert all(part in words for part in str(cell).split()), cell


def test_a_narrow_terminal_gets_a_list(town_audit):
    assert "complete, at FPR\n  0.01%: " in printed(rates_table(town_audit), 40)
    assert "complete, at FPR" not in printed(rates_table(town_audit), 100)
