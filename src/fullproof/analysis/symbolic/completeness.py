"""Whether every state of a symbolic machine has an answer to every input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullproof.language.equations import solved_for
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name, Unary
from fullproof.language.types import BoolType, EnumType, RealType, Value, Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Sat, Unknown, Unsat, open_solver, pushed


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A state, and inputs to which it has no answer."""

    state: str
    inputs: Mapping[str, Value]


def unanswered(model: Sfsm, *, timeout: float | None = 10.0) -> Unanswered | tuple[tuple[Expression, str], ...]:
    """The first state without an answer to some input, or the formulas that the solver could not decide.

    Answers that are equations without bounds exist wherever their guard holds; only for the others is a quantified
    query needed on whether outputs exist.
    """
    solver = open_solver(model.input_scope, timeout=timeout)
    open_: list[tuple[Expression, str]] = []
    for state in model.states:
        row = [t for t in model.transitions if t.source == state]
        sure = [t.guard for t in row if _always_answers(model, t)]
        rest = [t for t in row if not _always_answers(model, t)]
        bound = [Variable(name=v.name + "'", type=v.type) for v in model.outputs]
        names: dict[str, Expression] = {v.name: Name(b.name) for v, b in zip(model.outputs, bound, strict=True)}
        never = conjunction(Unary("not", substitute(conjunction((t.guard, t.output)), names)) for t in rest)
        with pushed(solver):
            solver.add(Unary("not", disjunction(sure)))
            answer = solver.check()
            if isinstance(answer, Sat) and rest:
                answer = solver.check_exists_forall((), bound, never)
        match answer:
            case Sat(values):
                return Unanswered(state, {v.name: values[v.name] for v in model.inputs})
            case Unknown(reason):
                open_.append((conjunction((Unary("not", disjunction(sure)), never)), reason))
            case Unsat():
                pass
    return tuple(open_)


def _always_answers(model: Sfsm, t: SfsmTransition) -> bool:
    terms = solved_for(t.output, [v.name for v in model.outputs])
    return terms is not None and all(_takes_anything(v, terms[v.name]) for v in model.outputs)


def _takes_anything(variable: Variable, term: Expression) -> bool:
    """Whether every value of a well-typed term is one of the variable; False where that is unclear."""
    match variable.type:
        case BoolType():
            return True
        case EnumType(values=values):
            return isinstance(term, Name) and term.name in values
        case RealType(low=None, high=None):
            return True
        case _:
            return False
