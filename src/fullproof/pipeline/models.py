"""Commands on a model alone: check, draw, convert.

Stages are imported where they are used, so that a small command never loads a large library.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.artefacts.replies import CheckReply, FindingReply
from fullproof.artefacts.request import Observe
from fullproof.core.errors import Place, UserError
from fullproof.model import Model
from fullproof.model.unflattened import drawn_transitions, sent_at_start
from fullproof.pipeline.observed_models import ModelSource, read_observed


def check_file(source: ModelSource, observe: Observe | None = None) -> Profile:
    """Read a model; return its profile with the findings, and which of its properties it satisfies."""
    return _profile(read_observed(source, observe))


class ModelErrors(Exception):
    """A model with errors cannot be used; ``profile`` is the result of ``check``."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        super().__init__(f"{profile.name} has errors")


def refuse_errors(model: Model) -> None:
    """Raise ModelErrors where ``check`` finds errors. A model without transitions leaves nothing to do instead."""
    from fullproof.check import may_have_errors

    if drawn_transitions(model) and may_have_errors(model):
        profile = _profile(model)
        if any(finding.severity is Severity.ERROR for finding in profile.findings):
            raise ModelErrors(profile)


def _profile(model: Model) -> Profile:
    from fullproof.kinds import kind_of

    profile: Profile = kind_of(model).check(model)
    return profile


def check_reply(profile: Profile) -> CheckReply:
    """The answer of ``check``."""
    known = {one.name: getattr(profile, one.name) for one in dataclasses.fields(profile) if one.name != "findings"}
    return CheckReply(**known, findings=tuple(FindingReply(**_said(finding)) for finding in profile.findings))


def _said(finding: Finding) -> dict[str, Any]:
    known = {one.name: getattr(finding, one.name) for one in dataclasses.fields(FindingReply)}
    return {**known, "severity": finding.severity.value}


def draw_file(path: Path, picture: Path) -> None:
    """Read a model and draw it."""
    from fullproof.formats import read_model
    from fullproof.report.diagram import draw

    draw(read_model(path), picture)


def convert_file(source: Path, target: Path) -> None:
    """Read a model in one format and write it in another."""
    from fullproof.formats import read_model, write_model

    model = read_model(source)
    _require_greeting(model, target)
    write_model(model, target)


def _require_greeting(model: Model, target: Path) -> None:
    """UserError where a file would lose what is sent before the first input: flat states cannot say it."""
    from fullproof.check.remarks import some_of
    from fullproof.formats import read_model_text
    from fullproof.formats.table import model_text_for

    greeting = sent_at_start(model)
    if not greeting:
        return
    try:
        text = model_text_for(model, target)
    except UserError:
        return  # writing it says why, with the place
    try:
        written = read_model_text(text, target)
    except UserError:
        written = None
    if written is None or sent_at_start(written) != greeting:
        sent = some_of(tuple(dict.fromkeys(greeting)))
        message = f"a {target.suffix} file cannot say what this model sends before its first input: {sent}"
        raise UserError(message, at=Place(file=str(target)))
