"""Where a symbolic state is quiescent: no output has parameters that satisfy its guard, no internal step is enabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fullproof.analysis.ioco.common_language import Alphabet, CodedSystem
from fullproof.analysis.ioco.nodes import StatePair, SymbolicLocation
from fullproof.analysis.ioco.normal_form import replacements
from fullproof.analysis.ioco.projection import projected
from fullproof.analysis.ioco.questions import IocoQuestions, Variables, scope_of
from fullproof.analysis.ioco.substitution import instantiate
from fullproof.language.formulas import conjunction, disjunction, opposite
from fullproof.language.syntax import Boolean, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import Variable
from fullproof.model.sts import TAU
from fullproof.smt.answers import Answer


@dataclass(frozen=True, slots=True)
class PossibleOutput:
    """An output switch whose parameters could not be eliminated from its guard."""

    parameters: tuple[Variable, ...]
    guard: Expression

    def renamed(self, mark: str) -> PossibleOutput:
        """The same with parameters of its own."""
        names: dict[str, Expression] = {v.name: Name(f"{v.name}{mark}") for v in self.parameters}
        parameters = tuple(replace(v, name=f"{v.name}{mark}") for v in self.parameters)
        return PossibleOutput(parameters, instantiate(self.guard, names))


@dataclass(frozen=True, slots=True)
class Quiescence:
    """A state is quiescent where ``plain`` holds and none of ``hard`` is possible."""

    plain: Expression
    hard: tuple[PossibleOutput, ...]


def silence(
    system: CodedSystem, alphabet: Alphabet, pair: StatePair, state: SymbolicLocation, asking: IocoQuestions
) -> Quiescence:
    """When a state is quiescent, without quantifiers where the guards allow that."""
    plain: list[Expression] = []
    hard: list[PossibleOutput] = []
    known = replacements(system.variables, state)
    plain += [opposite(instantiate(switch.guard, known)) for switch in system.of(state.location, TAU)]
    for gate in alphabet.outputs:
        parameters = alphabet.parameters[gate]
        scope = scope_of((*pair.variables, *parameters))
        for switch in system.of(state.location, gate):
            guard = instantiate(switch.guard, known)
            rest = projected(parameters, guard, scope)
            if rest is None and not free_names(guard) & {variable.name for variable in pair.variables}:
                answer = asking.possible(parameters, [guard])
                rest = None if answer is None else Boolean(answer)
            if rest is None:
                hard.append(PossibleOutput(parameters, guard))
            else:
                plain.append(opposite(rest))
    return Quiescence(instantiate(conjunction(plain), {}), tuple(hard))


def only_silent(asking: IocoQuestions, pair: StatePair, model: Sequence[Quiescence], other: Quiescence) -> Answer:
    """Values for which the implementation is quiescent and no state of the model is, by a quantified question."""
    extra: list[Variable] = []
    formulas: list[Expression] = [*pair.conditions, other.plain]
    for number, state in enumerate(model):
        ways = [opposite(state.plain)]
        for place, possible in enumerate(state.hard):
            own = possible.renamed(f"!{number}.{place}")
            extra += own.parameters
            ways.append(own.guard)
        formulas.append(disjunction(ways))
    return _never(asking, (*pair.variables, *extra), formulas, other)


def ever_silent(asking: IocoQuestions, pair: StatePair, other: Quiescence) -> Answer:
    """Values for which the implementation is quiescent, by a quantified question."""
    return _never(asking, pair.variables, [*pair.conditions, other.plain], other)


def _never(asking: IocoQuestions, variables: Variables, formulas: list[Expression], other: Quiescence) -> Answer:
    hard = [possible.renamed(f"?{number}") for number, possible in enumerate(other.hard)]
    if not hard:
        return asking.solve(variables, formulas)
    forall = [variable for possible in hard for variable in possible.parameters]
    return asking.never(variables, formulas, forall, conjunction(opposite(possible.guard) for possible in hard))
