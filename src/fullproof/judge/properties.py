"""Property runs: conformance as for any suite, and monitors that say which properties a trace violates.

Paper 000, Theorem 3: a suite for properties shows them on systems that are equivalent to the model as far as its tests
go (TS-equivalence). So the pass relation is that of equivalence, every observed trace allowed and every symbolic trace
seen, and a test may fail although no property is violated. A reduction of the model satisfies its properties, too: then
every observed trace must be allowed, and no answer is required.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fullproof.artefacts.execution import Execution, Step
from fullproof.artefacts.request import Relation
from fullproof.artefacts.run import StepRow
from fullproof.artefacts.suite import Test, TestInput
from fullproof.artefacts.verdict import Judgement, Verdict, Violation
from fullproof.judge.oracle import Oracle, OracleObserver, text_of
from fullproof.judge.semantics import Outcome, Semantics
from fullproof.judge.sfsm import SfsmSemantics
from fullproof.language.monitor import monitor_of, valuation_of
from fullproof.language.printer import to_text
from fullproof.language.safety import offending_operator
from fullproof.language.types import Value
from fullproof.model import Sfsm
from fullproof.model.common import Property

_UNRELATED = "no property asked for is violated: a conformance failure"
_LOST = "(the model has no such trace)"


class Monitors:
    """The bad-prefix monitors of those properties of a model that are safety by their form: no trace refutes others.

    They take any values for the system's outputs, also those that the model rules out: a prefix is bad only where every
    continuation violates the property.
    """

    def __init__(self, model: Sfsm, properties: Sequence[Property]) -> None:
        scope = model.scope
        safe = [stated for stated in properties if offending_operator(stated.formula) is None]
        monitors = [(stated, monitor_of(stated.formula)) for stated in safe]
        self._monitors = [(stated, monitor, valuation_of(monitor, scope)) for stated, monitor in monitors]

    def violations(self, trace: Execution) -> tuple[Violation, ...]:
        """The properties that a trace violates, in their order, each with the first step that shows it."""
        values = [_values(step) for step in trace.steps]
        found = []
        for stated, monitor, letter in self._monitors:
            step = monitor.run(map(letter, values))
            if step is None:
                continue
            shown = values[step - 1] if step else {}  # at step 0 nothing satisfies the formula
            atoms = zip(map(to_text, monitor.atoms), letter(shown), strict=True) if step else ()
            found.append(
                Violation(
                    property=stated.name,
                    step=step,
                    formula=to_text(stated.formula),
                    atoms=tuple(atoms),
                    values=text_of(shown),
                )
            )
        return tuple(found)


class PropertyOracle(Oracle):
    """Judges traces of an sfsm for a relation and says which of some properties the bad ones violate.

    The relation is the one that carries the properties over: equivalence, or reduction.
    """

    def __init__(self, model: Sfsm, properties: Sequence[Property], relation: Relation) -> None:
        super().__init__(SfsmSemantics(model, relation), relation)
        self.properties = tuple(stated.name for stated in properties)
        self._monitors = Monitors(model, properties)
        self._tolerant = any(variable.tolerance for variable in model.outputs)

    def judge(self, trace: Execution) -> Judgement:
        """The verdict on one trace. One that the model allows may violate a property only where the model does."""
        judgement = super().judge(trace)
        violations = self._monitors.violations(trace)
        if judgement.verdict is not Verdict.PASS:
            return self.told(judgement, violations)
        if not violations or self._tolerant:  # within the tolerance of an output, a proposition may be true or false
            return replace(judgement, violates=())
        broken = replace(
            judgement,
            verdict=Verdict.FAIL,
            step=max(1, min(v.step for v in violations)) if trace.steps else None,
            reason="the model does not rule this out",
        )
        return self.told(broken, violations)

    def told(self, judgement: Judgement, violations: Sequence[Violation] = ()) -> Judgement:
        """The judgement with its consequences for the properties."""
        if judgement.verdict is Verdict.FAIL or violations:
            texts = [f"violates {v.property} at step {v.step}" for v in violations]
            whys = [v.why() for v in violations]
            reason = "; ".join(filter(None, (*texts, judgement.reason, *whys, "" if violations else _UNRELATED)))
            return replace(judgement, reason=reason, violates=tuple(violations))
        return replace(judgement, violates=())

    def observer(self, test: Test) -> OracleObserver:  # noqa: ARG002
        """Follow a test to its end: what comes after a wrong step may violate a property."""
        return _Persistent(self.semantics)

    def story(self, trace: Execution) -> tuple[StepRow, ...]:
        """The steps up to the one that decided, and on to the last that violates a property."""
        rows = list(super().story(trace))
        steps = {violation.step for violation in self._monitors.violations(trace)}
        rows = [replace(row, ok=row.ok and number not in steps) for number, row in enumerate(rows, 1)]
        for number in range(len(rows) + 1, max(steps, default=0) + 1):
            step = trace.steps[number - 1]
            ok = number not in steps
            rows.append(StepRow(input=text_of(step.input), allowed=(_LOST,), observed=text_of(step.output), ok=ok))
        return tuple(rows)


class _Persistent(OracleObserver):
    """An observer that continues after a step that the model does not allow."""

    def __init__(self, semantics: Semantics) -> None:
        super().__init__(semantics)

    def wants(self, symbol: TestInput, /) -> bool:
        """Whether there is anything to learn from this input."""
        if self.node in (Outcome.REJECTED, Outcome.UNKNOWN):
            return True
        return super().wants(symbol)


def _values(step: Step) -> dict[str, Value]:
    assert isinstance(step.input, Mapping)
    assert isinstance(step.output, Mapping)
    return {**step.input, **step.output}
