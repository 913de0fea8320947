"""Output determinism: whether each input of a transition has one output (paper 004, testability assumption 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullproof.language.printer import to_text, value_to_text
from fullproof.language.substitute import substitute
from fullproof.language.syntax import Binary, Comparison, Expression, Name
from fullproof.language.types import Variable
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.smt import Sat, Unknown, Unsat, open_solver, pushed


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputChoice:
    """A transition that may answer one input with two outputs, or for which the solver could not decide that
    (``reason``).
    """

    transition: SfsmTransition
    inputs: str = ""
    one: str = ""
    other: str = ""
    reason: str = ""

    def text(self) -> str:
        """The finding as text."""
        output, source = to_text(self.transition.output), self.transition.source
        if self.reason:
            return f"whether {output} in state {source!r} leaves one output could not be decided: {self.reason}"
        return (
            f"the model is not output-deterministic: in state {source!r}, {output} allows both {self.one} and "
            f"{self.other} for {self.inputs}"
        )


def output_choice(model: Sfsm, *, timeout: float | None = 10.0) -> OutputChoice | None:
    """The first transition that leaves a choice of outputs for some input, or None where none does."""
    others = tuple(Variable(name=f"{v.name}@other", type=v.type) for v in model.outputs)
    solver = open_solver(model.scope_with((*model.inputs, *model.outputs, *others)), timeout=timeout)
    names: dict[str, Expression] = {v.name: Name(o.name) for v, o in zip(model.outputs, others, strict=True)}
    differ = [Comparison((Name(v.name), names[v.name]), ("!=",)) for v in model.outputs]
    for transition in model.transitions:
        with pushed(solver):
            solver.add(transition.guard, transition.output, substitute(transition.output, names), _any(differ))
            match solver.check():
                case Unsat():
                    continue
                case Unknown(reason):
                    return OutputChoice(transition=transition, reason=reason)
                case Sat(values):
                    shown = {name: value_to_text(value) for name, value in values.items()}
                    return OutputChoice(
                        transition=transition,
                        inputs=", ".join(f"{v.name} = {shown[v.name]}" for v in model.inputs),
                        one=", ".join(f"{v.name} = {shown[v.name]}" for v in model.outputs),
                        other=", ".join(
                            f"{v.name} = {shown[o.name]}" for v, o in zip(model.outputs, others, strict=True)
                        ),
                    )
    return None


def _any(parts: Sequence[Expression]) -> Expression:
    whole = parts[0]
    for part in parts[1:]:
        whole = Binary("or", whole, part)
    return whole
