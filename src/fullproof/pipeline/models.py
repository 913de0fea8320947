"""What is done with a model alone: check, draw, convert.

Stages are imported where they are used, so that a small question never pays for a large library.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fullproof.artefacts.finding import Profile


def check_file(path: Path) -> Profile:
    """Read a model and say what it is and what is wrong with it, and which of its properties it satisfies."""
    from fullproof.check import check
    from fullproof.formats import read_model
    from fullproof.model import Sfsm

    model = read_model(path)
    profile = check(model)
    if not isinstance(model, Sfsm) or not model.description.properties:
        return profile
    from fullproof.check.remarks import arranged
    from fullproof.pipeline.properties import property_findings

    return replace(profile, findings=arranged((*profile.findings, *property_findings(model))))


def draw_file(path: Path, picture: Path) -> None:
    """Read a model and draw it."""
    from fullproof.formats import read_model
    from fullproof.report.diagram import draw

    draw(read_model(path), picture)


def convert_file(source: Path, target: Path) -> None:
    """Read a model in one format and write it in another."""
    from fullproof.formats import read_model, write_model

    write_model(read_model(source), target)
