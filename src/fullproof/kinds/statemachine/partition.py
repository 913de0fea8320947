"""statemachine -> its equivalence class partition, checked against Definition 1 of paper 003."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fullproof.artefacts.partition import Case, ClassPartition, Justification
from fullproof.core.errors import UserError
from fullproof.kinds.classes import ClassesAsked
from fullproof.language.syntax import TRUE
from fullproof.model import StateMachine

_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPartition:
    """A partition as text, with its justification."""

    model: StateMachine
    partition: ClassPartition
    justification: Justification
    states: tuple[str, ...]
    triggers: tuple[str, ...]

    @property
    def holds(self) -> bool | None:
        """Whether Definition 1 holds; None where something was left open."""
        return None if self.partition.doubts else self.justification.holds

    def fields(self) -> dict[str, object]:
        """The fields of ``classes --json``."""
        counted, after = figures(self), figures_after_switch_on(self)
        cases = Counter(pair.case for pair in self.justification.pairs)
        return {
            "states": [
                {"id": f"s{k}", "state": c.state, "condition": text}
                for k, (c, text) in enumerate(zip(self.partition.states, self.states, strict=True), 1)
            ],
            "triggers": [{"id": f"t{k}", "condition": text} for k, text in enumerate(self.triggers, 1)],
            "signals": list(self.partition.signals),
            "state_classes": counted.states,
            "trigger_classes": counted.triggers,
            "nominal_trigger_classes": counted.nominal,
            "after_switch_on": None
            if after is None
            else {"state_classes": after.states, "trigger_classes": after.triggers, "nominal": after.nominal},
            "definition_1": {
                "holds": self.justification.holds,
                "pairs": len(self.justification.pairs),
                "cases": {case.value: cases[case] for case in Case if cases[case]},
                "failures": [*self.justification.failures, *broken_texts(self)],
                "unknown": list(self.justification.unknown),
                "solver_calls": self.justification.calls,
            },
            "doubts": list(self.partition.doubts),
        }


def classes_of(model: StateMachine, asked: ClassesAsked) -> ReadPartition:
    """Compute, check and print the partition; each of the three may take ``timeout`` seconds."""
    from fullproof.abstract.partition.cases import text_of
    from fullproof.abstract.partition.definition_check import justified
    from fullproof.abstract.partition.fixpoint import partition_of, scope_with_old_inputs
    from fullproof.smt import open_solver

    if asked.properties:
        raise UserError("the classes of a statemachine do not depend on properties", at=asked.at)
    timeout = _SECONDS if asked.timeout is None else asked.timeout
    partition = partition_of(model, timeout=timeout)
    scope = scope_with_old_inputs(model)
    solver = open_solver(scope, timeout=1.0)
    return ReadPartition(
        model=model,
        partition=partition,
        justification=justified(model, partition, timeout=timeout),
        states=tuple(text_of([c.quiescent, *c.literals], solver, scope) for c in partition.states),
        triggers=tuple(text_of(t.literals, solver, scope) for t in partition.triggers),
    )


def switch_on(model: StateMachine) -> tuple[str, str] | None:
    """The auxiliary initial state of paper 003, section 2, and its signal, which triggers nothing else."""
    leaving = [t for t in model.transitions if t.source == model.initial]
    if len(leaving) != 1 or leaving[0].guard != TRUE or leaving[0].trigger is None:
        return None
    entered = any(t.target == model.initial for t in model.transitions)
    heard = sum(t.trigger == leaving[0].trigger for t in model.transitions)
    return None if entered or heard > 1 else (model.initial, leaving[0].trigger)


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of classes and of pairs."""

    states: int
    triggers: int
    nominal: int

    @property
    def pairs(self) -> int:
        """State classes times trigger classes."""
        return self.states * self.triggers


def figures(read: ReadPartition) -> Figures:
    """All classes."""
    partition = read.partition
    signals = len(partition.signals)
    return Figures(len(partition.states), len(partition.triggers) * signals, partition.nominal)


def figures_after_switch_on(read: ReadPartition) -> Figures | None:
    """The same without the auxiliary initial state and its signal, as paper 003 counts."""
    auxiliary = switch_on(read.model)
    if auxiliary is None:
        return None
    partition = read.partition
    signals = len(partition.signals) - 1
    states = sum(c.state != auxiliary[0] for c in partition.states)
    return Figures(states, len(partition.triggers) * signals, partition.nominal // len(partition.signals) * signals)


def broken_texts(read: ReadPartition) -> list[str]:
    """The pairs that are not uniform, or that were left open."""
    return [
        f"s{pair.state + 1} with {pair.signal or 'no signal'} and t{pair.trigger + 1}: {pair.reason}"
        for pair in read.justification.pairs
        if pair.case in (Case.BROKEN, Case.UNKNOWN)
    ]


def run_table(read: ReadPartition) -> list[tuple[str, str, str, str]]:
    """What happens in each state class: the event, the transitions taken, the class reached."""
    rows: dict[tuple[int, tuple[int, ...], int | None], dict[str | None, list[int]]] = {}
    for pair in read.justification.pairs:
        if pair.case is Case.RUNS:
            key = pair.state, pair.transitions, pair.target
            rows.setdefault(key, {}).setdefault(pair.signal, []).append(pair.trigger + 1)
    model, found = read.model, list[tuple[str, str, str, str]]()
    for (state, transitions, target), by_signal in sorted(rows.items(), key=lambda item: item[0][0]):
        path = [model.transitions[number] for number in transitions]
        way = " -> ".join([path[0].source, *(t.target for t in path)])
        some = next(iter(by_signal))
        event = "any event" if len(by_signal) == len(read.partition.signals) else ", ".join(str(s) for s in by_signal)
        listed = " ".join(f"t{k}" for k in by_signal[some][:8]) + (" ..." if len(by_signal[some]) > 8 else "")
        found.append((f"s{state + 1}", f"{event}: {listed}", way, "" if target is None else f"s{target + 1}"))
    return found
