"""Reads models with the observed state as an output: by ``--observe``, or by a suite's header."""

from __future__ import annotations

from pathlib import Path

from fullproof.artefacts.request import Observe
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model import Model
from fullproof.model.state_output import observing_state, plain

__all__ = ["observed", "observed_by", "plain", "read_observed", "refuse_observing", "suite_observes"]


def observed(model: Model, observe: Observe | None, *, at: Place = NOWHERE) -> Model:
    """The model with what is observed of a system among its outputs."""
    return model if observe is None else observing_state(model, at=at)


def read_observed(path: Path, observe: Observe | None) -> Model:
    """Read a model and make what is to be observed an output."""
    from fullproof.formats import read_model

    return observed(read_model(path), observe, at=Place(file=str(path)))


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
