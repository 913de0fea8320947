"""Values that a tolerance of an output makes alike are different for the proofs, so that each claim has to say so."""

import pytest

from fullproof.artefacts.questions import CertifyRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.pipeline.certification import certify_files
from fullproof.pipeline.suites import generate_for, write_generated

SUPPOSED = "provided that wrong outputs lie outside of the tolerance of right ones"
MOVES = """machine: statemachine
name: valve
signals: {in: [go, back], out: []}
outputs: {y: real = 0 ~ 0.5}
initial: a
states:
  a: [{trigger: go, do: y = 0.25, to: b}]
  b: [{trigger: back, do: y = 0, to: a}]
"""
CLASSES = """machine: sfsm
name: valve
inputs: {x: int 0..10}
outputs: {y: real ~ 0.5}
initial: a
states:
  a: [{when: x < 5, then: y == 0, to: a}, {when: x >= 5, then: y == 0.25, to: b}]
  b: [{when: x < 5, then: y == 0.25, to: a}, {when: x >= 5, then: y == 0, to: b}]
"""


@pytest.mark.requirement("CERTIFY-1")
@pytest.mark.parametrize(
    ("text", "faults", "hypothesis"),
    [
        (MOVES, None, "means the model's value where one is within the tolerance"),
        (MOVES, "stuck", "gives wrong outputs only outside of the tolerance of right ones"),
        (MOVES.replace("trigger: back", "after: 10 s"), None, "gives wrong outputs only outside of the tolerance"),
        (CLASSES, "stuck", "gives wrong outputs only outside of the tolerance of right ones"),
    ],
    ids=["events", "events, faults by name", "timers", "classes, faults by name"],
)
def test_claims_say_what_they_suppose_of_outputs_that_a_run_does_not_distinguish(tmp_path, text, faults, hypothesis):
    """Without tolerance a machine that stays in a would be found: with it, every run of it passes."""
    for tolerant in (True, False):
        model, suite = tmp_path / "valve.yaml", tmp_path / "valve.jsonl"
        model.write_text(text if tolerant else text.replace(" ~ 0.5", ""))
        made = write_generated(generate_for(model, SuiteRequest(faults=faults), target=suite), suite, to_stdout=False)
        assert (hypothesis in made.guarantee.sentence) == tolerant
        (answer,) = certify_files(model, [suite], CertifyRequest())
        assert answer.complete
        assert answer.reason.endswith(SUPPOSED) == tolerant
