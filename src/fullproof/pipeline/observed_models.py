"""Models of files or in memory, with the observed state as an output: by ``--observe``, or by a suite's header."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from fullproof.artefacts.request import Observe
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model import Model
from fullproof.model.state_output import observing_state, plain

__all__ = [
    "ModelSource",
    "model_of",
    "observed",
    "observed_by",
    "place_of",
    "plain",
    "read_observed",
    "refuse_observing",
    "sha256_of",
    "suite_observes",
]

ModelSource: TypeAlias = Path | Model
"""A file of a model, or a model in memory."""


def observed(model: Model, observe: Observe | None, *, at: Place = NOWHERE) -> Model:
    """The model with what is observed of a system among its outputs."""
    return model if observe is None else observing_state(model, at=at)


def read_observed(source: ModelSource, observe: Observe | None) -> Model:
    """Read a model and make what is to be observed an output."""
    return observed(model_of(source), observe, at=place_of(source))


def model_of(source: ModelSource) -> Model:
    """The model of a file, or the model itself."""
    from fullproof.formats import read_model

    return read_model(source) if isinstance(source, Path) else source


def place_of(source: ModelSource) -> Place:
    """The file of a model; of one in memory, its name stands for it."""
    return Place(file=str(source) if isinstance(source, Path) else source.name)


def sha256_of(source: ModelSource) -> str:
    """The SHA-256 of a model's file; of one in memory, that of the YAML that ``convert`` would write."""
    from fullproof.formats import model_sha256

    if isinstance(source, Path):
        return model_sha256(source)
    import hashlib

    from fullproof.formats.table import model_text

    return hashlib.sha256(model_text(source).encode()).hexdigest()


def observed_by(name: str | None, *, at: Place = NOWHERE) -> Observe | None:
    """What the header of a suite says is observed."""
    if name is None:
        return None
    known = {observe.value: observe for observe in Observe}
    if name not in known:
        raise UserError(f"the suite observes {name!r}, which is unknown{did_you_mean(name, known)}", at=at)
    return known[name]


def suite_observes(suite: Path) -> Observe | None:
    """What the suite in a file is for."""
    from fullproof.formats.suite import is_suite, read_suite

    return observed_by(read_suite(suite)[0].observe, at=Place(file=str(suite))) if is_suite(suite) else None


def refuse_observing(name: str | None, what: str, *, at: Place) -> None:
    """Refuse a suite that observes more than outputs where only these are compared."""
    if name is not None:
        raise UserError(f"the suite observes the {name} of a system, and is not {what}: outputs alone are", at=at)
