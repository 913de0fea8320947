"""Finite Mealy machines, possibly partial and nondeterministic: (S, s0, I, O, h)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.model.common import Description, require_distinct, require_known
from fullproof.model.interface import SymbolInterface


class FsmTransition(NamedTuple):
    """``source --input/output--> target``. A NamedTuple, because industrial machines have hundreds of thousands."""

    source: str
    input: str
    output: str
    target: str
    requirements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fsm:
    """A finite Mealy machine. An input without a transition in a state is undefined there."""

    kind: ClassVar[str] = "fsm"
    choices: ClassVar[tuple[str, ...]] = ()
    """Choice points among the states: only a statemachine has them."""

    name: str
    initial: str
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    transitions: tuple[FsmTransition, ...]
    description: Description = Description()
    unavailable: str | None = None
    """The output by which a system shows that it does not offer an input, which then changes nothing."""
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The source line of each transition, or nothing: kept apart so that equality ignores them."""

    @property
    def interface(self) -> SymbolInterface:
        """What its inputs and outputs are."""
        return SymbolInterface(
            symbols=self.inputs, answers=self.outputs, named=self.inputs, unavailable=self.unavailable
        )

    @property
    def is_partial(self) -> bool:
        """Whether some input is undefined in some state."""
        return len({t[:2] for t in self.transitions}) < len(self.states) * len(self.inputs)

    def __post_init__(self) -> None:
        for what in ("state", "input", "output"):
            require_distinct(getattr(self, what + "s"), what=what)
        require_known(self.initial, self.states, what="initial state")
        if self.unavailable is not None:
            require_known(self.unavailable, self.outputs, what="output")
        states, inputs, outputs = set(self.states), set(self.inputs), set(self.outputs)
        seen: set[tuple[str, str, str, str]] = set()
        for t in self.transitions:
            if t.source in states and t.target in states and t.input in inputs and t.output in outputs:
                seen.add(t[:4])
                continue
            for name, known, what in (
                (t.source, states, "state"),
                (t.target, states, "state"),
                (t.input, inputs, "input"),
                (t.output, outputs, "output"),
            ):
                if name not in known:
                    raise UserError(
                        f"transition {t.source} -> {t.target}: unknown {what} {name!r}{did_you_mean(name, known)}"
                    )
        if len(seen) < len(self.transitions):
            raise UserError("the same transition is listed twice")
