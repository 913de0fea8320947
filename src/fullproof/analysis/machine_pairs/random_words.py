"""Random words that cover a model: cheap, and often sufficient to distinguish another machine from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from fullproof.analysis.machine_pairs.concrete_play import ModelUndefined, Word, only_run
from fullproof.analysis.run_to_completion import CompletedRun, Configuration, RunGoesWrong, RunToCompletion
from fullproof.core.errors import Bug
from fullproof.language.syntax import Decimal, Integer
from fullproof.language.traversal import nodes
from fullproof.language.types import BoolType, EnumType, IntType, ListType, Value, Variable
from fullproof.language.values import in_range
from fullproof.model import StateMachine
from fullproof.model.inputs import SignalEvent

_WALKS = 80
_LENGTH = 16
_CHOICES = 6
_NEAR = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 2))


def values_to_try(variable: Variable, model: StateMachine) -> list[Value]:
    """All values of a bool or an enum; of numbers those that the model mentions, with neighbours, and the bounds."""
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
        case ListType():
            raise Bug("only a machine of kind sts has lists")
    type_ = variable.type
    trees = [e for t in model.transitions for e in (t.guard, *(a.expression for a in t.actions))]
    mentioned = {Fraction(n.value) for tree in trees for n in nodes(tree) if isinstance(n, Integer | Decimal)}
    mentioned |= {Fraction(c.value) for c in model.description.constants if not isinstance(c.value, bool | str)}
    mentioned |= {Fraction(bound) for bound in (type_.low, type_.high) if bound is not None}
    near = sorted({number + step for number in (mentioned or {Fraction(0)}) for step in _NEAR})
    if isinstance(type_, IntType):
        return [int(n) for n in near if n.denominator == 1 and in_range(int(n), type_)] or [type_.low or 0]
    return [n for n in near if in_range(n, type_)] or [type_.low or Fraction(0)]


def walks(model: StateMachine, rng: Random) -> list[Word]:
    """Words that prefer transitions which others took seldom, with values at boundaries of the guards."""
    return _Walking(model, rng).words()


class _Walking:
    def __init__(self, model: StateMachine, rng: Random) -> None:
        self._model = model
        self._machine = RunToCompletion(model)
        self._rng = rng
        self._tried = {v.name: values_to_try(v, model) for v in model.inputs}
        self._taken: Counter[int] = Counter()

    def words(self) -> list[Word]:
        return [tuple(self._events()) for _ in range(_WALKS)]

    def _events(self) -> Iterator[SignalEvent]:
        here = self._machine.start
        for _ in range(_LENGTH):
            options = [option for _ in range(_CHOICES) if (option := self._option(here)) is not None]
            if not options:
                return
            event, run = min(options, key=lambda option: self._novelty(option[1]))
            self._taken.update(run.transitions)
            here = run.end
            yield event

    def _novelty(self, run: CompletedRun) -> tuple[bool, int]:
        return not run.transitions, min((self._taken[number] for number in run.transitions), default=0)

    def _option(self, here: Configuration) -> tuple[SignalEvent, CompletedRun] | None:
        signal = self._rng.choice((None, *self._model.signals_in, *self._model.signals_in))
        event = SignalEvent.of(signal, {v.name: self._value(v, here) for v in self._model.inputs})
        try:
            return event, only_run(self._machine, here, event)
        except (RunGoesWrong, ModelUndefined):
            return None

    def _value(self, variable: Variable, here: Configuration) -> Value:
        """A value to try, or its sum with a stored value."""
        tried = self._rng.choice(self._tried[variable.name])
        if isinstance(tried, bool | str) or self._rng.random() < 0.5:
            return tried
        known = [value for value in here.values if value is not None and not isinstance(value, bool | str)]
        moved = tried + self._rng.choice(known) if known else tried
        if isinstance(variable.type, IntType):
            moved = int(moved)
        return moved if in_range(moved, variable.type) else tried
