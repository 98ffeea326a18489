"""Reference pages that are written anew with every build, so that they cannot say what is no longer so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import thinveil

GROUPS = {
    "Graphs": ("Graph", "read_graph", "convert", "synthetic_graph", "info"),
    "Audits": ("audit", "audit_release", "AuditResult", "Plan", "Sampling", "compare", "Comparison", "check_promise",
               "stitch", "utility", "Utility"),
    "Releases and attacks on them": ("anonymize", "Release", "write_release", "read_release", "train", "Model",
                                     "save_model", "load_model", "link", "write_links", "match", "detect_ego"),
    "Results": ("write_report", "write_page", "write_people", "read_result", "result_schema", "read_settings",
                "write_comparison", "reproduce"),
    "Of your own": ("Scheme", "register_scheme", "Attack", "register_attack", "Threat"),
    "The forest": ("PairForest", "save_forest", "load_forest"),
    "Errors": ("ThinveilError", "InputError", "GraphFileError", "ReleaseError", "ModelError", "SampleError",
               "RoomError", "UndefinedError"),
}  # fmt: skip


def write_commands() -> str:
    """Return a page with the help of every command, as tables."""
    import typer

    from thinveil.cli import app

    program: Any = typer.main.get_command(app)
    parts = ["# Commands\n", "Every command takes `--help`. Statuses: 0 done, 1 refused, 3 above `--fail-above`.\n"]
    for name, command in program.commands.items():
        about = (command.help or "").split("\f")[0].strip()
        parts += [f"## thinveil {name}\n", f"{about}\n", *_options(command)]
    return "\n".join(parts)


def _options(command: Any) -> list[str]:
    lines = ["| option | what it says | default |", "|---|---|---|"]
    for one in command.params:
        if one.name == "help":
            continue
        is_argument = one.param_type_name == "argument"
        names = f"`{one.metavar or one.name.upper()}`" if is_argument else ", ".join(f"`{opt}`" for opt in one.opts)
        words = " ".join((getattr(one, "help", "") or "").split()).replace("|", "\\|")
        lines.append(f"| {names} | {words} | {_default(one)} |")
    return ["\n".join(lines) + "\n"]


def _default(one: Any) -> str:
    told = getattr(one, "show_default", None)
    if isinstance(told, str):
        return told
    if one.default in (None, False, [], ()) or callable(one.default):
        return ""
    return f"`{one.default}`"


def write_library() -> str:
    """Return a page that leads to all that the library offers."""
    listed = {name for names in GROUPS.values() for name in names}
    if listed != set(thinveil.__all__):
        strange = sorted(listed ^ set(thinveil.__all__))
        raise ValueError(f"docs/extensions/generated.py lists other names than thinveil has: {strange}")
    parts = ["# Library\n", "What the command line can do, the library can do under the same name.\n"]
    for title, names in GROUPS.items():
        parts.append(f"**[{title}](library/{_slug(title)}.md)**: {', '.join(f'`{name}`' for name in names)}\n")
    pages = "\n".join(f"library/{_slug(title)}" for title in GROUPS)
    return "\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{pages}\n```\n"])


def write_group(title: str, names: tuple[str, ...]) -> str:
    """Return the page of a group of functions and classes."""
    entries = "\n".join(_entry(name) for name in names)
    data = ".. automodule:: thinveil.datasets\n   :members: call_records, fetch, known\n" if title == "Graphs" else ""
    return f"# {title}\n\n```{{eval-rst}}\n.. currentmodule:: thinveil\n\n{entries}\n{data}```\n"


def _entry(name: str) -> str:
    if not isinstance(getattr(thinveil, name), type):
        return f".. autofunction:: {name}\n"
    inherited = "   :inherited-members:\n" if name == "Graph" else ""
    # made by scikit-learn, whose pages they refer to
    requests = ", ".join(f"set_{one}_request" for one in ("fit", "score", "predict", "predict_proba"))
    return f".. autoclass:: {name}\n   :members:\n   :exclude-members: {requests}\n{inherited}"


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def write_result() -> str:
    """Return a page with the parts of result.json."""
    schema = thinveil.result_schema()
    lines = ["# result.json\n",
             "What an audit found, for machines. `thinveil report --schema` prints the whole JSON schema, and "
             "`thinveil.read_result` reads such a file back.\n", "| entry | what it is |", "|---|---|"]  # fmt: skip
    for name, one in schema["properties"].items():
        lines.append(f"| `{name}` | {_words(one)} |")
    return "\n".join(lines) + "\n"


def _words(one: dict[str, Any]) -> str:
    for part in (one, *one.get("anyOf", ()), one.get("items", {}), one.get("additionalProperties", {})):
        if isinstance(part, dict) and part.get("description"):
            return str(part["description"]).replace("|", "\\|").replace("``", "`")
    return ""


def write_things() -> str:
    """Return a page with all schemes, attacks and threats, and their parameters."""
    from thinveil.cli.listing import entries_of

    parts = ["# Schemes, attacks and threats\n", "Each is one word, with its parameters behind a colon: "
             "`d4d-2:egonets=50,min_size=200`.\n"]  # fmt: skip
    for kind in ("schemes", "attacks", "threats"):
        parts.append(f"## {kind.capitalize()}\n")
        for one in entries_of(kind):
            parts += [f"### {one['name']}\n", f"{one['what']}\n"]
            if one["parameters"]:
                rows = [f"| `{p['name']}` | {p['meaning']} | `{p['default']}` |" for p in one["parameters"]]
                parts.append("\n".join(["| parameter | what it says | default |", "|---|---|---|", *rows]) + "\n")
    return "\n".join(parts)


GROUP_PAGES = {f"library/{_slug(title)}.md": (title, names) for title, names in GROUPS.items()}
PAGES = {
    "commands.md": write_commands,
    "library.md": write_library,
    "result.md": write_result,
    "things.md": write_things,
}


def write_pages(app: Any) -> None:
    """Write all pages into reference/, where they differ from what is there."""
    folder = Path(app.srcdir) / "reference"
    contents = {name: write() for name, write in PAGES.items()}
    contents |= {name: write_group(*group) for name, group in GROUP_PAGES.items()}
    (folder / "library").mkdir(exist_ok=True)
    for name, content in contents.items():
        if not (folder / name).exists() or (folder / name).read_text() != content:
            (folder / name).write_text(content)


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx to write the pages before it reads them."""
    app.connect("builder-inited", write_pages, priority=100)
    return {"parallel_read_safe": True}
