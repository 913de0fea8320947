"""What is written as SysML v2 reads back as the same machine, save that it has no chains of comparisons."""

from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.shared import REFERENCE, ROOT
from tests.strategies.models import any_names, statemachines

from fullproof.core.errors import UserError
from fullproof.formats import read_model, write_model
from fullproof.kinds.statemachine.timed_comparison import TimedConformance
from fullproof.language.syntax import (
    Binary,
    Call,
    Comparison,
    Conditional,
    Decimal,
    Expression,
    Integer,
    Temporal,
    Unary,
)
from fullproof.model import StateMachine
from fullproof.model.sts import Assignment

pytest.importorskip("sysmlpy")

from fullproof.formats.sysml.reader import read_sysml
from fullproof.formats.sysml.writer import sysml_lines


def written_out(node: Expression) -> Expression:
    """Chains as conjunctions, fractions as divisions, min and max of two."""
    match node:
        case Comparison():
            operands = [written_out(operand) for operand in node.operands]
            links = [
                Comparison((a, b), (sign,)) for a, sign, b in zip(operands, node.operators, operands[1:], strict=False)
            ]
            return reduce(lambda a, b: Binary("and", a, b), links[1:], links[0])
        case Decimal() if any(node.value.denominator % prime == 0 for prime in (3, 7, 11, 13)):
            return Binary("/", Integer(node.value.numerator), Integer(node.value.denominator))
        case Binary():
            return Binary(node.operator, written_out(node.left), written_out(node.right))
        case Unary():
            return Unary(node.operator, written_out(node.operand))
        case Call():
            arguments = [written_out(argument) for argument in node.arguments]
            if node.function in ("abs", "floor"):
                return Call(node.function, tuple(arguments))
            return reduce(lambda a, b: Call(node.function, (a, b)), arguments[1:], arguments[0])
        case Conditional():
            return Conditional(*(written_out(part) for part in (node.condition, node.then, node.otherwise)))
        case Temporal():
            raise AssertionError(node)
        case _:
            return node


def plain(model: StateMachine) -> StateMachine:
    transitions = tuple(
        replace(
            t,
            guard=written_out(t.guard),
            actions=tuple(Assignment(variable=a.variable, expression=written_out(a.expression)) for a in t.actions),
        )
        for t in model.transitions
    )
    return replace(model, transitions=transitions)


@given(statemachines(names=any_names))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_statemachine_reads_back(model: StateMachine) -> None:
    assume("\0" not in repr((model.name, model.states, model.signals_in, model.signals_out)).replace("\\x00", "\0"))
    text = "".join(sysml_lines(model))
    assert repr(plain(read_sysml(text, Path("m.sysml")))) == repr(plain(model)), text


@pytest.mark.parametrize(
    "path",
    [REFERENCE / "state-machine" / "figure1.yaml", *sorted((ROOT / "examples" / "statemachines").glob("*.yaml"))],
    ids=lambda path: path.stem,
)
def test_models_of_the_project_survive(path: Path, tmp_path: Path) -> None:
    model = read_model(path)
    assert isinstance(model, StateMachine)
    write_model(model, tmp_path / "copy.sysml")
    copy = read_model(tmp_path / "copy.sysml")
    assert isinstance(copy, StateMachine)
    if model.timers:
        assert TimedConformance(model).conforms(copy) is True
        return
    assert plain(copy) == plain(model)


def test_only_statemachines_are_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a \.sysml file cannot hold a model of kind sfsm, only of kind statemachine"):
        write_model(read_model(REFERENCE / "brake" / "brake.yaml"), tmp_path / "m.sysml")
    assert not list(tmp_path.iterdir())
