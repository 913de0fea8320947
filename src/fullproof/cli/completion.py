"""Values that a shell completes: methods of the model on the command line, systems by their schemes and files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from fullproof.artefacts.request import OTHER_METHODS, SCHEMES
from fullproof.core.errors import UserError
from fullproof.generate.finite.methods import EQUIVALENCE_METHODS

ALL_METHODS = ("auto", *EQUIVALENCE_METHODS, *OTHER_METHODS)


def methods(ctx: typer.Context, incomplete: str) -> list[str]:
    """The methods for the model that was named; all where there is none yet."""
    # An option that still lacks its value stops the parser before it has assigned arguments.
    named = ctx.params.get("model") or next(iter(ctx.args), None)
    return [name for name in _methods_of(named) if name.startswith(incomplete)]


def _methods_of(model: Any) -> tuple[str, ...]:
    from fullproof.artefacts.request import Relation
    from fullproof.formats import read_model
    from fullproof.kinds import kind_of

    try:
        read = read_model(Path(model))
        kind = kind_of(read)
        relation: Relation = kind.tested(read)[0]
        return tuple(dict.fromkeys(("auto", *(method.name for method in kind.methods(read, relation)))))
    except (UserError, OSError, TypeError):
        return ALL_METHODS


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
