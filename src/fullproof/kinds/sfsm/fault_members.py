"""Members of a fault domain by name of a symbolic machine: which suites they survive, and which machines they are."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fullproof.artefacts.request import Relation
from fullproof.core.errors import NOWHERE, UserError
from fullproof.kinds.sfsm.fault_cells import CellMachine, cell_of
from fullproof.kinds.sfsm.named_faults import faults_asked, machine_for
from fullproof.language.printer import to_text
from fullproof.language.shallow_trees import conjunction
from fullproof.language.substitute import literal
from fullproof.language.syntax import Comparison, Name, Unary
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition

if TYPE_CHECKING:
    from fullproof.artefacts.request import SuiteRequest
    from fullproof.artefacts.suite import TestInput
    from fullproof.certify.answers import Certificate
    from fullproof.certify.mutation_machine import MutationMachine
    from fullproof.certify.seen_letters import SeenLetter
    from fullproof.kinds.kind import CompletenessAsked
    from fullproof.language.types import Value
    from fullproof.mutate.engine import Fault, ListedFaults

_SECONDS = 10.0
"""Seconds that stand for the solver's steps of one question."""


def certify_named_values(model: Sfsm, tests: Sequence[tuple[TestInput, ...]], asked: CompletenessAsked) -> Certificate:
    """Whether a suite of concrete inputs is complete for faults by name. Needs: some are named.

    An input need not be the one at which its pair is recognised: which expressions pass there is asked of the solver.
    """
    from fullproof.certify.answers import Complete, UndecidedCompleteness, up_to_tolerances
    from fullproof.certify.named_check import decided
    from fullproof.certify.seen_letters import LetterOracle
    from fullproof.certify.tree import maximal

    if asked.relation is not Relation.EQUIVALENCE:
        reason = f"faults by name are decided for equivalence, not for {asked.relation.value}"
        return UndecidedCompleteness(reason=reason)
    machine, domain = _domain(model, asked.faults or "", asked.extra_states)
    seen = _Letters(machine)
    words = [seen.word([symbol for symbol in test if isinstance(symbol, Mapping)]) for test in tests]
    if not seen.letters:
        seen.word([machine.chosen.inputs[0]])  # a suite without tests: the oracle needs an alphabet
    answer = decided(
        machine.fsm,
        lambda deadline: LetterOracle(domain, seen.letters, deadline=deadline),
        maximal(words),
        timeout=asked.seconds,
    )
    if seen.doubt and not isinstance(answer, Complete):
        return UndecidedCompleteness(reason=f"which outputs pass could not be decided exactly for {seen.doubt}")
    return up_to_tolerances(answer, model.outputs)


def _domain(model: Sfsm, text: str, extra_states: int) -> tuple[CellMachine, MutationMachine]:
    """The domain that the head of a suite has."""
    from fullproof.formats.document.named_faults import named_faults_of_text

    faults = named_faults_of_text(text, "the fault domain of the suite")
    machine, named = machine_for(model, faults, None, NOWHERE)
    return machine, machine.domain(named, extra_states, NOWHERE)


class _Letters:
    """The distinct inputs of a suite, and what passes at each of them."""

    def __init__(self, machine: CellMachine) -> None:
        self._machine = machine
        self._number: dict[tuple[object, ...], int | None] = {}
        self.letters: list[SeenLetter] = []
        self.doubt = ""
        """An input for which more may be taken to pass than does."""

    def word(self, inputs: Sequence[Mapping[str, Value]]) -> tuple[int, ...]:
        """A test as letters, as far as its inputs lie in cells."""
        found = []
        for values in inputs:
            number = self._letter(values)
            if number is None:
                break
            found.append(number)
        return tuple(found)

    def _letter(self, values: Mapping[str, Value]) -> int | None:
        from fullproof.certify.seen_letters import SeenLetter

        key = tuple(values[v.name] for v in self._machine.model.inputs)
        if key not in self._number:
            cell = cell_of(self._machine, values)
            self._number[key] = None if cell is None else len(self.letters)
            if cell is not None:
                self.letters.append(SeenLetter(cell, self._passing(cell, values)))
        return self._number[key]

    def _passing(self, cell: int, values: Mapping[str, Value]) -> dict[int, frozenset[int]]:
        """For each expression in a cell those that may answer alike at this input."""
        alphabet, chosen = self._machine.alphabet, self._machine.chosen
        pairs = [(k, pair.outputs[0]) for k, pair in enumerate(alphabet.pairs) if pair.cell == cell]
        everything = frozenset(output for _, output in pairs)
        found = {}
        for k, output in pairs:
            if values == chosen.inputs[chosen.chosen[k]] or chosen.serves(chosen.chosen[k], values):
                found[output] = frozenset({output})
            elif any(v.tolerance for v in self._machine.model.outputs):
                found[output], self.doubt = everything, str(dict(values))
            else:
                found[output] = self._alike(output, everything, values)
        return found

    def _alike(self, output: int, others: frozenset[int], values: Mapping[str, Value]) -> frozenset[int]:
        from fullproof.smt import Unknown, Unsat, open_solver

        expressions = self._machine.alphabet.alphabet.outputs
        solver = open_solver(self._machine.model.scope, timeout=_SECONDS)
        solver.add(*(Comparison((Name(name), literal(value)), ("==",)) for name, value in values.items()))
        solver.add(expressions[output])
        alike = {output}
        for other in sorted(others - alike):
            match solver.check_assuming(expressions[other]):
                case Unsat():
                    continue
                case Unknown():
                    self.doubt = str(dict(values))
                case _:
                    pass
            alike.add(other)
        return frozenset(alike)


def mutants_named(model: Sfsm, request: SuiteRequest) -> ListedFaults[Sfsm] | None:
    """The single faults of the domain, each in one cell or in all cells of a transition; None where none are named."""
    from fullproof.mutate.engine import ListedFaults

    faults = faults_asked(model, request)
    if faults is None:
        return None
    machine, named = machine_for(model, faults, request.timeout, NOWHERE)
    domain = machine.domain(named, 0, NOWHERE)
    return ListedFaults(
        lambda current: _faults(machine, domain, current),
        lambda one: (one.initial, frozenset((t.source, t.guard, t.output, t.target) for t in one.transitions)),
    )


def _faults(machine: CellMachine, domain: MutationMachine, current: Sfsm) -> Iterator[Fault[Sfsm]]:
    """Of transitions that are still right: a mutant of a higher order has several wrong ones."""
    from fullproof.mutate.engine import Fault

    whole: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for (s, c), target, output in domain.single_faults():
        if s < len(machine.fsm.states):
            whole[machine.parts[s][c], target, output].append(c)
    for (position, target, output), cells in whole.items():
        t = machine.model.transitions[position]
        if t not in current.transitions or target >= len(machine.fsm.states):
            continue  # a former state: mutants have the states of the model
        wrong = dataclasses.replace(
            t, target=machine.fsm.states[target], output=machine.alphabet.alphabet.outputs[output]
        )
        state = machine.fsm.states.index(t.source)
        own = [c for c, part in enumerate(machine.parts[state]) if part == position]
        groups = [own] if set(own) <= set(cells) else []
        groups += [[c] for c in cells if [c] != own]
        for group in groups:
            new = _split(machine, t, wrong, group, own)
            where = f"{t.source} --[{to_text(new[0].guard)}] / {to_text(t.output)}--> {t.target}"
            change = f"{to_text(wrong.output)}--> {wrong.target}"
            yield Fault(_operator(t, wrong), f"{where}: {change}", partial(_replaced, current, t, new))


def _operator(right: SfsmTransition, wrong: SfsmTransition) -> str:
    return "transfer" if right.output == wrong.output else "output" if right.target == wrong.target else "both"


def _split(
    machine: CellMachine, right: SfsmTransition, wrong: SfsmTransition, cells: Sequence[int], own: Sequence[int]
) -> list[SfsmTransition]:
    """The wrong transition in some cells, and the right one in the others."""
    if len(cells) == len(own):
        return [wrong]
    (cell,) = cells
    condition = machine.condition(cell)
    rest = conjunction((right.guard, Unary("not", condition)))
    return [dataclasses.replace(wrong, guard=condition), dataclasses.replace(right, guard=rest)]


def _replaced(model: Sfsm, old: SfsmTransition, new: Sequence[SfsmTransition]) -> Sfsm:
    rows = tuple(one for t in model.transitions for one in (new if t == old else [t]))
    return dataclasses.replace(model, transitions=rows)


def is_named_member(model: Sfsm, mutant: Sfsm, faults: str, extra_states: int) -> bool:
    """Whether a machine with the states of the model belongs to a fault domain by name; others are not looked at."""
    from fullproof.certify.machine import FlatMachine

    machine, domain = _domain(model, faults, extra_states)
    if mutant.initial != model.initial or set(mutant.states) != set(model.states):
        return False
    if mutant.description.constants != model.description.constants:
        return False
    try:
        rows = [
            [_way(machine, mutant, state, cell) for cell in range(len(machine.fsm.inputs))]
            for state in machine.fsm.states
        ]
    except UserError:
        return False
    extra = [[(0, min(domain.answers[c])) for c in range(len(machine.fsm.inputs))] for _ in range(extra_states)]
    former = [
        list(zip(*row, strict=True))
        for row in zip(domain.model.target[len(rows) :], domain.model.output[len(rows) :], strict=True)
    ]
    whole = [*rows, *former, *extra]
    return domain.holds(
        FlatMachine(
            tuple(tuple(target for target, _ in row) for row in whole),
            tuple(tuple(output for _, output in row) for row in whole),
        )
    )


def _way(machine: CellMachine, mutant: Sfsm, state: str, cell: int) -> tuple[int, int]:
    """Target and output of a machine in a cell; a UserError where it has none, or several."""
    from fullproof.smt import Unsat, open_solver

    alphabet = machine.alphabet
    inside = machine.condition(cell)
    found = set()
    for t in (t for t in mutant.transitions if t.source == state):
        answers = []
        for guard in (t.guard, Unary("not", t.guard)):
            solver = open_solver(machine.model.input_scope, timeout=_SECONDS)
            solver.add(inside, guard)
            answers.append(isinstance(solver.check(), Unsat))
        if answers == [True, False]:
            continue
        outputs = alphabet.alphabet.outputs
        shown = [p.outputs[0] for p in alphabet.pairs if p.cell == cell and t.output in [outputs[k] for k in p.outputs]]
        if answers[0] or not answers[1] or not shown:
            raise UserError("this machine has other guards or outputs")
        found.add((machine.fsm.states.index(t.target), shown[0]))
    if len(found) != 1:
        raise UserError("this machine is not deterministic, or not complete")
    return found.pop()
