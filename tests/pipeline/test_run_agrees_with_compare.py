"""`run` and `compare` decide the same relations, for models that are partial, nondeterministic, not observable."""

from importlib import import_module
from unittest.mock import patch

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.cli.harness import Shell
from tests.oracles.every_execution import verdict
from tests.strategies.small_fsms import any_fsms

from fullproof.analysis.minimise import prime
from fullproof.analysis.observable import observable
from fullproof.analysis.table import relation_table
from fullproof.artefacts.questions import CompareRequest
from fullproof.artefacts.request import GREY_BOX, Relation, SuiteRequest
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import NOWHERE, UserError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.pipeline.comparison import conformance_to
from fullproof.pipeline.suites import generate_suite

RELATIONS = [relation for relation in Relation if relation not in (Relation.IOCO, Relation.PROPERTY)]
MODEL = """machine: fsm
name: split
initial: s
states:
  s: [{when: x, then: '0', to: l}, {when: x, then: '0', to: r}]
  l: [{when: a, then: '1', to: s}]
  r: [{when: b, then: '2', to: s}]
"""
_HEAD = "machine: fsm\nname: other\ninitial: s\ninputs: [x, a, b]\nstates:\n  s: [{when: x, then: '0', to: l}]\n"
UNION = _HEAD + "  l: [{when: a, then: '1', to: s}, {when: b, then: '2', to: s}]\n"
LEFT = _HEAD + "  l: [{when: a, then: '1', to: s}]\n"


def states_of(machine: Fsm) -> int:
    return prime(observable(relation_table(machine)).relation).relation.states


@pytest.mark.requirement("JUDGE-12")
@settings(max_examples=150, deadline=None)
@given(any_fsms(), any_fsms(), st.sampled_from(RELATIONS), st.booleans())
def test_verdicts_of_complete_runs_are_those_of_compare(model, other, relation, grey):
    try:
        with patch.object(import_module("fullproof.generate.finite.state_counting"), "TRACES_LIMIT", 2_000):
            suite = generate_suite(model, SuiteRequest(relation=relation, extra_states=0), sha256="", at=NOWHERE)
            tests = list(suite.tests())
    except UserError:
        assume(False)
    assume(sum(len(t.inputs) for t in tests) < 300)
    shows = relation in GREY_BOX or grey
    found, _ = verdict(model, other, tests, relation, grey=shows)
    conforms = conformance_to(model, CompareRequest(relation=relation)).conforms(other)
    # A system that refuses an input without saying so first has broken the contract of reduction's tests.
    if relation is Relation.REDUCTION and not shows:
        conforms = conforms and conformance_to(model, CompareRequest(relation=Relation.STRONG_REDUCTION)).conforms(
            other
        )
    if conforms:
        assert found is Verdict.PASS
    elif states_of(other) <= suite.states:
        assert found is not Verdict.PASS


@pytest.mark.parametrize(("other", "conforms"), [(MODEL, True), (UNION, True), (LEFT, False)])
@pytest.mark.parametrize("relation", ["strong-reduction", "quasi-reduction"])
def test_what_is_defined_after_a_trace_is_what_any_state_defines_that_it_may_have_reached(
    tmp_path, capsys, other, conforms, relation
):
    fullproof = Shell(capsys)
    mine, theirs = tmp_path / "model.yaml", tmp_path / "other.yaml"
    mine.write_text(MODEL)
    theirs.write_text(other)
    compared = fullproof("compare", mine, theirs, "--relation", relation, "--json")
    assert compared.json["conforms"] is conforms
    ran = fullproof("run", mine, "--sut", f"model:{theirs}", "--relation", relation, "--repeat", 5, "--json")
    assert ran.code == (0 if conforms else 1)
    assert ran.json["verdict"] == ("pass" if conforms else "fail")


def test_a_machine_that_is_not_observable_is_played_as_its_language():
    from random import Random

    from fullproof.kinds.fsm.player import FsmPlayer

    machine = Fsm(
        name="split",
        initial="s",
        states=("s", "l", "r"),
        inputs=("x", "a", "b"),
        outputs=("0", "1", "2"),
        transitions=(
            *(FsmTransition("s", "x", "0", "l"), FsmTransition("s", "x", "0", "r")),
            *(FsmTransition("l", "a", "1", "s"), FsmTransition("r", "b", "2", "s")),
        ),
    )
    player = FsmPlayer(machine, Random(1))
    for symbol, output in (("a", "1"), ("b", "2")) * 5:
        player.reset()
        assert player.step("x") == "0"
        assert player.enabled() == {"a", "b"}
        assert player.step(symbol) == output
        assert player.enabled() == {"x"}
