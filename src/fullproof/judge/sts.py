"""The verdict on a conversation: ioco with quiescence, paper 001. Pure, so that old logs can be judged again."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.analysis.sts_knowledge import Knowledge
from fullproof.analysis.sts_semantics import StsSemantics
from fullproof.artefacts.execution import SILENCE, Event, Execution, Received, Sent, Silence
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import json_value
from fullproof.artefacts.verdict import Judgement, Verdict
from fullproof.judge.accounts import Account
from fullproof.language.printer import value_to_text
from fullproof.language.strings import StringValue, quoted
from fullproof.language.types import Value

_LONG = 60
"""A string of more characters is not shown as a whole."""
_OR = "; or "
"""The separator of allowed outputs: guards may contain a plain "or"."""


class StsOracle:
    """Judges conversations with systems for one model.

    Fail: an observation that the model does not allow, silence included. Error: the system failed before that.
    Pass: the purpose was driven to its end. Inconclusive: it was not, and no fault was seen.
    """

    relation = Relation.IOCO
    retries = True
    properties: tuple[str, ...] | None = None

    def __init__(self, semantics: StsSemantics) -> None:
        self.semantics = semantics

    @property
    def transitions(self) -> int:
        """How many switches the model has."""
        return len(self.semantics.model.transitions)

    def account(self, execution: Execution) -> Account:
        """The switches on the way, and those with an output that the observation which was wrong may have been."""
        before = self.semantics.start()
        for _, before, after in self._follow(execution):  # noqa: B007  # the last one is meant
            if after.is_refuted:
                break
        else:
            return Account(_path(before), ())
        here = {position.location for position in before.routes}
        model = self.semantics.model
        outputs = {gate.name for gate in model.outputs}
        open_ = (k for k, switch in enumerate(model.transitions) if switch.source in here and switch.gate in outputs)
        return Account(_path(before), tuple(open_))

    def judge(self, conversation: Execution) -> Judgement:
        """The verdict on one conversation."""
        knowledge = self.semantics.start()
        for number, (event, before, knowledge) in enumerate(self._follow(conversation), 1):
            if knowledge.is_refuted:
                return self._failed(conversation, number, event, before)
        exercised = _exercised(knowledge)
        test = conversation.test.id
        if conversation.error is not None:
            last = conversation.events[-1] if conversation.events else None
            return Judgement(
                test=test,
                verdict=Verdict.ERROR,
                step=len(conversation.events) or None,
                input=_json(last) if isinstance(last, Sent) else None,
                reason=conversation.error,
                exercised=exercised,
            )
        if conversation.reached and (conversation.events or not conversation.test.inputs):
            return Judgement(test=test, verdict=Verdict.PASS, exercised=exercised)
        return Judgement(
            test=test,
            verdict=Verdict.INCONCLUSIVE,
            step=len(conversation.events) or None,
            reason=knowledge.astray or conversation.reason or "nothing was observed",
            exercised=exercised,
        )

    def certain(self, conversation: Execution) -> tuple[tuple[int, ...], ...]:
        """The paths of switches that every run of the model that explains everything has taken."""
        return self.knowledge(conversation).certain

    def knowledge(self, conversation: Execution) -> Knowledge:
        """Where the model may be after a conversation, or at the event that refutes it."""
        knowledge = self.semantics.start()
        for _, _, knowledge in self._follow(conversation):  # noqa: B007  # the last one is meant
            pass
        return knowledge

    def after(self, before: Knowledge, event: Event, *, synchronous: bool) -> Knowledge:
        """Where the model may be after one more event."""
        semantics = self.semantics
        match event:
            case Sent(gate, values):
                found = semantics.after_input(before, (gate, values), synchronous=synchronous)
                if not found.routes and not found.astray:
                    # No state takes this input: ioco says nothing about what follows it.
                    return Knowledge({}, f"the model does not take {gate} here")
                return found
            case Received(gate, values):
                # What is outside the alphabet is wrong wherever the system is (algorithm 1, line 25).
                fits = not semantics.misfit(gate, values)
                return semantics.after_output(before, (gate, values)) if fits else Knowledge({})
            case Silence():
                return semantics.after_silence(before)

    def story(self, conversation: Execution) -> tuple[StepRow, ...]:
        """The events up to the one that decided, each output with what was allowed there."""
        rows = []
        for event, before, after in self._follow(conversation):
            ok = not after.is_refuted
            if isinstance(event, Sent):
                rows.append(StepRow(input=event_text(event), allowed=(), observed="", ok=ok, event=event))
            else:
                allowed = tuple(self.semantics.allowed(before)) or ("nothing",)
                seen = event_text(event)
                rows.append(StepRow(input="", allowed=allowed, observed=seen, ok=ok, between=_OR, event=event))
            if not ok:
                return tuple(rows)
        if conversation.error is not None:
            rows.append(StepRow(input="", allowed=(), observed=conversation.error, ok=False))
        return tuple(rows)

    def observations(self, conversation: Execution) -> tuple[tuple[str, str], ...]:
        """The events as texts: inputs, and outputs in the second place."""
        return tuple(
            (event_text(event), "") if isinstance(event, Sent) else ("", event_text(event))
            for event in conversation.events
        )

    def _follow(self, conversation: Execution) -> Iterator[tuple[Event, Knowledge, Knowledge]]:
        knowledge = self.semantics.start()
        for event in conversation.events:
            before, knowledge = knowledge, self.after(knowledge, event, synchronous=conversation.synchronous)
            yield event, before, knowledge
            if knowledge.is_refuted:
                return

    def _failed(self, conversation: Execution, number: int, event: Event, before: Knowledge) -> Judgement:
        allowed = tuple(self.semantics.allowed(before))
        expected = f": expected {_OR.join(allowed)}" if allowed else ""
        if isinstance(event, Received):
            wrong = self.semantics.misfit(event.gate, event.values)
            reason = wrong or f"the model does not allow this output here{expected}"
        else:
            reason = f"the system stays silent, where the model says that an output must come{expected}"
        last = next((e for e in reversed(conversation.events[: number - 1]) if isinstance(e, Sent)), None)
        return Judgement(
            test=conversation.test.id,
            verdict=Verdict.FAIL,
            step=number,
            input=None if last is None else _json(last),
            observed=_json(event),
            allowed=allowed,
            reason=reason,
            exercised=_exercised(before),
        )


def _exercised(knowledge: Knowledge) -> frozenset[int]:
    return frozenset(_path(knowledge))


def _path(knowledge: Knowledge) -> tuple[int, ...]:
    return tuple(switch for piece in knowledge.certain for switch in piece)


def event_text(event: Event) -> str:
    """``IREQ(1, 2, 3)``"""
    match event:
        case Silence():
            return SILENCE
        case Sent(gate, values) | Received(gate, values):
            return f"{gate}({', '.join(map(_value, values))})" if values else gate


def _value(value: Value) -> str:
    if isinstance(value, StringValue) and len(value.text) > _LONG:
        return f'{quoted(value.text[:_LONG])[:-1]}..." ({len(value.text):,} characters)'
    return value if isinstance(value, str) else value_to_text(value)


def _json(event: Event) -> object:
    match event:
        case Silence():
            return SILENCE
        case Sent(gate, values) | Received(gate, values):
            return [gate, [json_value(value) for value in values]]
