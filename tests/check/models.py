"""Models from text, and findings by rule."""

import tempfile
from pathlib import Path
from textwrap import dedent

from fullproof.artefacts.finding import Finding, Profile
from fullproof.check import check
from fullproof.formats import read_model
from fullproof.model import Model


def model_of(text: str) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.yaml")
        path.write_text(dedent(text), encoding="utf-8")
        return read_model(path)


def profile_of(text: str, **options: float) -> Profile:
    return check(model_of(text), **options)


def named(profile: Profile, rule: str) -> list[Finding]:
    return [finding for finding in profile.findings if finding.rule == rule]


def rules(profile: Profile) -> set[str]:
    return {finding.rule for finding in profile.findings}


def facts(profile: Profile) -> tuple[bool | None, ...]:
    return profile.deterministic, profile.complete, profile.observable, profile.minimal, profile.connected
