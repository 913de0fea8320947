"""What is done with a model alone: check, draw, convert.

Stages are imported where they are used, so that a small question never pays for a large library.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from fullproof.artefacts.finding import Finding, Profile
from fullproof.artefacts.request import Observe


def check_file(path: Path, observe: Observe | None = None) -> Profile:
    """Read a model and say what it is and what is wrong with it, and which of its properties it satisfies."""
    from fullproof.kinds import kind_of
    from fullproof.pipeline.observing import read_observed

    model = read_observed(path, observe)
    return kind_of(model).check(model)


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
