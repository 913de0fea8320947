"""The verdict on a trace: whether the model allows every observed step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from fullproof.artefacts.execution import Columns, Execution, Step, is_before_tests
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test, TestInput, json_input, json_value
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.core.counted import counted
from fullproof.judge.accounts import Account, account_of
from fullproof.judge.semantics import Outcome, Semantics
from fullproof.language.durations import duration_to_text
from fullproof.language.printer import value_to_text
from fullproof.model.inputs import Advance, SignalEvent

_INITIAL = 0
OFFERING = "(what is offered)"
"""In place of an input, where what a system offers is wrong."""


class Oracle:
    """Judges traces of one model for one relation; ready for millions of them.

    Pass: every observed step is allowed. That is trace inclusion; what an equivalence needs beyond it is in
    ``unseen``. A step that is not allowed makes a fail even where the system broke down afterwards: a test that had
    been stopped there would have failed, too.
    """

    retries = False
    """Whether a test that was inconclusive is tried again, and may come to its end the next time."""
    properties: tuple[str, ...] | None = None
    """The names of the properties that a property run monitors."""

    def __init__(self, semantics: Semantics, relation: Relation) -> None:
        self.semantics = semantics
        self.relation = relation

    @property
    def transitions(self) -> int:
        """How many transitions the model has."""
        return self.semantics.transitions

    def judge(self, trace: Execution) -> Judgement:
        """The verdict on one trace."""
        if isinstance(trace.steps, Columns) and trace.enabled_at_end is None:
            done, node, taken = self.semantics.follow(trace.steps)
            return (
                self._survived(trace, taken, node=node)
                if done == len(trace.steps)
                else self._decided(trace, done + 1, node, taken)
            )
        return self._judge_rows(trace)

    def answers(self) -> list[dict[str, tuple[str, int, int]]] | None:
        """The outputs that a system must give, where these decide the verdict: see ``Semantics.answers``."""
        return self.semantics.answers()

    def account(self, execution: Execution) -> Account:
        """Which transitions of the model an execution concerns that did not pass."""
        return account_of(self.semantics, execution)

    def _judge_rows(self, trace: Execution) -> Judgement:
        """The same for the enabled inputs that a grey box shows."""
        semantics, node = self.semantics, _INITIAL
        exercised: set[int] = set()
        for number, step in enumerate(trace.steps, 1):
            if step.enabled is not None:
                node, before = semantics.offering(node, step.enabled), node
                if node < 0:
                    return self._wrong_offer(trace, number, before, step.enabled, frozenset(exercised))
            move = semantics.move(node, step.input, step.output)
            if move.node < 0:
                return self._decided(trace, number, node, frozenset(exercised))
            if len(move.transitions) == 1:
                exercised.add(move.transitions[0])
            node = move.node
        if trace.enabled_at_end is not None and semantics.offering(node, trace.enabled_at_end) < 0:
            return self._wrong_offer(trace, len(trace.steps) + 1, node, trace.enabled_at_end, frozenset(exercised))
        return self._survived(trace, frozenset(exercised), node=node)

    def told(self, judgement: Judgement) -> Judgement:
        """A judgement from another source, such as one on missing answers, in the terms of this oracle."""
        return judgement

    def observer(self, test: Test) -> OracleObserver:  # noqa: ARG002  # the shape that ``execute`` asks for
        """Follow a test while it runs: it may stop where its verdict is decided."""
        return OracleObserver(self.semantics)

    def observer_behind(self, test: Test) -> OracleObserver:  # noqa: ARG002  # the shape that ``execute`` asks for
        """The same, but behind a failure a test goes on where the system says which inputs it offers."""
        return _ObserverBehind(self.semantics)

    def story(self, trace: Execution) -> tuple[StepRow, ...]:
        """The steps up to the one that decided, each with what was allowed."""
        semantics, node, rows = self.semantics, _INITIAL, list[StepRow]()
        instants = iter(_instants(trace.test.inputs))
        for step in trace.steps:
            allowed = self._allowed(node, step.input)
            if step.enabled is not None and semantics.offering(node, step.enabled) < 0:
                return (*rows, self._offer_row(node, step.enabled))
            move = semantics.move(node, step.input, step.output)
            ok = move.node != Outcome.REJECTED
            rows.append(
                StepRow(
                    input=text_of(step.input),
                    allowed=allowed,
                    observed=text_of(step.output),
                    ok=ok,
                    at=next(instants),
                )
            )
            if move.node < 0:
                return tuple(rows)
            node = move.node
        if trace.enabled_at_end is not None and semantics.offering(node, trace.enabled_at_end) < 0:
            return (*rows, self._offer_row(node, trace.enabled_at_end))
        if trace.error is not None and not is_before_tests(trace) and len(trace.steps) < len(trace.test.inputs):
            symbol = trace.test.inputs[len(trace.steps)]
            allowed = self._allowed(node, symbol)
            row = StepRow(input=text_of(symbol), allowed=allowed, observed=trace.error, ok=False, at=next(instants))
            rows.append(row)
        return tuple(rows)

    def observations(self, trace: Execution) -> tuple[tuple[str, str], ...]:
        """The inputs with their outputs, as texts."""
        return tuple((text_of(step.input), text_of(step.output)) for step in trace.steps)

    def _offer_row(self, node: int, enabled: frozenset[str]) -> StepRow:
        """What is offered before an input, or at the end, where an input and its output would be."""
        right = tuple(_offer(names) for names in self.semantics.offered(node))
        words = self._wrongly_offered(node, enabled).removesuffix(",")
        return StepRow(input=OFFERING, allowed=right, observed=_offer(enabled), ok=False, offer=words)

    def _allowed(self, node: int, symbol: TestInput) -> tuple[str, ...]:
        return tuple(self.semantics.allowed(node, symbol)) or ("(undefined)",)

    def _decided(self, trace: Execution, number: int, node: int, exercised: frozenset[int]) -> Judgement:
        step = trace.steps[number - 1]
        move = self.semantics.move(node, step.input, step.output)
        if move.node == Outcome.ANYTHING:
            return self._survived(trace, exercised, reason=f"step {number}: {move.reason}")
        return Judgement(
            test=trace.test.id,
            verdict=Verdict.FAIL if move.node == Outcome.REJECTED else Verdict.INCONCLUSIVE,
            step=number,
            input=json_input(step.input),
            observed=_json(step.output),
            allowed=tuple(self.semantics.allowed(node, step.input)),
            reason=move.reason,
            exercised=exercised,
        )

    def _wrong_offer(
        self, trace: Execution, number: int, node: int, enabled: frozenset[str], exercised: frozenset[int]
    ) -> Judgement:
        inputs = trace.test.inputs
        following = inputs[number - 1] if number <= len(inputs) else None
        when = "before this step" if following is not None else "after the last step"
        return Judgement(
            test=trace.test.id,
            verdict=Verdict.FAIL,
            step=min(number, len(inputs)) or None,
            input=None if following is None else json_input(following),
            observed=sorted(enabled),
            allowed=tuple(list(names) for names in self.semantics.offered(node)),
            reason=f"{self._wrongly_offered(node, enabled)} {when}",
            exercised=exercised,
        )

    def _wrongly_offered(self, node: int, enabled: frozenset[str]) -> str:
        """Which inputs the system offers and must not, or does not offer and must, as the relation has it."""
        defined = frozenset(name for names in self.semantics.offered(node) for name in names)
        more, less = sorted(enabled - defined), sorted(defined - enabled)
        parts = []
        if more and self.semantics.offering(node, defined | enabled) < 0:
            parts.append(f"offered {', '.join(more)}, which the model does not allow here,")
        if less and self.semantics.offering(node, defined & enabled) < 0:
            parts.append(f"did not offer {', '.join(less)}, which the model has here,")
        return " and ".join(parts)

    def _survived(
        self, trace: Execution, exercised: frozenset[int], *, node: int | None = None, reason: str = ""
    ) -> Judgement:
        """No step was wrong: the system may still have failed, or not have shown what the relation needs.

        ``node`` is where the last step has led, None where any behaviour is allowed after it.
        """
        if not trace.reached:
            return Judgement(test=trace.test.id, verdict=Verdict.INCONCLUSIVE, reason=trace.reason, exercised=exercised)
        if trace.error is not None:
            done, inputs = len(trace.steps), trace.test.inputs
            return Judgement(
                test=trace.test.id,
                verdict=Verdict.ERROR,
                step=min(done + 1, len(inputs)) or None,
                input=json_input(inputs[done]) if done < len(inputs) else None,
                reason=trace.error,
                exercised=exercised,
            )
        if node is not None and len(trace.steps) < len(trace.test.inputs) and not self._is_over(trace, node):
            return self._cut(trace, exercised)
        if self.relation in GREY_BOX and trace.enabled_at_end is None:
            asked = self.relation.value.replace("-", " ")
            hidden = f"{asked} needs to know the enabled inputs, which the system did not tell"
            return Judgement(test=trace.test.id, verdict=Verdict.INCONCLUSIVE, reason=hidden, exercised=exercised)
        return Judgement(test=trace.test.id, verdict=Verdict.PASS, reason=reason, exercised=exercised)

    def _is_over(self, trace: Execution, node: int) -> bool:
        """Whether a test has a reason to end before its next input: it is not enabled, or shows nothing more."""
        symbol, offered = trace.test.inputs[len(trace.steps)], trace.enabled_at_end
        return (offered is not None and symbol not in offered) or not self.semantics.wants(node, symbol)

    def _cut(self, trace: Execution, exercised: frozenset[int]) -> Judgement:
        done, inputs = len(trace.steps), trace.test.inputs
        return Judgement(
            test=trace.test.id,
            verdict=Verdict.INCONCLUSIVE,
            step=done + 1,
            input=json_input(inputs[done]),
            reason=f"observed as far as {done} of {counted(len(inputs), 'input')}, and nothing says why it ended there",
            exercised=exercised,
        )


class OracleObserver:
    """Follows one running test."""

    def __init__(self, semantics: Semantics) -> None:
        self._semantics = semantics
        self.node = _INITIAL

    def wants(self, symbol: TestInput, /) -> bool:
        """Whether there is anything to learn from this input."""
        return self.node >= 0 and self._semantics.wants(self.node, symbol)

    def sees(self, step: Step, /) -> None:
        """Follow one step."""
        if step.enabled is not None:
            self.node = self._semantics.offering(self.node, step.enabled)
        if self.node >= 0:
            self.node = self._semantics.move(self.node, step.input, step.output).node


class _ObserverBehind(OracleObserver):
    """Follows a test that may go on behind a failure: only inputs that are offered are given."""

    _is_offered = False

    def wants(self, symbol: TestInput, /) -> bool:
        """Whether the input is allowed by the model, or, where that says nothing more, by the system."""
        return super().wants(symbol) or (self.node == Outcome.REJECTED and self._is_offered)

    def sees(self, step: Step, /) -> None:
        """Follow one step."""
        self._is_offered = step.enabled is not None
        super().sees(step)


def _instants(inputs: Iterable[TestInput]) -> Iterator[str]:
    """When each input is answered, where there are delays among them."""
    now, word = Fraction(0), tuple(inputs)
    timed = any(isinstance(symbol, Advance) for symbol in word)
    for symbol in word:
        now += symbol.seconds if isinstance(symbol, Advance) else 0
        yield duration_to_text(now) if timed else ""


def _offer(names: Iterable[str]) -> str:
    return f"offers {', '.join(sorted(names)) or 'nothing'}"


def _json(output: object) -> object:
    return {name: json_value(value) for name, value in output.items()} if isinstance(output, Mapping) else output


def text_of(shown: object) -> str:
    """Inputs or outputs as text: ``x = 200, b = true``, or the symbol itself."""
    if isinstance(shown, Advance):
        return f"advance {value_to_text(shown.seconds)} s"
    if isinstance(shown, SignalEvent):
        shown = shown.written()
    if not isinstance(shown, Mapping):
        return str(shown)
    return ", ".join(
        f"{name} {', '.join(value) or 'nothing'}" if isinstance(value, list) else f"{name} = {value_to_text(value)}"
        for name, value in shown.items()
        if value is not None
    )
