"""Mutants of symbolic machines: the faults that the fault domain of paper 000, section 2.3, admits.

Guards and outputs are replaced by others of the alphabets, transitions are redirected, removed and added, and a state
is split in two where an extra state is allowed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import product

from fullproof.language.printer import to_text
from fullproof.language.syntax import Expression
from fullproof.model.sfsm import Sfsm, SfsmTransition
from fullproof.mutate.engine import Fault, ListedFaults, name_of_copy


class SfsmOperator(Enum):
    """The kinds of faults."""

    GUARD = "guard"
    OUTPUT = "output"
    TRANSFER = "transfer"
    REMOVE = "remove"
    ADD = "add"
    SPLIT = "split"


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultAlphabet:
    """The guards and outputs that a mutant may use."""

    guards: tuple[Expression, ...]
    outputs: tuple[Expression, ...]


def fault_alphabet(
    model: Sfsm, *, guards: tuple[Expression, ...] = (), outputs: tuple[Expression, ...] = ()
) -> FaultAlphabet:
    """The guards and outputs of the model and of its fault domain, and the additional ones, each once."""
    domain = model.description.fault_domain
    return FaultAlphabet(
        guards=tuple(dict.fromkeys((*(t.guard for t in model.transitions), *domain.guards, *guards))),
        outputs=tuple(dict.fromkeys((*(t.output for t in model.transitions), *domain.outputs, *outputs))),
    )


def sfsm_faults(model: Sfsm, alphabet: FaultAlphabet, *, extra_states: int = 0) -> ListedFaults[Sfsm]:
    """The faults of a symbolic machine.

    With ``extra_states`` a transition may lead to a copy of its target that has a fault. Mutants need not be complete,
    deterministic or observable.
    """
    bound = len(model.states) + extra_states
    return ListedFaults(
        lambda machine: _faults(machine, alphabet, bound),
        _identity,
        lambda machine: _count(machine, alphabet, split=extra_states > 0),
    )


def _identity(model: Sfsm) -> Hashable:
    return model.initial, frozenset((t.source, t.guard, t.output, t.target) for t in model.transitions)


def _arrow(t: SfsmTransition) -> str:
    return f"{t.source} --[{to_text(t.guard)}] / {to_text(t.output)}--> {t.target}"


def _count(model: Sfsm, alphabet: FaultAlphabet, *, split: bool) -> int:
    guards, outputs, states = len(alphabet.guards), len(alphabet.outputs), len(model.states)
    single = guards + outputs + states
    rows = {state: sum(t.source == state for t in model.transitions) for state in model.states}
    copies = sum(rows[t.target] for t in model.transitions) * single if split else 0
    return len(model.transitions) * single + states * guards * outputs * states + copies


def _faults(model: Sfsm, alphabet: FaultAlphabet, bound: int) -> Iterator[Fault[Sfsm]]:
    for k, t in enumerate(model.transitions):
        for operator, change, changed in _changes(t, alphabet, model.states):
            yield Fault(operator.value, f"{_arrow(t)}: {change}", partial(_replaced, model, k, changed))
    for k, t in enumerate(model.transitions):
        yield Fault(SfsmOperator.REMOVE.value, _arrow(t), partial(_replaced, model, k))
    yield from _additions(model, alphabet)
    if len(model.states) < bound:
        yield from _splits(model, alphabet)


def _changes(
    t: SfsmTransition, alphabet: FaultAlphabet, states: tuple[str, ...]
) -> Iterator[tuple[SfsmOperator, str, SfsmTransition]]:
    for guard in alphabet.guards:
        if guard != t.guard:
            yield SfsmOperator.GUARD, f"guard {to_text(guard)}", dataclasses.replace(t, guard=guard)
    for output in alphabet.outputs:
        if output != t.output:
            yield SfsmOperator.OUTPUT, f"output {to_text(output)}", dataclasses.replace(t, output=output)
    for state in states:
        if state != t.target:
            yield SfsmOperator.TRANSFER, f"to {state}", dataclasses.replace(t, target=state)


def _replaced(model: Sfsm, position: int, *new: SfsmTransition) -> Sfsm:
    """Replace one transition by others; existing transitions are not duplicated."""
    transitions = (*model.transitions[:position], *new, *model.transitions[position + 1 :])
    return dataclasses.replace(model, transitions=tuple(dict.fromkeys(transitions)))


def _additions(model: Sfsm, alphabet: FaultAlphabet) -> Iterator[Fault[Sfsm]]:
    for source, guard, output, target in product(model.states, alphabet.guards, alphabet.outputs, model.states):
        t = SfsmTransition(source=source, guard=guard, output=output, target=target)
        make = partial(dataclasses.replace, model, transitions=(*model.transitions, t))
        yield Fault(SfsmOperator.ADD.value, _arrow(t), make)


def _splits(model: Sfsm, alphabet: FaultAlphabet) -> Iterator[Fault[Sfsm]]:
    """One transition leads to a faulty copy of its target."""
    for k, t in enumerate(model.transitions):
        row = [u for u in model.transitions if u.source == t.target]
        for u in row:
            where = f"{_arrow(t)}: to a copy of {t.target} with {_arrow(u)}"
            for _, change, changed in _changes(u, alphabet, model.states):
                yield Fault(SfsmOperator.SPLIT.value, f"{where}: {change}", partial(_split, model, k, u, (changed,)))
            yield Fault(SfsmOperator.SPLIT.value, f"{where}: removed", partial(_split, model, k, u, ()))


def _split(model: Sfsm, position: int, original: SfsmTransition, changed: tuple[SfsmTransition, ...]) -> Sfsm:
    copy = name_of_copy(original.source, model.states)
    moved = dataclasses.replace(model.transitions[position], target=copy)
    row = [
        new for u in model.transitions if u.source == original.source for new in (changed if u == original else (u,))
    ]
    copies = (dataclasses.replace(u, source=copy) for u in row)
    transitions = (*model.transitions[:position], moved, *model.transitions[position + 1 :], *copies)
    return dataclasses.replace(model, states=(*model.states, copy), transitions=tuple(dict.fromkeys(transitions)))
