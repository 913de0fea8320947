"""Model checking of properties: the product of a machine and an automaton of the formula.

Safety formulas: the bad-prefix monitor. Paper 000, section 4.2: M satisfies phi iff no trace of M is abstracted by
omega to a bad prefix of phi. All others: the Büchi automaton of the negation, over the infinite traces of M.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from fullproof.abstract.alphabet import scope_of
from fullproof.abstract.budget import PathSolver, SolverBudget
from fullproof.abstract.propositions import PropositionValuations, valuations_within
from fullproof.analysis.lasso import MachineStep, accepting_lasso
from fullproof.artefacts.abstraction import ClassMachine
from fullproof.artefacts.property_answers import Holding, Holds, Undecided, Violated
from fullproof.core.errors import Bug
from fullproof.language.buchi import Buchi
from fullproof.language.compile import compile_expression
from fullproof.language.monitor import FormulaTooLarge, Monitor, monitor_of
from fullproof.language.printer import to_text
from fullproof.language.propositions import atomic_propositions
from fullproof.language.safety import offending_operator
from fullproof.language.syntax import Expression, Unary
from fullproof.language.types import Value
from fullproof.model import Sfsm


class PossibleStep(NamedTuple):
    """A step that a machine can make: the atoms that hold in it, its target, and values as a witness.

    ``doubt`` says why a solver could not decide whether the step exists; then ``witness`` is empty.
    """

    valuation: tuple[bool, ...]
    target: int
    witness: Mapping[str, Value]
    doubt: str = ""


Ways: TypeAlias = Sequence[Sequence[PossibleStep]]
"""For each state."""


class _Found(NamedTuple):
    """Steps of a trace that violates a formula; those from position ``loop`` on repeat for ever."""

    ways: tuple[PossibleStep, ...]
    loop: int | None = None


def holding(machine: ClassMachine, formula: Expression) -> Holding:
    """Check a machine over classes. Needs: the atoms of the formula are among the propositions of its alphabet."""
    alphabet, classes = machine.classes.alphabet, machine.classes.classes
    places = {atom: place for place, atom in enumerate(alphabet.propositions)}
    wanted = [places[atom] for atom in atomic_propositions(formula)]
    letters = [tuple(class_.propositions[place] for place in wanted) for class_ in classes]
    ways = [
        [PossibleStep(letters[c], target, classes[c].witness) for c, targets in enumerate(row) for target in targets]
        for row in machine.after
    ]
    undecided = machine.classes.undecided
    answer = _answer(formula, None if undecided else letters, ways, machine.initial, machine.states)
    if undecided and isinstance(answer, Holds):
        expression, reason = undecided[0]
        return Undecided(f"whether {to_text(expression)} can be satisfied: {reason}")
    return answer


def sfsm_holding(model: Sfsm, formula: Expression, *, timeout: float | None) -> Holding:
    """Check a symbolic machine without its classes: for each transition, which valuations of the atoms it allows.

    For the formula this abstraction is equivalent, at a cost that grows with the transitions and not with the classes.
    ``timeout`` is the budget of all queries to the solver together, in seconds. A violating trace has been replayed in
    the model by exact evaluation.
    """
    scope, atoms = scope_of(model), atomic_propositions(formula)
    asking = PathSolver(scope, SolverBudget(timeout))
    possible = valuations_within((), atoms, scope, asking).certain  # first: hard transitions may take all the time
    number = {state: k for k, state in enumerate(model.states)}
    ways: list[list[PossibleStep]] = [[] for _ in model.states]
    known: dict[tuple[Expression, Expression], PropositionValuations] = {}
    for t in model.transitions:
        allowed = known.get((t.guard, t.output)) or valuations_within((t.guard, t.output), atoms, scope, asking)
        known[t.guard, t.output] = allowed
        ways[number[t.source]] += [PossibleStep(v.signs, number[t.target], v.witness, v.doubt) for v in allowed.found]
    answer = _answer(formula, possible, ways, number[model.initial], model.states)
    if isinstance(answer, Violated):
        _replay(model, answer)
    lost = next((allowed.lost for allowed in known.values() if allowed.lost), "")
    return Undecided(lost) if lost and isinstance(answer, Holds) else answer


def _answer(
    formula: Expression, possible: Sequence[tuple[bool, ...]] | None, ways: Ways, initial: int, names: Sequence[str]
) -> Holding:
    try:
        search = _search(formula, possible)
        sure = search([[way for way in row if not way.doubt] for row in ways], initial)
        if sure is not None:
            states = (initial, *(way.target for way in sure.ways))
            return Violated(tuple(way.witness for way in sure.ways), tuple(names[s] for s in states), sure.loop)
        doubtful = search(ways, initial)
    except FormulaTooLarge as large:
        return Undecided(large.message)
    if doubtful is None:
        return Holds()
    return Undecided(next(way.doubt for way in doubtful.ways if way.doubt))


def _search(formula: Expression, possible: Sequence[tuple[bool, ...]] | None) -> Callable[[Ways, int], _Found | None]:
    """The search function for a trace that violates a formula."""
    if offending_operator(formula) is None:
        monitor = monitor_of(formula, possible=possible)
        return lambda ways, initial: _shortest(ways, initial, monitor)
    automaton = Buchi(Unary("not", formula))
    return lambda ways, initial: _endless(ways, initial, automaton)


def _endless(ways: Ways, initial: int, automaton: Buchi) -> _Found | None:
    lasso = accepting_lasso(
        initial, lambda state: (MachineStep(way.target, way.valuation, way) for way in ways[state]), automaton
    )
    return None if lasso is None else _Found((*lasso.stem, *lasso.loop), len(lasso.stem))


def _shortest(ways: Ways, initial: int, monitor: Monitor) -> _Found | None:
    """Breadth first through pairs of states to a shortest trace that the monitor calls violated."""
    start = (initial, monitor.initial)
    if monitor.initial == monitor.violated:
        return _Found(())
    before: dict[tuple[int, int], tuple[tuple[int, int], PossibleStep] | None] = {start: None}
    queue = [start]
    for node in queue:  # grows while it is read
        for way in ways[node[0]]:
            target = (way.target, monitor.step(node[1], way.valuation))
            if target in before:
                continue
            before[target] = (node, way)
            if target[1] == monitor.violated:
                return _Found(tuple(_back(before, target))[::-1])
            queue.append(target)
    return None


def _back(
    before: Mapping[tuple[int, int], tuple[tuple[int, int], PossibleStep] | None], node: tuple[int, int]
) -> Iterator[PossibleStep]:
    step = before[node]
    while step is not None:
        yield step[1]
        step = before[step[0]]


def _replay(model: Sfsm, answer: Violated) -> None:
    scope = scope_of(model)
    for values, source, target in zip(answer.trace, answer.states, answer.states[1:], strict=False):
        if not any(
            (t.source, t.target) == (source, target)
            and compile_expression(t.guard, scope)(values)
            and compile_expression(t.output, scope)(values)
            for t in model.transitions
        ):
            raise Bug(f"the step {dict(values)} from {source} to {target} does not exist in model {model.name}")
