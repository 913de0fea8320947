"""The page of case studies and the command that runs them name the same runs, programs and versions."""

import os
import re
from pathlib import Path

import pytest
from benchmarks.case_studies import PACKAGES, STUDIES, SYSTEMS, transcript, version_of

PAGE = (Path(__file__).parents[2] / "docs" / "case-studies.md").read_text(encoding="utf-8")


def test_the_page_quotes_the_commands_that_are_run() -> None:
    quoted = re.findall(r"^\$ (fullproof .*)$", PAGE, re.MULTILINE)
    assert quoted == [study.command for study in STUDIES if study.folder != "smtp"]
    for name, version in (re.split("==|@", package) for package in PACKAGES):
        assert f"## {name} {version}: " in PAGE
    assert {study.folder for study in STUDIES} == {path.name for path in SYSTEMS.iterdir() if path.is_dir()}


def test_the_parser_can_still_be_stopped_before_it_is_started() -> None:
    (study,) = (study for study in STUDIES if study.program == "libexpat")
    here = {**os.environ, "PYTHONPATH": ""}
    if version_of(study, here) != "2.5.0":
        pytest.skip("no libexpat of the version on the page")
    assert "1     suspend  error             ok" in transcript(study, here)
