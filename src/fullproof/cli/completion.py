"""Values that a shell completes: methods of the model on the command line, systems by their schemes and files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fullproof.artefacts.request import OTHER_METHODS, SCHEMES
from fullproof.core.errors import UserError
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS
from fullproof.model.named_faults import OF_TIMERS, FaultName

if TYPE_CHECKING:
    from fullproof.model import Model

ALL_METHODS = ("auto", *EQUIVALENCE_METHODS, *OTHER_METHODS)


def methods(ctx: typer.Context, incomplete: str) -> list[str]:
    """The methods for the model that was named; all where there is none yet."""
    return [name for name in _methods_of(_read(ctx)) if name.startswith(incomplete)]


def _methods_of(model: Model | None) -> tuple[str, ...]:
    from fullproof.artefacts.request import Relation
    from fullproof.kinds import kind_of

    if model is None:
        return ALL_METHODS
    try:
        kind = kind_of(model)
        relation: Relation = kind.tested(model)[0]
        return tuple(dict.fromkeys(("auto", *(method.name for method in kind.methods(model, relation)))))
    except UserError:
        return ALL_METHODS


def properties(ctx: typer.Context, incomplete: str) -> list[str]:
    """The properties of the model that was named."""
    model = _read(ctx)
    stated = () if model is None else model.description.properties
    return [one.name for one in stated if one.name.startswith(incomplete)]


def faults(ctx: typer.Context, incomplete: str) -> list[str]:
    """The words for faults that the model may have, after those that stand there already; or a file of faults."""
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",") if before else []
    model = _read(ctx)
    timed = model is None or bool(getattr(model, "timers", ()))
    words = [one.value for one in FaultName if timed or one not in OF_TIMERS]
    files = [] if comma or not last else [str(file) for file in sorted(Path().glob("*.yaml"))]
    found = [word for word in (*words, *files) if word.startswith(last) and word not in given]
    return [f"{before}{comma}{word}" for word in found]


def _read(ctx: typer.Context) -> Model | None:
    """The model that was named, where it can be read."""
    from fullproof.formats import read_model

    # An option that still lacks its value stops the parser before it has assigned arguments.
    named: Any = ctx.params.get("model") or next(iter(ctx.args), None)
    try:
        return read_model(Path(named))
    except (UserError, OSError, TypeError):
        return None


def systems(incomplete: str) -> list[str]:
    """Schemes, and the files and classes that may follow them."""
    scheme, colon, rest = incomplete.partition(":")
    if not colon:
        return [f"{one}:" for one in SCHEMES if one.startswith(scheme)]
    return [f"{scheme}:{name}" for name in _named(scheme) if name.startswith(rest)]


def _named(scheme: str) -> Iterator[str]:
    from fullproof.formats.table import readable_endings

    here = sorted(file for file in Path().iterdir() if file.is_file())
    if scheme == "python":
        for file in here:
            if file.suffix == ".py":
                yield from (f"{file}:{name}" for name in _classes(file))
        return
    endings = {"model": readable_endings(), "lib": (".so", ".yaml"), "fmu": (".fmu", ".yaml")}.get(scheme, (".yaml",))
    yield from (str(file) for file in here if file.suffix in endings)


def _classes(file: Path) -> list[str]:
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError, OSError):
        return []
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
