"""A small symbolic machine and another one: a faulty copy, a rewriting of the same language, or anything."""

import dataclasses

from hypothesis import strategies as st
from tests.strategies.sfsms import guards, numeric_outputs, sfsms

from fullproof.language.parser import parse_expression
from fullproof.language.syntax import Binary, Unary
from fullproof.model import Sfsm


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Sfsm, Sfsm]:
    """Draw both; most often they differ late or not at all, since those cases are the hard ones."""
    model = draw(sfsms())
    if draw(st.integers(0, 9)) == 0:
        return model, draw(sfsms())
    other = model
    for _ in range(draw(st.integers(0, 2))):
        other = draw(st.sampled_from([_faulty, _split_guard, _copied_state]))(draw, other)
    return model, other


def _faulty(draw: st.DrawFn, model: Sfsm) -> Sfsm:
    if not model.transitions:
        return model
    k = draw(st.integers(0, len(model.transitions) - 1))
    t = model.transitions[k]
    match draw(st.sampled_from(["guard", "output", "target", "gone"])):
        case "guard":
            new = (dataclasses.replace(t, guard=parse_expression(draw(guards))),)
        case "output":
            part = parse_expression(draw(numeric_outputs))
            new = (dataclasses.replace(t, output=Binary("and", t.output, part)),)
        case "target":
            new = (dataclasses.replace(t, target=draw(st.sampled_from(model.states))),)
        case _:
            new = ()
    return dataclasses.replace(model, transitions=(*model.transitions[:k], *new, *model.transitions[k + 1 :]))


def _split_guard(draw: st.DrawFn, model: Sfsm) -> Sfsm:
    """One transition as two, by whether a condition holds: the same language."""
    if not model.transitions:
        return model
    k = draw(st.integers(0, len(model.transitions) - 1))
    t, condition = model.transitions[k], parse_expression(draw(guards))
    halves = tuple(
        dataclasses.replace(t, guard=Binary("and", t.guard, part)) for part in (condition, Unary("not", condition))
    )
    return dataclasses.replace(model, transitions=(*model.transitions[:k], *halves, *model.transitions[k + 1 :]))


def _copied_state(draw: st.DrawFn, model: Sfsm) -> Sfsm:
    """One transition leads to a copy of its target: the same language."""
    if not model.transitions:
        return model
    k = draw(st.integers(0, len(model.transitions) - 1))
    copy = f"c{len(model.states)}"
    row = tuple(
        dataclasses.replace(t, source=copy) for t in model.transitions if t.source == model.transitions[k].target
    )
    moved = dataclasses.replace(model.transitions[k], target=copy)
    transitions = (*model.transitions[:k], moved, *model.transitions[k + 1 :], *row)
    return dataclasses.replace(model, states=(*model.states, copy), transitions=transitions)
