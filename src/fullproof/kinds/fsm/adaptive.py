"""``run --adaptive``: inputs chosen by what the system has answered so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fullproof.artefacts.execution import Step
from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.notes import MeaningNote
from fullproof.artefacts.request import GREY_BOX, Relation
from fullproof.artefacts.run import RunResult
from fullproof.artefacts.suite import SuiteHeader, Test, TestInput
from fullproof.artefacts.verdict import Verdict
from fullproof.artefacts.written_states import WrittenStates, given_extra_states, written_states
from fullproof.core.errors import UserError
from fullproof.kinds.suite import header_for
from fullproof.model import Fsm

if TYPE_CHECKING:
    from fullproof.analysis.responses import Responses
    from fullproof.generate.finite.adaptive import AdaptiveCounting, TraceNode
    from fullproof.kinds.conduct import RunOrder

ADAPTIVE = (Relation.REDUCTION, Relation.QUASI_REDUCTION, Relation.STRONG_REDUCTION)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """The adaptive tester of one run: the executions it requests, and their guarantee."""

    counting: AdaptiveCounting
    machine: Responses
    symbols: tuple[str, ...]
    outputs: Mapping[str, int]
    header: SuiteHeader
    notes: tuple[str, ...] = ()

    def tests(self) -> Iterator[Test]:
        """One empty test for each execution, as long as there is anything to try."""
        while self.counting.goes_on():
            yield Test(inputs=())

    def pilot(self) -> _Pilot:
        """Who chooses the inputs of one execution."""
        return _Pilot(self)

    def told(self) -> tuple[SuiteHeader, tuple[str, ...]]:
        """What the run proves, once it has ended."""
        if self.counting.finished:
            return self.header, self.notes
        why = self.counting.reason or "the run was stopped before everything had been tried"
        return replace(self.header, guarantee=no_guarantee(why)), (
            MeaningNote(f"adaptive testing did not finish: {why}"),
            *self.notes,
        )

    def settled(self, result: RunResult) -> RunResult:
        """The result of a run that may have ended before everything was tried: then a pass proves nothing."""
        if self.counting.finished or result.verdict is not Verdict.PASS:
            return result
        return replace(result, verdict=Verdict.INCONCLUSIVE)


class _Pilot:
    def __init__(self, adaptive: Adaptive) -> None:
        self._adaptive = adaptive
        self._node: TraceNode | None = adaptive.counting.root
        self._number = {symbol: k for k, symbol in enumerate(adaptive.symbols)}

    def next(self, enabled: frozenset[str] | None, /) -> TestInput | None:
        """The input that the tester wants next."""
        node = self._node
        if node is None:
            return None
        if enabled is not None:
            node.enabled = frozenset(self._number[x] for x in enabled if x in self._number)
        chosen = self._adaptive.counting.choose(node)
        return None if chosen is None else self._adaptive.symbols[chosen]

    def sees(self, step: Step, /) -> None:
        """Follow the answer."""
        assert self._node is not None
        symbol = self._number[str(step.input)]
        known = self._adaptive.outputs.get(step.output) if isinstance(step.output, str) else None
        state = None if known is None else self._adaptive.machine.after[self._node.state][symbol].get(known)
        self._node = self._adaptive.counting.saw(self._node, symbol, repr(step.output), state)


def adaptive_for(model: Fsm, order: RunOrder) -> Adaptive:
    """Prepare the tester that ``--adaptive`` asks for, or raise a UserError that says why there is none."""
    from fullproof.analysis.table import numbering
    from fullproof.generate.finite.adaptive import AdaptiveCounting
    from fullproof.generate.finite.guarantee import adaptive_guarantee
    from fullproof.generate.finite.suite import observable_machine

    request, at = order.request, order.at
    relation = request.suite.relation or Relation.EQUIVALENCE
    if relation not in ADAPTIVE:
        names = ", ".join(r.value for r in ADAPTIVE)
        raise UserError(f"--adaptive is for the relations {names}", at=at)
    machine, _ = observable_machine(model)
    if relation is Relation.REDUCTION and any(len(row) < machine.inputs for row in machine.after):
        raise UserError("reduction is tested for complete models; use --relation quasi-reduction", at=at)
    counts = WrittenStates(written=written_states(model), distinguishable=machine.states, inputs=machine.inputs)
    given = given_extra_states(model, request.suite)
    extra = counts.default if given is None else given
    note = counts.note(extra, given=given is not None)
    numbers = numbering(model)
    proven = adaptive_guarantee(relation, states=machine.states, extra_states=extra, repeat=request.repeat)
    return Adaptive(
        counting=AdaptiveCounting(
            machine, bound=machine.states + extra, repeat=request.repeat, grey=relation in GREY_BOX
        ),
        machine=machine,
        symbols=tuple(numbers.inputs),
        outputs={name: k for k, name in enumerate(numbers.outputs)},
        header=header_for(
            model,
            replace(request.suite, extra_states=extra),
            sha256=order.model_sha256,
            method="adaptive",
            guarantee=proven,
        ),
        notes=() if note is None else (note,),
    )
