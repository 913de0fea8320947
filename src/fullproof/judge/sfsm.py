"""The observer's view of symbolic finite state machines: sets of states, exact values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeGuard

from fullproof.artefacts.execution import Columns
from fullproof.artefacts.request import Relation
from fullproof.artefacts.suite import TestInput
from fullproof.core.errors import UserError
from fullproof.judge.output_classes import OutputClasses, Signs, Ways
from fullproof.judge.output_fit import Fit, almost_in_range, fits, possible
from fullproof.judge.semantics import QUASI, Following, JudgedMove, Outcome, RequiredStep, Shown
from fullproof.language.box import box_of
from fullproof.language.compile import compile_expression
from fullproof.language.equations import solved_for
from fullproof.language.printer import to_text, type_to_text, value_to_text
from fullproof.language.residual import residual
from fullproof.language.types import Value, Variable
from fullproof.language.values import in_range
from fullproof.model import Sfsm

_LARGE = 1 / 16
"""The share of the values of an answer from which on a class must be observed within K tries."""


class SfsmSemantics:
    """Any sfsm. An observed pair of inputs and outputs must satisfy guard and output expression of some transition.

    Real outputs are compared exactly, or within the tolerance of their variable: then some values no farther away must
    satisfy the output expression. Undefined inputs, those that no guard admits, are as for an fsm.
    """

    def __init__(self, model: Sfsm, relation: Relation) -> None:
        self._relation = relation
        self._model = model
        self._scope = model.scope
        self._interface = model.interface
        self._tolerant = any(v.tolerance for v in model.outputs)
        self.transitions = len(model.transitions)
        self.is_deterministic = False  # disjointness of guards would need a proof
        answers = [v.name for v in model.outputs]
        self.has_choices = any(solved_for(t.output, answers) is None for t in model.transitions)
        compiled = [
            (number, compile_expression(t.guard, self._scope), compile_expression(t.output, self._scope))
            for number, t in enumerate(model.transitions)
        ]
        self._by_state = {s: [c for c in compiled if model.transitions[c[0]].source == s] for s in model.states}
        self._sets = [frozenset({model.initial})]
        self._numbers = {self._sets[0]: 0}
        self._classes = OutputClasses(model, self._scope)
        self._known_forks: dict[tuple[int, tuple[Value, ...]], _Fork] = {}

    def move(self, node: int, symbol: TestInput, output: object) -> JudgedMove:
        """Follow one observed step."""
        inputs, outputs = self._inputs(symbol), self._outputs(output)
        if wrong := next((text for v in self._model.outputs if (text := _out_of_type(v, outputs[v.name]))), None):
            return JudgedMove(Outcome.REJECTED, reason=wrong)
        values = {**inputs, **outputs}
        fitting, unknown = [], ""
        for state in self._sets[node]:
            open_here = [(number, holds) for number, guard, holds in self._by_state[state] if guard(inputs)]
            if not open_here and self._relation in QUASI:
                return JudgedMove(Outcome.ANYTHING, reason="no guard admits this input here: anything goes after it")
            for number, holds in open_here:
                if holds(values):
                    fitting.append(number)
                elif self._tolerant:
                    match self._within_tolerance(number, inputs, outputs):
                        case Fit.YES:
                            fitting.append(number)
                        case Fit.UNKNOWN:
                            unknown = "the solver could not decide whether the outputs are within their tolerance"
                        case Fit.NO:
                            pass
        if unknown:
            return JudgedMove(Outcome.UNKNOWN, reason=unknown)
        if not fitting:
            return JudgedMove(Outcome.REJECTED, reason="no transition of the model fits these outputs here")
        target = self._number(frozenset(self._model.transitions[number].target for number in fitting))
        return JudgedMove(target, tuple(fitting))

    def follow(self, steps: Columns) -> Following:
        """Follow the steps of a black box as far as they lead to nodes."""
        node, done, taken = 0, 0, set[int]()
        for symbol, output in zip(steps.inputs, steps.outputs, strict=False):
            move = self.move(node, symbol, output)
            if move.node < 0:
                break
            if len(move.transitions) == 1:
                taken.add(move.transitions[0])
            node = move.node
            done += 1
        return Following(done, node, frozenset(taken))

    def wants(self, node: int, symbol: TestInput) -> bool:
        """Nothing is learnt where any behaviour is allowed."""
        if self._relation not in QUASI:
            return True
        inputs = self._inputs(symbol)
        return all(any(guard(inputs) for _, guard, _ in self._by_state[state]) for state in self._sets[node])

    def allowed(self, node: int, symbol: TestInput) -> Sequence[str]:
        """The output expressions with the inputs put in, such as ``y == 2.5``."""
        inputs = self._inputs(symbol)
        texts = [self._text(number, inputs) for number in self._open(node, inputs)]
        return list(dict.fromkeys(texts))

    def leaves_choice(self, node: int, symbol: TestInput) -> bool:
        """Whether not all transitions that the input admits give the same single value to each output."""
        inputs = self._inputs(symbol)
        outputs = {self._model.transitions[number].output for number in self._open(node, inputs)}
        if self._tolerant or len(outputs) != 1:
            return True
        box = box_of(outputs.pop(), self._scope, inputs, self._model.outputs)
        return box is None or not box.is_point()

    def concerned(self, node: int, symbol: TestInput) -> tuple[int, ...]:
        """Those whose guards admit the input."""
        return tuple(sorted(self._open(node, self._inputs(symbol))))

    def answers(self) -> None:
        """Outputs are judged by expressions."""
        return

    def offering(self, node: int, _enabled: frozenset[str]) -> int:
        """Inputs are values, which are not listed."""
        return node

    def offered(self, _node: int) -> Sequence[Sequence[str]]:
        """Nothing to offer."""
        return ()

    def alternatives(self, node: int, symbol: TestInput) -> Sequence[RequiredStep]:
        """One for each class of outputs that a transition admitted by the inputs allows.

        With a tolerance, or where a solver could not decide the classes, one per transition.
        """
        return self._forks(node, self._inputs(symbol)).alternatives

    def shown(self, node: int, symbol: TestInput, move: JudgedMove, output: object) -> Shown:
        """Every transition that fits, the class of the outputs, and the classes that it stands for.

        A class stands for another that leads to the same states and satisfies all its expressions and more: whatever
        expression of the fault domain gave the first allows the second as well. So ``y == 5`` need not be seen once
        some other y of ``0 <= y <= 10`` was, whereas ``y == 5`` alone could come from a system that gives no other.
        """
        if self._tolerant:
            return Shown(frozenset(move.transitions), move.transitions)
        inputs = self._inputs(symbol)
        fork = self._forks(node, inputs)
        signs = self._classes.signs({**inputs, **self._outputs(output)})
        branch = _Branch(signs, fork.targets(signs))
        alike = [other for other in fork.classes if self.speaks_for(branch, _Branch(other, fork.targets(other)))]
        return Shown(frozenset((*move.transitions, *alike)), branch)

    def speaks_for(self, branch: Hashable, other: Hashable) -> bool:
        """Whether every expression that allows the first class allows the second, too, and both lead to one place."""
        if not isinstance(branch, _Branch) or not isinstance(other, _Branch):
            return False
        included = all(theirs or not ours for ours, theirs in zip(branch.signs, other.signs, strict=True))
        return included and branch.targets == other.targets

    def _forks(self, node: int, inputs: Mapping[str, Value]) -> _Fork:
        key = (node, tuple(inputs[v.name] for v in self._model.inputs))
        if key not in self._known_forks:
            self._known_forks[key] = self._fork(self._open(node, inputs), inputs)
        return self._known_forks[key]

    def _fork(self, open_: Sequence[int], inputs: Mapping[str, Value]) -> _Fork:
        """The ways to answer inputs by some transitions."""
        found: dict[Hashable, RequiredStep] = {}
        places = {number: self._classes.expressions.index(self._model.transitions[number].output) for number in open_}
        targets = {number: self._model.transitions[number].target for number in open_}
        for number in open_:
            expression = self._model.transitions[number].output
            fit = possible(expression, self._scope, inputs, self._model.outputs)
            ways = Ways(()) if self._tolerant or fit is Fit.NO else self._classes.ways(expression, inputs)
            if fit is not Fit.NO and (len(ways.classes) != 1 or not ways.is_certain):
                found[number] = RequiredStep(number, self._text(number, inputs), certain=fit is Fit.YES)
            for signs in ways.classes:
                text = self._classes.text(signs, ways.classes, expression, inputs)
                part = RequiredStep(signs, text)
                if len(ways.classes) > 1 and not self._classes.is_small:
                    part = self._part(part, signs, number, inputs)
                if signs not in found or not found[signs].certain:
                    found[signs] = part
            if not ways.is_certain:
                text = f"other ways to satisfy {self._text(number, inputs)}, which the solver could not decide"
                found["unknown", number] = RequiredStep(("unknown", number), text, certain=False)
        return _Fork(tuple(found.values()), tuple(key for key in found if _is_class(key)), places, targets)

    def _part(self, part: RequiredStep, signs: Signs, number: int, inputs: Mapping[str, Value]) -> RequiredStep:
        """A class of an answer of many values: whether it is so large that it must occur, and a hint."""
        transition = self._model.transitions[number]
        share = self._classes.share(signs, transition.output, inputs)
        stated = f"G({to_text(transition.guard)} -> {to_text(transition.output)})"
        range_ = f"if only the range matters, state it as a property such as {stated}"
        if share is not None and share >= _LARGE:
            return replace(part, hint=range_)
        if share:
            rare = f"it is about one value in {round(1 / share):,}: repeat more to decide; {range_}"
            return replace(part, certain=False, hint=rare)
        return replace(part, certain=False, repeatable=False, hint=f"no number of repetitions need show it; {range_}")

    def _open(self, node: int, inputs: Mapping[str, Value]) -> list[int]:
        return [n for state in self._sets[node] for n, guard, _ in self._by_state[state] if guard(inputs)]

    def _text(self, number: int, inputs: Mapping[str, Value]) -> str:
        return to_text(residual(self._model.transitions[number].output, self._scope, inputs))

    def _within_tolerance(self, number: int, inputs: Mapping[str, Value], outputs: Mapping[str, Value]) -> Fit:
        expression = self._model.transitions[number].output
        return fits(expression, self._scope, inputs, {v: outputs[v.name] for v in self._model.outputs})

    def _number(self, states: frozenset[str]) -> int:
        number = self._numbers.get(states)
        if number is None:
            number = self._numbers[states] = len(self._sets)
            self._sets.append(states)
        return number

    def _inputs(self, symbol: TestInput) -> Mapping[str, Value]:
        if (misfit := self._interface.misfit(symbol)) is not None:
            raise UserError(f"a test has {misfit}")
        assert isinstance(symbol, Mapping)
        return symbol

    def _outputs(self, output: object) -> Mapping[str, Value]:
        if not isinstance(output, Mapping) or any(v.name not in output for v in self._model.outputs):
            names = ", ".join(v.name for v in self._model.outputs)
            raise UserError(f"a trace has the output {output!r}; the model needs values for {names}")
        return output


def _is_class(key: Hashable) -> TypeGuard[Signs]:
    return isinstance(key, tuple) and (not key or isinstance(key[0], bool))


class _Branch(NamedTuple):
    """A class of outputs, and the states that it leads to."""

    signs: Signs
    targets: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Fork:
    """The ways to answer an input in a node: the transitions it admits, where their outputs stand, where they lead."""

    alternatives: tuple[RequiredStep, ...]
    classes: tuple[Signs, ...]
    _places: Mapping[int, int]
    _targets: Mapping[int, str]

    def targets(self, signs: Signs) -> frozenset[str]:
        """The states that a class leads to."""
        return frozenset(self._targets[number] for number, place in self._places.items() if signs[place])


def _out_of_type(variable: Variable, value: Value) -> str:
    """The error in a value, or the empty string. A value out of range by less than the tolerance may still fit."""
    if in_range(value, variable.type):
        return ""
    if almost_in_range(value, variable):
        return ""
    return f"{variable.name} = {value_to_text(value)} is not a value of {type_to_text(variable.type)}"
