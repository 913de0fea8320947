"""The papers' models are fine models; published machines are what their authors say they are."""

import pytest
from tests.check.models import facts, named
from tests.shared import REFERENCE, SHARED, needs_shared_models

from fullproof.artefacts.finding import Severity
from fullproof.check import check
from fullproof.formats import read_model

PAPERS = sorted(REFERENCE.glob("*/*.yaml"))


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_the_papers_models_have_no_errors(path):
    profile = check(read_model(path))
    assert not [finding for finding in profile.findings if finding.severity is Severity.ERROR]
    assert not named(profile, "solver-unknown")


@pytest.mark.parametrize("name", ["card-reader/card-reader", "m-ex/m-ex"])
def test_the_partial_machines_of_paper_002(name):
    assert facts(check(read_model(REFERENCE / f"{name}.yaml"))) == (False, False, True, True, True)


def test_the_card_reader_chooses_in_one_place():
    (finding,) = named(check(read_model(REFERENCE / "card-reader/card-reader.yaml")), "nondeterministic")
    assert finding.where == "state auth0, input ts.in.ok"
    assert finding.at.line is not None


@needs_shared_models
def test_learned_machines_are_deterministic_complete_and_minimal():
    paths = sorted((SHARED / "models" / "automata-wiki").glob("*/*.dot"))
    assert len(paths) > 50
    for path in paths:
        assert facts(check(read_model(path))) == (True,) * 5, path.name


@needs_shared_models
def test_an_industrial_controller():
    profile = check(read_model(SHARED / "models" / "industrial" / "esm.fsm"))
    assert (profile.states, profile.transitions) == (3_410, 265_980)
    assert facts(profile) == (True,) * 5
