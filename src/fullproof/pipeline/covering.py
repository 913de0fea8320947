"""Which requirements a test exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fullproof.artefacts.suite import TestInput
from fullproof.model import Fsm, Sfsm


def requirements_of(fsm: Fsm) -> Callable[[Sequence[TestInput]], tuple[str, ...]]:
    """A function from a word to the requirements of the transitions that it may take, in the order it meets them."""
    if not any(t.requirements for t in fsm.transitions):
        return lambda _word: ()
    moves: dict[tuple[str, TestInput], list[tuple[str, tuple[str, ...]]]] = {}
    for t in fsm.transitions:
        moves.setdefault((t.source, t.input), []).append((t.target, t.requirements))

    def covered(word: Sequence[TestInput]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        states = {fsm.initial}
        for symbol in word:
            steps = [step for state in sorted(states) for step in moves.get((state, symbol), ())]
            for _, requirements in steps:
                found.update(dict.fromkeys(requirements))
            states = {target for target, _ in steps}
        return tuple(found)

    return covered


def symbolic_requirements_of(
    model: Sfsm, *, properties: tuple[str, ...] = ()
) -> Callable[[Sequence[TestInput]], tuple[str, ...]]:
    """The same for a symbolic machine: the transitions whose guards admit the inputs, whatever is answered.

    ``properties`` are those that the suite is for: every test of it has its part in them.
    """
    if not any(t.requirements for t in model.transitions):
        return lambda _word: properties
    from fullproof.language.compile import compile_expression
    from fullproof.language.scope import Scope

    scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
    leaving = [(t, compile_expression(t.guard, scope)) for t in model.transitions]

    def covered(word: Sequence[TestInput]) -> tuple[str, ...]:
        found: dict[str, None] = dict.fromkeys(properties)
        states = {model.initial}
        for symbol in word:
            open_ = [t for t, guard in leaving if t.source in states and not isinstance(symbol, str) and guard(symbol)]
            for t in open_:
                found.update(dict.fromkeys(t.requirements))
            states = {t.target for t in open_}
        return tuple(found)

    return covered
