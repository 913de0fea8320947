"""A command: a function of arguments, a request and an output, from which its place on the command line is made."""

from __future__ import annotations

import copy
import inspect
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer.core import TyperCommand

from fullproof.artefacts.options import RequestOption, from_options, options_of
from fullproof.cli import completion
from fullproof.cli.output import Output
from fullproof.cli.panels import PRINTED, in_order, panel_of, panel_of_switches
from fullproof.core.errors import UserError
from fullproof.formats.table import readable_endings
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

ModelArgument: TypeAlias = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help=f"A model file: {' '.join(readable_endings())}", show_default=False),
]
SuitesArgument: TypeAlias = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="SUITE...",
        help="A suite file, or plain text: one test a line, inputs separated by blanks. Several are answered one by "
        "one.",
        show_default=False,
    ),
]
SuitesOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--suite", metavar="FILE", help="The same by name; may be repeated.", show_default=False),
]


def given_suites(named: list[Path] | None, suite: list[Path] | None) -> list[Path]:
    """The suites of a command, as arguments and by ``--suite``; a UserError where there is none."""
    found = [*(named or ()), *(suite or ())]
    if not found:
        raise UserError("expected a suite: the name of a file after the model, or --suite FILE")
    return found


_SWITCHES: Mapping[str, Any] = {
    "json": typer.Option("--json", help="Print one JSON object on standard output and nothing else."),
    "quiet": typer.Option("--quiet", "-q", help="Print nothing but errors."),
}
_VERBOSE = typer.Option(
    "--verbose", "-v", help="Print all notes: what auto tried, what was done to the model. --json has them in any case."
)
_FINITE = ", ".join(EQUIVALENCE_METHODS)
_LISTED = {"method": f" For finite machines: {_FINITE}, counting.", "fsm-method": f" They are {_FINITE}."}
"""What tables of higher rooms add to the help of an option."""
_COMPLETED: Mapping[str, Callable[..., list[str]]] = {
    "method": completion.methods,
    "sut": completion.systems,
    "property": completion.properties,
    "faults": completion.faults,
    "fsm-method": lambda: list(EQUIVALENCE_METHODS),
}
_NUMBERS = {int: "INT", float: "NUMBER"}
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class _Paneled(TyperCommand):
    """``--help`` is in the last panel: typer would begin the page with a panel for it."""

    def get_help_option(self, ctx: Any) -> Any:
        """The option with a panel."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.rich_help_panel = PRINTED
        return option


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command by its name.

    ``function`` takes an ``output``; a ``request``, where it is annotated with one, whose options the command has; and
    arguments that it declares to typer by itself.
    """

    name: str
    help: str
    example: str
    function: Callable[..., None]
    has_notes: bool = False
    """Whether it prints notes, of which ``--verbose`` shows all."""

    def register(self, app: typer.Typer) -> None:
        """Add the command."""
        has_panels = panel_of_switches(among=len(self._options())) is not None
        kind = _Paneled if has_panels else TyperCommand
        app.command(self.name, help=self.help, epilog=f"Example: {self.example}", cls=kind)(self._entry())

    def _options(self) -> Mapping[str, RequestOption]:
        asked = inspect.signature(self.function, eval_str=True).parameters.get("request")
        return {} if asked is None else options_of(asked.annotation)

    def _entry(self) -> Callable[..., None]:
        """The function that typer calls: one parameter for each option."""
        declared = dict(inspect.signature(self.function, eval_str=True).parameters)
        declared.pop("output")
        asked = declared.pop("request", None)
        known = self._options()
        options = {_identifier(name): one for name, one in known.items()}
        known_switches = {**_SWITCHES, "verbose": _VERBOSE} if self.has_notes else _SWITCHES
        among = len(options)
        switches = {name: Annotated[bool, _in_panel(said, among)] for name, said in known_switches.items()}
        parameters = [
            *(one.replace(kind=_KEYWORD) for one in declared.values()),
            *(_parameter(_identifier(name), one, among) for name, one in in_order(known.items(), among=among)),
            *(inspect.Parameter(name, _KEYWORD, default=False, annotation=one) for name, one in switches.items()),
        ]

        def entry(**given: Any) -> None:
            output = Output(as_json=given.pop("json"), quiet=given.pop("quiet"), verbose=given.pop("verbose", False))
            if asked is None:
                self.function(**given, output=output)
                return
            values = {one.name: given.pop(name) for name, one in options.items()}
            self.function(**given, request=from_options(asked.annotation, values), output=output)

        entry.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect reads
        entry.__annotations__ = {}
        return entry


def _in_panel(said: Any, among: int) -> Any:
    moved = copy.copy(said)
    moved.rich_help_panel = panel_of_switches(among=among)
    return moved


def _identifier(name: str) -> str:
    """The name of an option as that of a parameter, which may be no word of Python."""
    return f"{name}_" if keyword.iskeyword(name) else name.replace("-", "_")


def _parameter(name: str, one: RequestOption, among: int) -> inspect.Parameter:
    """An option as typer knows it. Its value stays a text: ``from_options`` reads it."""
    said, flag, panel = one.described, f"--{one.name}", panel_of(one.name, among=among)
    names = [f"{flag}/{said.off}" if said.off else flag, *([said.short] if said.short else [])]
    if one.type is bool:
        kind: Any = bool | None if one.default is None else bool
        found = typer.Option(*names, help=said.help, show_default=False, rich_help_panel=panel)
        return _declared(name, kind, found, one.default)
    default = None if one.default in (None, ()) else _text(one.default)
    found = typer.Option(
        *names,
        help=said.help + _LISTED.get(one.name, ""),
        metavar=_metavar(one),
        show_default=default is not None,
        autocompletion=(lambda: list(one.choices)) if one.choices else _COMPLETED.get(one.name),
        rich_help_panel=panel,
    )
    kind = list[str] | None if one.repeated else Path if one.type is Path else str
    if said.required:
        return inspect.Parameter(name, _KEYWORD, annotation=Annotated[kind, found])
    return _declared(name, kind | None, found, default)


def _declared(name: str, kind: Any, said: Any, default: object) -> inspect.Parameter:
    return inspect.Parameter(name, _KEYWORD, default=default, annotation=Annotated[kind, said])


def _text(value: object) -> str:
    return str(value.value) if isinstance(value, Enum) else str(value)


def _metavar(one: RequestOption) -> str | None:
    said = one.described
    if one.choices:
        return f"<{'|'.join(one.choices)}>"
    if one.type not in _NUMBERS:
        return said.metavar or None
    least, most = (None if end is None else f"{end:g}" for end in (said.least, said.most))
    bounds = f"{least}..{most}" if least and most else f">={least}" if least else ""
    return f"{said.metavar or _NUMBERS[one.type]}{' ' + bounds if bounds else ''}"
