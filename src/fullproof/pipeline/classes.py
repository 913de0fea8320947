"""model -> its classes."""

from __future__ import annotations

from pathlib import Path

from fullproof.artefacts.questions import ClassesRequest
from fullproof.core.errors import Place
from fullproof.kinds import kind_of
from fullproof.kinds.classes import Classes, ClassesAsked


def classes_of_file(path: Path, request: ClassesRequest) -> Classes:
    """Read a model and compute its classes."""
    from fullproof.formats import read_model

    model, at = read_model(path), Place(file=str(path))
    kind = kind_of(model)
    classes_of = kind.required(kind.classes, "classes", at=at)
    return classes_of(model, ClassesAsked(properties=request.properties, timeout=request.timeout, at=at))
