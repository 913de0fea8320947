"""The reference of the command line, made from the commands when the site is built: it cannot be out of date."""

from enum import Enum
from typing import Any

import typer

from fullproof.cli.app import app

_COMMON = {"--json", "--quiet", "--help"}
_HEAD = """# Commands

Made from the program itself; `fullproof COMMAND --help` prints the same. Every command takes `--json` (one JSON object
on standard output and nothing else there), `--quiet` (nothing but errors) and `--help`.

| exit code | means |
|---|---|
| 0 | done, or yes: passed, conforms, complete |
| 1 | no: a test failed, does not conform, is not complete; `check` found an error |
| 2 | interrupted |
| 3 | a bug of fullproof, with a traceback |
| 4 | bad usage or a bad model: one line that names the place |
| 5 | nothing to do |
| 6 | inconclusive |
"""


def commands_page() -> str:
    """One section for each command."""
    group: Any = typer.main.get_command(app)
    return _HEAD + "".join(_section(name, command) for name, command in group.commands.items())


def _section(name: str, command: Any) -> str:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [
        p for p in command.params if p.param_type_name == "option" and not _COMMON & set(p.opts) and not p.hidden
    ]
    usage = " ".join([name, *(argument.metavar or argument.name.upper() for argument in arguments), "[OPTIONS]"])
    lines = [f"\n## {name}\n", f"`fullproof {usage}`\n", f"{_safe(' '.join(command.help.split()))}\n"]
    lines += [f"- `{a.metavar or a.name.upper()}`: {_safe(a.help)}" for a in arguments if a.help]
    if options:
        lines += ["", "| option | value | does |", "|---|---|---|", *map(_row, options)]
    if command.epilog:
        lines += ["", _safe(command.epilog).replace("Example: ", "Example: `") + "`"]
    return "\n".join(lines) + "\n"


def _row(option: Any) -> str:
    flags = " ".join(f"`{flag}`" for flag in option.opts)
    default = option.default.value if isinstance(option.default, Enum) else option.default
    shown = default is not None and not option.is_flag and default != [] and "Default" not in (option.help or "")
    ending = f" Default: `{default}`." if shown else ""
    return f"| {flags} | {_value(option)} | {_safe(option.help or '')}{ending} |"


def _value(option: Any) -> str:
    kind = option.type_descriptor.annotation
    if option.is_flag:
        return ""
    if option.metavar:
        return f"`{option.metavar}`"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " ".join(f"`{member.value}`" for member in kind)
    return {"int": "a whole number", "float": "a number", "Path": "a file"}.get(getattr(kind, "__name__", ""), "a text")


def _safe(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
