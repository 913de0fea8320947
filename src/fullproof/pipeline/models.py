"""What is done with a model alone: check, draw, convert.

Stages are imported where they are used, so that a small question never pays for a large library.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from fullproof.artefacts.finding import Finding, Profile, Severity
from fullproof.artefacts.request import Observe
from fullproof.model import Model


def check_file(path: Path, observe: Observe | None = None) -> Profile:
    """Read a model and say what it is and what is wrong with it, and which of its properties it satisfies."""
    from fullproof.pipeline.observing import read_observed

    return _profile(read_observed(path, observe))


class ModelErrors(Exception):
    """A model that has errors was to be used; ``profile`` is what ``check`` says of it."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        super().__init__(f"{profile.name} has errors")


def refuse_errors(model: Model) -> None:
    """Raise ModelErrors where ``check`` finds errors. A model without transitions leaves nothing to do instead."""
    from fullproof.check import may_have_errors

    if model.transitions and may_have_errors(model):
        profile = _profile(model)
        if any(finding.severity is Severity.ERROR for finding in profile.findings):
            raise ModelErrors(profile)


def _profile(model: Model) -> Profile:
    from fullproof.kinds import kind_of

    profile: Profile = kind_of(model).check(model)
    return profile


def check_fields(profile: Profile) -> dict[str, object]:
    """The fields of ``check --json``."""
    fields = {field.name: getattr(profile, field.name) for field in dataclasses.fields(profile)}
    fields["findings"] = [finding_fields(finding) for finding in profile.findings]
    return fields


def finding_fields(finding: Finding) -> dict[str, object]:
    """What is said of one finding."""
    return {
        "severity": finding.severity.value,
        "rule": finding.rule,
        "where": finding.where,
        "message": finding.message,
        "witness": finding.witness,
    }


def draw_file(path: Path, picture: Path) -> None:
    """Read a model and draw it."""
    from fullproof.formats import read_model
    from fullproof.report.diagram import draw

    draw(read_model(path), picture)


def convert_file(source: Path, target: Path) -> None:
    """Read a model in one format and write it in another."""
    from fullproof.formats import read_model, write_model

    write_model(read_model(source), target)
