"""Whether each transition of a symbolic machine can be taken, and whether every input has an output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fullproof.artefacts.finding import Finding
from fullproof.check.remarks import error, values_text, warning
from fullproof.check.solving.questions import Questions, all_of
from fullproof.check.symbolic.steps import GuardedStep, restricted
from fullproof.language.evaluate import evaluate
from fullproof.language.formulas import negation
from fullproof.language.printer import to_text
from fullproof.language.traversal import free_names
from fullproof.language.types import Value
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt.answers import Answer, Sat, Unknown, Unsat


@dataclass(slots=True)
class Taking:
    """For each transition, whether values satisfy guard and output together; a transition without such values is a
    finding.
    """

    answers: dict[GuardedStep, Answer] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def alive(self, steps: Sequence[GuardedStep]) -> list[GuardedStep]:
        """The transitions that can be taken, or may be."""
        return [step for step in steps if not isinstance(self.answers[step], Unsat)]


def taking(model: Sfsm, steps: Mapping[str, Sequence[GuardedStep]], questions: Questions) -> Taking:
    """Well-formedness (paper 000, section 3.3): some values satisfy guard and output expression together."""
    result = Taking()
    for step in (step for here in steps.values() for step in here):
        answer = result.answers[step] = questions.ask(step.predicate, about=step.where)
        if isinstance(answer, Unsat):
            result.findings += _why_not(model, step, questions)
    return result


def _why_not(model: Sfsm, step: GuardedStep, questions: Questions) -> list[Finding]:
    at = step.transition.at
    match questions.ask(step.transition.guard, about=step.where):
        case Sat(values):
            witness = restricted(values, model.inputs)
            message = (
                f"{values_text(witness)} satisfies the guard, but no output within its range satisfies the output"
                " expression, whatever the input: the transition can never be taken"
            )
            return [error("not-well-formed", step.where, message, witness=witness, at=at)]
        case Unsat():
            kept = " that keeps the assumptions" if model.assumptions else ""
            message = f"no input within its range{kept} satisfies the guard: the transition can never be taken"
            return [error("unsatisfiable-guard", step.where, message, at=at)]
        case Unknown():
            message = "no values satisfy guard and output together: the transition can never be taken"
            return [error("not-well-formed", step.where, message, at=at)]


@dataclass(slots=True)
class AnswerCompleteness:
    """Whether every input has a response in every state, and the findings where one has none."""

    complete: bool | None = True
    findings: list[Finding] = field(default_factory=list)


def responses(
    model: Sfsm,
    alive: Mapping[str, Sequence[GuardedStep]],
    questions: Questions,
    *,
    taken: Mapping[GuardedStep, Answer],
) -> AnswerCompleteness:
    """Completeness: guards cover all inputs, and every input of a guard has an output within its range."""
    result = AnswerCompleteness()
    verdicts: list[bool | None] = []
    for state, steps in alive.items():
        verdicts.append(_covered(model, state, steps, questions, result.findings))
        for step in steps:
            if _depends_on_input(model, step):
                verdicts.append(_answered(model, step, steps, questions, result.findings))
            elif isinstance(taken[step], Unknown):
                verdicts.append(None)
    result.complete = all_of(verdicts)
    return result


def _depends_on_input(model: Sfsm, step: GuardedStep) -> bool:
    """Whether the output depends on inputs; where it does not, one possible output answers all of them."""
    return bool(free_names(step.transition.output) & {variable.name for variable in model.inputs})


def _covered(
    model: Sfsm, state: str, steps: Sequence[GuardedStep], questions: Questions, findings: list[Finding]
) -> bool | None:
    answer = questions.ask(*(negation(step.transition.guard) for step in steps), about=f"state {state}")
    if not isinstance(answer, Sat):
        return None if isinstance(answer, Unknown) else True
    every = [t for t in model.transitions if t.source == state]
    bare = questions.ask(*(negation(t.guard) for t in every), about=f"state {state}")
    witness = restricted((bare if isinstance(bare, Sat) else answer).model, model.inputs)
    if not every:
        message = "no transition leaves it: no input has an output"
    elif isinstance(bare, Sat):
        message = f"no guard covers {values_text(witness)}"
    else:
        message = _without_output(model, every, witness)
    findings.append(warning("incomplete", f"state {state}", message, witness=witness))
    return False


def _without_output(model: Sfsm, transitions: Sequence[SfsmTransition], witness: Mapping[str, Value]) -> str:
    """That a guard covers values, but the transition can never be taken."""
    scope = model.input_scope
    covering = next((t for t in transitions if evaluate(t.guard, scope, witness) is True), None)
    shown = values_text(witness)
    if covering is None:
        return f"{shown} has no answer"
    return (
        f"{to_text(covering.guard)} covers {shown}, but no output within its range satisfies {to_text(covering.output)}"
    )


def _answered(
    model: Sfsm, step: GuardedStep, steps: Sequence[GuardedStep], questions: Questions, findings: list[Finding]
) -> bool | None:
    """Whether every input of the guard has an output, by this transition or another one of the state."""
    guard, output = step.transition.guard, step.transition.output
    answer = questions.ask_without(model.outputs, guard, impossible=[output], about=step.where)
    if not isinstance(answer, Sat):
        return None if isinstance(answer, Unknown) else True
    others = [other.predicate for other in steps if other is not step]
    alone = questions.ask_without(model.outputs, guard, impossible=[output, *others], about=step.where)
    witness = restricted((alone if isinstance(alone, Sat) else answer).model, model.inputs)
    lacking = f"for {values_text(witness)} no output within its range satisfies {to_text(output)}"
    if isinstance(alone, Sat):
        message = f"{lacking}, and no other transition answers"
        findings.append(error("output-out-of-range", step.where, message, witness=witness, at=step.transition.at))
        return False
    message = f"{lacking}" + ("" if isinstance(alone, Unknown) else "; another transition answers")
    findings.append(warning("output-out-of-range", step.where, message, witness=witness, at=step.transition.at))
    return None if isinstance(alone, Unknown) else True
