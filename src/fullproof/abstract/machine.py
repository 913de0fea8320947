"""The finite machine behind a symbolic one."""

from __future__ import annotations

from fullproof.artefacts.abstraction import ClassMachine, IoClasses
from fullproof.core.errors import Bug
from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.model import Sfsm


def class_machine(model: Sfsm, classes: IoClasses) -> ClassMachine:
    """The machine over classes: paper 000, section 5.2 and Table 2.6.

    From state s, class c may lead to t iff guard and output expression of some transition from s to t hold in c: all
    members of a class agree on that. Needs: every guard and output expression of the model is in the alphabet, as it is
    for the model that the alphabet was made for and for every machine of its fault domain.
    """
    guards = {expression: k for k, expression in enumerate(classes.alphabet.guards)}
    outputs = {expression: k for k, expression in enumerate(classes.alphabet.outputs)}
    number = {state: k for k, state in enumerate(model.states)}
    leaving: list[list[tuple[int, int, int]]] = [[] for _ in model.states]
    for t in model.transitions:
        steps = leaving[number[t.source]]
        steps.append((_position(t.guard, guards), _position(t.output, outputs), number[t.target]))
    return ClassMachine(
        states=model.states,
        initial=number[model.initial],
        classes=classes,
        after=tuple(
            tuple(
                tuple(sorted({target for guard, output, target in steps if c.guards[guard] and c.outputs[output]}))
                for c in classes.classes
            )
            for steps in leaving
        ),
    )


def defined_classes(model: Sfsm, classes: IoClasses) -> tuple[tuple[bool, ...], ...]:
    """For each state and class, whether some guard of the state admits the inputs of the class.

    Inputs that none admits are undefined there. All members of a class agree on that, outputs play no part.
    """
    guards = {expression: k for k, expression in enumerate(classes.alphabet.guards)}
    admitting = [[_position(t.guard, guards) for t in model.transitions if t.source == state] for state in model.states]
    return tuple(tuple(any(c.guards[guard] for guard in own) for c in classes.classes) for own in admitting)


def _position(expression: Expression, known: dict[Expression, int]) -> int:
    if expression not in known:
        raise Bug(f"{to_text(expression)} is not in the alphabet of these classes")
    return known[expression]
