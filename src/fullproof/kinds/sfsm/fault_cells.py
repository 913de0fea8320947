"""The finite machine over guard cells that faults by name of a symbolic machine are about.

A cell is a set of inputs that no guard distinguishes, a pair an output expression in a cell (paper 000, Part II). The
alphabets must be separable: then one input of a cell shows which expression a system uses there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullproof.artefacts.abstraction import SymbolicAlphabet
from fullproof.core.errors import Place, UserError
from fullproof.kinds.sfsm.question import TIMEOUT, no_answer, values_text
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.shallow_trees import conjunction
from fullproof.language.syntax import Expression, Unary
from fullproof.language.type_inference import expect_boolean
from fullproof.model import Fsm, Sfsm
from fullproof.model.fsm import FsmTransition
from fullproof.model.named_faults import NamedFaults
from fullproof.model.sfsm import SfsmTransition

if TYPE_CHECKING:
    from fullproof.certify.mutation_machine import MutationMachine
    from fullproof.generate.symbolic.pairs import PairAlphabet
    from fullproof.generate.symbolic.separability import Distinguishing
    from fullproof.language.types import Value

_EACH = 10.0
"""Seconds that stand for the solver's steps of one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedExpressions:
    """The faults that were asked for, and the expressions by which they name inputs and outputs."""

    faults: NamedFaults
    guards: Mapping[str, Expression]
    outputs: Mapping[str, Expression]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellMachine:
    """``fsm`` has the states of the model, an input for each cell and an output for each expression.

    ``pairs[s][c]`` is the model's pair in a state, by the order of the finite machine, and ``parts[s][c]`` the position
    of the transition that it belongs to.
    """

    model: Sfsm
    fsm: Fsm
    alphabet: PairAlphabet
    chosen: Distinguishing
    pairs: tuple[tuple[int, ...], ...]
    parts: tuple[tuple[int, ...], ...]
    said: tuple[tuple[frozenset[int], ...], ...]
    """The output expressions of the model: one that is the same in a cell may be another one in other cells."""

    def where(self, condition: Expression) -> tuple[int, ...]:
        """The cells in which a guard of the alphabet holds."""
        position = self.alphabet.alphabet.guards.index(condition)
        return tuple(c for c, signs in enumerate(self.alphabet.cells) if signs[position])

    def in_words_of(self, other: CellMachine) -> Fsm:
        """The finite machine with the names of inputs and outputs that another one over the same expressions has."""
        cells = {}
        for name, points in zip(self.fsm.inputs, self.alphabet.guard_cells.points, strict=True):
            cells[name] = cell_of(other, points[0])
        rows = []
        for t in self.fsm.transitions:
            output, cell = other.fsm.outputs.index(t.output), cells[t.input]
            pair = next(p for p in other.alphabet.pairs if p.cell == cell and output in p.outputs)
            rows.append(t._replace(input=other.fsm.inputs[pair.cell], output=other.fsm.outputs[pair.outputs[0]]))
        return dataclasses.replace(
            self.fsm, inputs=other.fsm.inputs, outputs=other.fsm.outputs, transitions=tuple(rows)
        )

    def condition(self, cell: int) -> Expression:
        """A short condition that holds in this cell and in no other one."""
        guards, cells = self.alphabet.alphabet.guards, self.alphabet.cells
        wanted, kept = cells[cell], list(range(len(guards)))
        for position in sorted(kept, key=lambda k: (wanted[k], -k)):
            fewer = [k for k in kept if k != position]
            if all(other == wanted or any(other[k] != wanted[k] for k in fewer) for other in cells):
                kept = fewer
        return conjunction(guards[k] if wanted[k] else Unary("not", guards[k]) for k in kept)

    def domain(self, named: NamedExpressions, extra: int, at: Place) -> MutationMachine:
        """The mutation machine over the cells."""
        from fullproof.certify.mutation_machine import mutation_machine

        shown: list[dict[int, int]] = [{} for _ in self.alphabet.cells]
        for pair in self.alphabet.pairs:
            shown[pair.cell].update(dict.fromkeys(pair.outputs, pair.outputs[0]))
        parts = {(s, c): part for s, row in enumerate(self.parts) for c, part in enumerate(row)}
        try:
            translated = self._translated(named)
            return mutation_machine(self.fsm, translated, extra=extra, shown=shown, said=self.said, parts=parts)
        except UserError as error:
            raise UserError(error.message, at=at if not str(error.at) else error.at) from None

    def _translated(self, named: NamedExpressions) -> NamedFaults:
        """The same faults in the names of the finite machine."""
        faults, inputs = named.faults, self.fsm.inputs
        cells = {text: [inputs[c] for c in self.where(guard)] for text, guard in named.guards.items()}
        for text, found in cells.items():
            if not found:
                raise UserError(f"no input satisfies {text}", at=faults.at("input", text))
        said = {text: to_text(output) for text, output in named.outputs.items()}
        number = {cell: k for k, cell in enumerate(inputs)}
        return dataclasses.replace(
            faults,
            former=tuple(
                t._replace(input=one, output=self._shown_as(number[one], said[t.output]))
                for t in faults.former
                for one in cells[t.input]
            ),
            inputs=tuple(dict.fromkeys(one for text in faults.inputs for one in cells[text])),
            transitions=None
            if faults.transitions is None
            else tuple((state, one) for state, text in faults.transitions for one in cells[text]),
            alternatives=tuple(
                dataclasses.replace(listed, input=one, outputs=tuple(said[text] for text in listed.outputs))
                for listed in faults.alternatives
                for one in cells[listed.input]
            ),
        )

    def _shown_as(self, cell: int, output: str) -> str:
        """The name of an output expression in a cell, where several may be the same."""
        number = self.fsm.outputs.index(output)
        found = next(
            (pair for pair in self.alphabet.of_cell(cell) if number in self.alphabet.pairs[pair].outputs), None
        )
        if found is None:
            raise UserError(f"a former state answers {output}, which is impossible for {self.fsm.inputs[cell]}")
        return self.fsm.outputs[self.alphabet.pairs[found].outputs[0]]


def expressions_of(model: Sfsm, faults: NamedFaults) -> NamedExpressions:
    """Read the conditions and output expressions by which faults name inputs and outputs of the model."""
    listed = faults.alternatives
    inputs = [*faults.inputs, *(one.input for one in listed), *(text for _, text in faults.transitions or ())]
    inputs += [t.input for t in faults.former]
    outputs = [*(text for one in listed for text in one.outputs), *(t.output for t in faults.former)]
    return NamedExpressions(
        faults=faults,
        guards={text: _parsed(model, faults, "input", text) for text in dict.fromkeys(inputs)},
        outputs={text: _parsed(model, faults, "output", text) for text in dict.fromkeys(outputs)},
    )


def _parsed(model: Sfsm, faults: NamedFaults, what: str, text: str) -> Expression:
    at = faults.at(what, text)
    expression = parse_expression(text, at=at)
    try:
        expect_boolean(expression, model.input_scope if what == "input" else model.scope)
    except UserError as error:
        raise UserError(error.message, at=error.at if str(error.at) else at) from None
    return expression


def cell_machine(
    model: Sfsm, *, guards: Iterable[Expression], outputs: Iterable[Expression], timeout: float | None, at: Place
) -> CellMachine:
    """The machine over the cells of the model's guards and further ones.

    A model without separable alphabets, or with several reactions to an input, is a UserError.
    """
    from fullproof.abstract.alphabet import alphabet_of

    excluded = [(pair.guard, pair.output) for pair in model.description.fault_domain.excluded]
    asked = alphabet_of(model, guards=(*guards, *(guard for guard, _ in excluded)), outputs=tuple(outputs))
    alphabet, chosen = _separated(model, asked, excluded, timeout, at)
    states = (model.initial, *(s for s in model.states if s != model.initial))
    number = {state: k for k, state in enumerate(states)}
    cells = [values_text(points[0]) for points in alphabet.guard_cells.points]
    says = [to_text(output) for output in alphabet.alphabet.outputs]
    pairs, parts, said, rows = [], [], [], list[FsmTransition]()
    for state in states:
        found = [_reaction(model, alphabet, state, cell, at) for cell in range(len(cells))]
        pairs.append(tuple(pair for pair, _, _ in found))
        parts.append(tuple(part for _, part, _ in found))
        said.append(tuple(_written(model, alphabet, state, cell) for cell in range(len(cells))))
        rows += [
            FsmTransition(state, cells[c], says[alphabet.pairs[pair].outputs[0]], states[number[target]])
            for c, (pair, _, target) in enumerate(found)
        ]
    fsm = Fsm(
        name=model.name,
        initial=model.initial,
        states=states,
        inputs=tuple(cells),
        outputs=tuple(says),
        transitions=tuple(rows),
    )
    return CellMachine(
        model=model, fsm=fsm, alphabet=alphabet, chosen=chosen, pairs=tuple(pairs), parts=tuple(parts), said=tuple(said)
    )


def _separated(
    model: Sfsm,
    asked: SymbolicAlphabet,
    excluded: Sequence[tuple[Expression, Expression]],
    timeout: float | None,
    at: Place,
) -> tuple[PairAlphabet, Distinguishing]:
    """The cells with their pairs, and an input at which each pair is recognised."""
    from fullproof.abstract.budget import steps_for
    from fullproof.abstract.cells import guard_cells, rounder_inputs
    from fullproof.analysis.symbolic.completeness import Unanswered, unanswered
    from fullproof.artefacts.request import Relation
    from fullproof.generate.symbolic.distinguishing_inputs import distinguishing_function
    from fullproof.generate.symbolic.pairs import pair_alphabet
    from fullproof.generate.symbolic.separability import NotSeparable

    gap = unanswered(model, timeout=_EACH)
    if isinstance(gap, Unanswered):
        raise no_answer(gap.state, gap.inputs, Relation.REDUCTION, at=at)
    cells = guard_cells(model, asked, budget=steps_for(TIMEOUT, timeout=timeout))
    alphabet = pair_alphabet(model, cells, excluded=excluded, timeout=_EACH)
    chosen = distinguishing_function(model, alphabet, timeout=_EACH, beside=rounder_inputs(model))
    if isinstance(chosen, NotSeparable):
        raise UserError(f"faults by name are for separable alphabets: {chosen.text()}", at=at)
    open_ = [formula for formula, _ in (*gap, *alphabet.undecided)]
    if open_:
        what = f"the solver could not decide whether {to_text(open_[0])} can be satisfied"
        raise UserError(f"faults by name need all answers: {what}", at=at)
    return alphabet, chosen


def _reaction(model: Sfsm, alphabet: PairAlphabet, state: str, cell: int, at: Place) -> tuple[int, int, str]:
    """The pair, the position of the transition and the target in a cell."""
    found = list(dict.fromkeys((pair, t.target) for pair, _, t in _reactions(model, alphabet, state, cell)))
    if len(found) != 1:
        what = "several reactions" if found else "no reaction"
        where = values_text(alphabet.guard_cells.points[cell][0])
        raise UserError(f"faults by name are for deterministic machines: state {state} has {what} to {where}", at=at)
    pair, position, t = next(_reactions(model, alphabet, state, cell))
    return pair, position, t.target


def _written(model: Sfsm, alphabet: PairAlphabet, state: str, cell: int) -> frozenset[int]:
    """The output expressions of the transitions in a cell."""
    outputs = alphabet.alphabet.outputs
    return frozenset(outputs.index(t.output) for _, _, t in _reactions(model, alphabet, state, cell))


def _reactions(model: Sfsm, alphabet: PairAlphabet, state: str, cell: int) -> Iterator[tuple[int, int, SfsmTransition]]:
    guards = {expression: k for k, expression in enumerate(alphabet.alphabet.guards)}
    outputs = {expression: k for k, expression in enumerate(alphabet.alphabet.outputs)}
    for position, t in enumerate(model.transitions):
        if t.source == state and alphabet.cells[cell][guards[t.guard]]:
            for pair in alphabet.of_cell(cell):
                if outputs[t.output] in alphabet.pairs[pair].outputs:
                    yield pair, position, t


def cell_of(machine: CellMachine, values: Mapping[str, Value]) -> int | None:
    """The cell of an input; None where it lies in none, as one that breaks an assumption may."""
    from fullproof.language.compile import compile_expression

    scope = machine.model.input_scope
    signs = tuple(compile_expression(guard, scope)(values) is True for guard in machine.alphabet.alphabet.guards)
    return machine.alphabet.cells.index(signs) if signs in machine.alphabet.cells else None
