"""Determinism and observability of a symbolic machine, by two transitions and two outputs at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import values_text, warning
from fullproof.check.solving.questions import Questions, all_of
from fullproof.check.symbolic.steps import PRIME, GuardedStep, primed, restricted
from fullproof.language.formulas import compared, conjuncts, disjunction
from fullproof.language.printer import to_text
from fullproof.language.syntax import Comparison, Expression, Name
from fullproof.language.traversal import free_names
from fullproof.language.types import Value, Variable
from fullproof.model import Sfsm
from fullproof.smt.answers import Sat, Unknown


@dataclass(slots=True)
class Determinacy:
    """Whether an input determines output and next state, and input and output together the next state."""

    deterministic: bool | None = True
    observable: bool | None = True
    findings: list[Finding] = field(default_factory=list)


def choices(model: Sfsm, alive: Mapping[str, Sequence[GuardedStep]], questions: Questions) -> Determinacy:
    """Paper 000, sections 3.4 and 3.5: guards that overlap, and output expressions that leave a choice."""
    result = Determinacy()
    deterministic: list[bool | None] = []
    observable: list[bool | None] = []
    for steps in alive.values():
        deterministic += [_one_output(model, step, questions, result.findings) for step in steps]
        for first, second in combinations(steps, 2):
            one, seen = _one_way(model, first, second, questions, result.findings)
            deterministic.append(one)
            observable.append(seen)
    result.deterministic, result.observable = all_of(deterministic), all_of(observable)
    return result


def _one_output(model: Sfsm, step: GuardedStep, questions: Questions, findings: list[Finding]) -> bool | None:
    if _is_function(step.transition.output, model.outputs):
        return True
    other = primed(model.outputs, step.transition.output)
    answer = questions.ask(step.predicate, other, _differ(model.outputs), about=step.where)
    if not isinstance(answer, Sat):
        return None if isinstance(answer, Unknown) else True
    given, one, two = _parts(model, answer)
    findings.append(
        warning(
            "nondeterministic",
            step.where,
            f"{values_text(given)} allows {values_text(one)} as well as {_unprimed_text(two)}",
            witness=given | one | two,
            at=step.transition.at,
        )
    )
    return False


def _one_way(
    model: Sfsm, first: GuardedStep, second: GuardedStep, questions: Questions, findings: list[Finding]
) -> tuple[bool | None, bool | None]:
    """Whether no input allows both transitions with different results, and no input and output both targets."""
    where = f"state {first.transition.source}, transitions {first.number} and {second.number}"
    same_target = first.transition.target == second.transition.target
    both = (first.predicate, primed(model.outputs, second.predicate))
    apart = (_differ(model.outputs),) if same_target else ()
    answer = questions.ask(*both, *apart, about=where)
    if isinstance(answer, Unknown):
        return None, True if same_target else None
    if not isinstance(answer, Sat):
        return True, True
    given, one, two = _parts(model, answer)
    message = (
        f"{values_text(given)} allows {values_text(one)} (to {first.transition.target}) as well as"
        f" {_unprimed_text(two)} (to {second.transition.target}): guards {to_text(first.transition.guard)} and"
        f" {to_text(second.transition.guard)} overlap"
    )
    at = second.transition.at
    findings.append(warning("nondeterministic", where, message, witness=given | one | two, at=at))
    if same_target:
        return False, True
    return False, _one_target(model, first, second, questions, findings)


def _one_target(
    model: Sfsm, first: GuardedStep, second: GuardedStep, questions: Questions, findings: list[Finding]
) -> bool | None:
    where = f"state {first.transition.source}, transitions {first.number} and {second.number}"
    answer = questions.ask(first.predicate, second.predicate, about=where)
    if not isinstance(answer, Sat):
        return None if isinstance(answer, Unknown) else True
    witness = restricted(answer.model, (*model.inputs, *model.outputs))
    message = (
        f"{values_text(witness)} leads to {first.transition.target} as well as to {second.transition.target}:"
        " the observation does not determine the next state"
    )
    findings.append(warning("not-observable", where, message, witness=witness, at=second.transition.at))
    return False


def _is_function(output: Expression, outputs: Sequence[Variable]) -> bool:
    """Whether the expression has the form of one equation over inputs for every output: one output for each input."""
    names = {variable.name for variable in outputs}
    given: set[str] = set()
    for part in conjuncts(output):
        if isinstance(part, Comparison) and part.operators == ("==",):
            for side, term in (part.operands, part.operands[::-1]):
                if isinstance(side, Name) and not free_names(term) & names:
                    given.add(side.name)
    return names <= given


def _differ(outputs: Iterable[Variable]) -> Expression:
    return disjunction(compared(Name(v.name), "!=", Name(v.name + PRIME)) for v in outputs)


_Values = dict[str, Value]


def _parts(model: Sfsm, answer: Sat) -> tuple[_Values, _Values, _Values]:
    """Inputs, outputs, second outputs."""
    return (
        restricted(answer.model, model.inputs),
        restricted(answer.model, model.outputs),
        restricted(answer.model, model.outputs, suffix=PRIME),
    )


def _unprimed_text(values: _Values) -> str:
    return values_text({name.removesuffix(PRIME): value for name, value in values.items()})
