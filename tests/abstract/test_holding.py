"""Model checking of properties against all traces of small machines, value by value."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.class_machines import enumerated_machine, scope_of
from tests.oracles.symbolic import Enumerated, valuations
from tests.shared import ROOT
from tests.strategies.sfsms import sfsms

from fullproof.abstract.property_product import holding, sfsm_holding
from fullproof.artefacts.property_answers import Holding, Holds, Undecided, Violated
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.kinds.sfsm.properties import property_findings, require_holding
from fullproof.language import parse_formula
from fullproof.language.monitor import Monitor, monitor_of, valuation_of
from fullproof.language.propositions import atomic_propositions
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm
from fullproof.model.common import Property

BRAKE = ROOT / "tests/data/reference/brake"

_atoms = st.sampled_from(["x < 2", "y > 3", "e == O", "b", "y == x", "x % 2 == 0", "e > O and y < 9"])
formulas = st.one_of(
    st.builds("({}) W ({})".format, _atoms, _atoms),
    st.builds("({}) R ({})".format, _atoms, _atoms),
    st.builds("G({} -> X({}))".format, _atoms, _atoms),
    st.builds("G(({}) or ({}))".format, _atoms, _atoms),
    st.builds("X(X({})) or X({})".format, _atoms, _atoms),
    st.builds("G({} -> X({} or X(not ({}))))".format, _atoms, _atoms, _atoms),
    st.builds("({}) -> X(x > 9)".format, _atoms),
).map(parse_formula)


def shortest_bad_trace(model: Sfsm, monitor: Monitor) -> int | None:
    """The length of a shortest bad prefix, by all values of all steps."""
    letter = valuation_of(monitor, scope_of(model))
    table = Enumerated(model)
    steps = {s: [(letter(dict(x) | dict(y)), to) for (x, y), to in table.step(s)] for s in model.states}
    reached = {(model.initial, monitor.initial)}
    for length in range(len(model.states) * monitor.states + 1):
        if any(state == monitor.violated for _, state in reached):
            return length
        reached = {(to, monitor.step(m, v)) for s, m in reached for v, to in steps[s]}
    return None


def possible(model: Sfsm, formula: Expression) -> list[tuple[bool, ...]]:
    letter = valuation_of(monitor_of(formula), scope_of(model))
    return sorted({letter(values) for values in valuations((*model.inputs, *model.outputs))})


@given(sfsms(), formulas)
@settings(max_examples=60, deadline=None)
def test_answers_are_those_of_all_values(model: Sfsm, formula: Expression) -> None:
    monitor = monitor_of(formula, possible=possible(model, formula))
    length = shortest_bad_trace(model, monitor)
    machine = enumerated_machine(model, atomic_propositions(formula))
    for answer in (sfsm_holding(model, formula, timeout=None), holding(machine, formula)):
        if length is None:
            assert answer == Holds()
        else:
            assert isinstance(answer, Violated)
            assert len(answer.trace) == length
            _is_a_bad_trace(model, answer, monitor)


def _is_a_bad_trace(model: Sfsm, answer: Violated, monitor: Monitor) -> None:
    table = Enumerated(model)
    assert answer.states[0] == model.initial
    inputs, outputs = ([v.name for v in vs] for vs in (model.inputs, model.outputs))
    for values, source, target in zip(answer.trace, answer.states, answer.states[1:], strict=False):
        pair = tuple(tuple((name, values[name]) for name in names) for names in (inputs, outputs))
        assert (pair, target) in table.step(source)
    assert len(answer.states) == len(answer.trace) + 1
    letter = valuation_of(monitor, scope_of(model))
    assert monitor.run(letter(values) for values in answer.trace) == len(answer.trace)


def _model(path: Path) -> Sfsm:
    model = read_model(path)
    assert isinstance(model, Sfsm)
    return model


def _answers(file: str) -> dict[str, Holding]:
    properties = _model(BRAKE / "brake.yaml").description.properties
    return {p.name: sfsm_holding(_model(BRAKE / file), p.formula, timeout=60) for p in properties}


def test_brake_satisfies_its_properties() -> None:
    assert _answers("brake.yaml") == {"R1": Holds(), "R2": Holds()}


def test_ibrake_violates_the_second() -> None:
    """THEORY.md: 201 then 190."""
    answers = _answers("ibrake.yaml")
    assert answers["R1"] == Holds()
    violated = answers["R2"]
    assert isinstance(violated, Violated)
    first, second = violated.trace
    assert first["x"] > 200
    assert first["y"] >= 1.9
    assert (second["x"], second["y"]) == (190, 0)
    assert violated.states == ("s0", "s2", "s0")


def _stating(tmp_path: Path, formula: str) -> Sfsm:
    path = tmp_path / "model.yaml"
    path.write_text(
        "machine: sfsm\nname: m\ninputs: {x: real}\noutputs: {y: real 0..}\ninitial: s\nstates:\n"
        "  s:\n    - {when: x >= 0, then: y == x, to: t}\n    - {when: x < 0, then: y == 0, to: s}\n"
        "  t:\n    - {when: true, then: y * y == x * x + 1, to: s}\n"
        f"properties:\n  P: '{formula}'\n"
    )
    return _model(path)


def test_a_solver_that_cannot_tell_leaves_a_doubt(tmp_path: Path) -> None:
    model = _stating(tmp_path, "G(y >= 0)")
    formula = model.description.properties[0].formula
    answer = sfsm_holding(model, formula, timeout=0)
    assert isinstance(answer, Undecided)
    assert "can be satisfied" in answer.reason
    assert [f.rule for f in property_findings(_model(BRAKE / "brake.yaml"))] == ["property-holds"] * 2
    stated = model.description.properties
    doubts = require_holding(stated, lambda p: sfsm_holding(model, p.formula, timeout=0), at=stated[0].at)
    assert doubts == {"P": answer.reason}


def test_doubts_that_do_not_matter_are_none(tmp_path: Path) -> None:
    """Whatever the solver thinks of the hard transition: no step at all violates the formula."""
    model = _stating(tmp_path, "G(x < 0 or X(y > 1 or not y > 1))")
    assert sfsm_holding(model, model.description.properties[0].formula, timeout=0) == Holds()


def test_a_formula_that_nothing_satisfies(tmp_path: Path) -> None:
    model = _stating(tmp_path, "X(x < 0 and x > 1)")
    answer = sfsm_holding(model, model.description.properties[0].formula, timeout=60)
    assert answer == Violated((), ("s",))
    (finding,) = property_findings(model)
    assert finding.rule == "property-violated"
    assert "nothing satisfies" in finding.message


def test_a_model_that_violates_its_own_property_is_refused() -> None:
    model = _model(BRAKE / "ibrake.yaml")
    properties = _model(BRAKE / "brake.yaml").description.properties

    def decide(stated: Property) -> Holding:
        return sfsm_holding(model, stated.formula, timeout=60)

    assert require_holding(properties[:1], decide, at=properties[0].at) == {}
    with pytest.raises(UserError, match=r"violates its own property R2.*x = 201, y = 2.01; x = 190, y = 0"):
        require_holding(properties, decide, at=properties[0].at)
