"""Compares state machines with timers exactly, over all real delays that keep the margin of the model."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fullproof.analysis.timed_abstraction import timed_abstraction
from fullproof.artefacts.request import Relation, SuiteRequest
from fullproof.certify.timed_domain import timed_domain
from fullproof.certify.timed_member import MemberRuns, Seen, TimedWord, look_alike, own_choice
from fullproof.certify.timed_outputs import flat
from fullproof.certify.timed_placing import RunPlacing
from fullproof.certify.timed_product import DifferenceSearch, ProductStart, ProductTooLarge, TimedDifference
from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.kinds.comparison import Asked, Difference, MachineComparison
from fullproof.kinds.statemachine.comparison import require_same_interface
from fullproof.kinds.statemachine.timed_suite import timed_faults
from fullproof.model import StateMachine
from fullproof.model.inputs import Advance, TestInput
from fullproof.model.named_faults import NamedFaults


class TimedConformance:
    """Equivalent: after all events and delays that keep the margin, the other machine answers alike.

    Needs: finite data, and as many timers with a timeout in the other machine, each of which stands for the one of the
    same number.
    """

    def __init__(self, model: StateMachine, _asked: Asked | None = None, *, margin: Fraction | None = None) -> None:
        self.model = model
        self._margin = margin or timed_faults(model, SuiteRequest()).margin
        self._heard = _without_unheard(model)
        self._whole = timed_abstraction(self._heard)

    def compare(self, other: StateMachine, *, at: Place = NOWHERE) -> MachineComparison:
        """Compare one machine, whose file is ``at``."""
        require_same_interface(self.model, other, at=at)
        try:
            return self._compared(other)
        except UserError as error:
            return _answer(None, error.message)

    def conforms(self, other: StateMachine) -> bool | None:
        """The same without a difference to show."""
        return self.compare(other).conforms

    def _compared(self, other: StateMachine) -> MachineComparison:
        # The same events in another order are the same events.
        heard = _without_unheard(other)
        whole = timed_abstraction(replace(heard, signals_in=self.model.signals_in))
        if whole.events != self._whole.events or len(heard.timers) != len(self._heard.timers):
            return _answer(None, "the machines have different events or numbers of timers")
        both = (whole.machine, self._whole.machine)
        times = [timer.duration for machine in both for timer in machine.timers]
        member, model = (
            MemberRuns(timed_domain(machine, NamedFaults(), margin=self._margin, delays=times)) for machine in both
        )
        start = ProductStart(member.begin(own_choice), model.begin(own_choice), 0.0)
        found = DifferenceSearch(member, own_choice, model).find([start])
        if isinstance(found, ProductTooLarge):
            return _answer(None, "the comparison has too many zones")
        if not isinstance(found, TimedDifference):
            races = ", up to races of timers" if any(len(timers) > 1 for timers in self._whole.machine.running) else ""
            return _answer(None, "", f"zones of all real delays that keep the margin{races}")
        word = RunPlacing(member, own_choice, start, model).word(found.path)
        return _answer(self._shown(word, member, model), "")

    def _shown(self, word: TimedWord, member: MemberRuns, model: MemberRuns) -> Difference:
        """The difference that a word shows, up to the first wrong answer."""
        mine, own = member.seen(word, own_choice), model.seen(word, own_choice)
        last = next(k for k, (one, other) in enumerate(zip(mine, own, strict=True)) if not look_alike(one, other))
        return Difference(
            inputs=tuple(self._input(symbol, model) for symbol in word[: last + 1]),
            outputs=tuple(_text(seen) for seen in own[:last]),
            observed=_text(mine[last]),
            allowed=(_text(own[last]),),
            reason="a wrong answer",
        )

    def _input(self, symbol: int, runs: MemberRuns) -> TestInput:
        return self._whole.events[symbol] if symbol >= 0 else Advance(runs.domain.seconds(-symbol))


def _without_unheard(model: StateMachine) -> StateMachine:
    """The machine without the timers that no transition waits for: their expiry does nothing."""
    heard = {t.trigger for t in model.transitions}
    if all(timer.name in heard for timer in model.timers):
        return model

    def kept(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if name in heard)

    return replace(
        model,
        timers=tuple(timer for timer in model.timers if timer.name in heard),
        started=kept(model.started),
        transitions=tuple(replace(t, starts=kept(t.starts), stops=kept(t.stops)) for t in model.transitions),
    )


def _answer(difference: Difference | None, undecided: str, proof: str = "") -> MachineComparison:
    return MachineComparison(relation=Relation.EQUIVALENCE, difference=difference, undecided=undecided, proof=proof)


def _text(seen: Seen) -> str:
    outputs, shown = seen
    sent = f"send {', '.join(flat(outputs)) or 'nothing'}"
    return f"{shown}, {sent}" if shown else sent
