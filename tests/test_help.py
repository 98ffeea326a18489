"""The help as a user sees it on the terminal: every word that was written, every default."""

import re
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from thinveil.auditing.plan import Plan, Sampling
from thinveil.cli import app
from thinveil.threats import THREATS

GROUP = typer.main.get_command(app)
COMMANDS = sorted(GROUP.commands)
WIDTHS = (80, 200)


def shown(command, width):
    """Return the help as one line, without boxes and line breaks."""
    done = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": str(width), "TERMINAL_WIDTH": str(width)})
    assert done.exit_code == 0, done.output
    return re.sub(r"[\s│]+", " ", done.output)


def options_of(command):
    return [one for one in GROUP.commands[command].params if one.param_type_name == "option"]


def part_of(text, option):
    """Return what the help says of an option: from its name to the next, or to the end; some name another in words."""
    return " ".join(re.findall(rf"(?<=[ *]){option.opts[0]} .*?(?= \*? ?--[a-z]|╰)", text))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_default_is_shown(command, width):
    text, count = shown(command, width), 0
    for option in options_of(command):
        default = option.show_default if isinstance(option.show_default, str) else option.default
        if default is None or default == [] or getattr(option, "is_flag", False):
            continue
        words = f"({default})" if isinstance(option.show_default, str) else str(default)
        assert f"[default: {words}]" in part_of(text, option), option.opts
        count += 1
    assert text.count("[default: ") == count


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_word_of_the_help_is_eaten(command, width):
    text = shown(command, width)
    for one in GROUP.commands[command].params:
        assert " ".join(one.help.split()) in text
        assert not one.metavar or one.metavar in text
    assert "NAME[:...]" in text or command not in ("audit", "train", "stitch", "anonymize")


@pytest.mark.parametrize("command", COMMANDS)
def test_options_without_a_value_show_none(command):
    text = shown(command, 80)
    assert "<bool>" not in text
    assert "rich" not in text


def test_defaults_that_are_only_told_are_those_of_the_library():
    told = {one.opts[0]: one.show_default for one in options_of("audit") if isinstance(one.show_default, str)}
    plan, sampling = Plan.make(), Sampling()
    assert told["--repeats"] == str(plan.repeats)
    assert told["--seed"] == str(plan.seed)
    assert told["--min-degree"] == str(sampling.min_degree)
    assert told["--protocol"] == sampling.protocol
    assert told["--threat"] == plan.threat.name
    for option, field in (("--scheme", "scheme"), ("--attack", "attack")):
        first, second = (getattr(THREATS[name], field) for name in ("linkage", "identification"))
        assert told[option] == f"{first}; {second} for threat identification"


def test_settings_without_an_option_are_listed_with_their_defaults():
    text = shown("audit", 200)
    assert "Settings for --set: categories=1-hop+1,2-hop+2-hop+complete, train_pairs=100000, test_pairs=10000" in text
    assert "min_degree=" not in text


def test_help_of_a_light_command_does_not_load_the_heavy_libraries():
    code = "import sys; sys.argv = ['thinveil', 'info', '--help']\nimport atexit\n" \
        "atexit.register(lambda: print(sorted({'numba', 'sklearn', 'lightgbm', 'polars'} & set(sys.modules))))\n" \
        "from thinveil.__main__ import main; main()"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.rstrip().endswith("[]"), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("word", "meant"), [("audti", "audit"), ("reproduec", "reproduce"), ("anonymise", "anonymize")]
)
def test_unknown_commands_suggest_the_nearest(word, meant):
    done = CliRunner().invoke(app, [word], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert f"Did you mean '{meant}'?" in done.output
