"""Suites of state machines against faulty ones: who is in the fault domain, who differs, who is caught, by brute force.

Machines are played event by event and written into tables; nothing of the generators is used on them.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import product

from fullproof.abstract.partition.definition_check import justified
from fullproof.abstract.partition.fixpoint import partition_of
from fullproof.analysis.run_to_completion import RunGoesWrong, RunToCompletion
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats.document.fault_domain import PAVING
from fullproof.generate.statemachine.suite import EventQuestion, exhaustive_events
from fullproof.language.parser import parse_expression
from fullproof.language.syntax import Comparison
from fullproof.language.traversal import nodes
from fullproof.model.common import FaultDomain
from fullproof.model.sts import Assignment

MOST = 1_500
VALUES = ("0", "1", "x", "y", "m", "max(-2, min(2, m + 1))")


def all_events(model):
    """Every signal, or none, with every value of the inputs: whole numbers all of them."""
    ranges = [range(v.type.low, v.type.high + 1) for v in model.inputs]
    names = [v.name for v in model.inputs]
    return [
        (signal, dict(zip(names, values, strict=True)))
        for signal in (None, *model.signals_in)
        for values in product(*ranges)
    ]


def table_of(model, events):
    """Rows of (target, answer) for all configurations that events reach; None where the machine goes wrong."""
    machine = RunToCompletion(model)
    outputs = [v.name for v in model.outputs]
    hidden = len(model.inputs)
    number, waiting, rows = {}, [machine.start], []
    number[machine.start.state, machine.start.values[hidden:]] = 0
    for configuration in waiting:
        row = []
        for signal, inputs in events:
            try:
                runs = machine.runs(configuration, signal, inputs)
            except RunGoesWrong:
                return None
            if len(runs) != 1:
                return None
            end, values = runs[0].end, machine.values(runs[0].end)
            key = end.state, end.values[hidden:]
            if key not in number:
                number[key] = len(waiting)
                waiting.append(end)
            row.append((number[key], (runs[0].sent, tuple(values[name] for name in outputs))))
        rows.append(row)
        if len(waiting) > MOST:
            return None
    return rows


def states_of(rows):
    """How many states the minimal machine has."""
    group = [0] * len(rows)
    while True:
        seen = {}
        new = [
            seen.setdefault((group[s], tuple((group[t], o) for t, o in row)), len(seen)) for s, row in enumerate(rows)
        ]
        if len(seen) == len(set(group)):
            return len(seen)
        group = new


def differ(one, other):
    """Whether some sequence of events is answered differently."""
    waiting, met = [(0, 0)], {(0, 0)}
    for a, b in waiting:
        for (to, answer), (there, reply) in zip(one[a], other[b], strict=True):
            if answer != reply:
                return True
            if (to, there) not in met:
                met.add((to, there))
                waiting.append((to, there))
    return False


def fails(one, other, words):
    """Whether some word is answered differently."""
    for word in words:
        a = b = 0
        for event in word:
            (a, answer), (b, reply) = one[a][event], other[b][event]
            if answer != reply:
                return True
    return False


def single_faults(model):
    """Other targets, triggers, sends and assignments, forgotten ones, moved boundaries, and a state too many."""
    for k, t in enumerate(model.transitions):
        changed = [replace(t, target=state) for state in model.states if state != t.target]
        if t.trigger is not None:
            changed += [replace(t, trigger=s) for s in model.signals_in if s != t.trigger]
        changed += [replace(t, sends=s) for s in ((), *((name,) for name in model.signals_out)) if s != t.sends]
        for j, action in enumerate(t.actions):
            rest = t.actions[:j], t.actions[j + 1 :]
            changed.append(replace(t, actions=rest[0] + rest[1]))
            for text in VALUES:
                wrong = Assignment(variable=action.variable, expression=parse_expression(text))
                changed.append(replace(t, actions=(*rest[0], wrong, *rest[1])))
        changed += [replace(t, guard=guard) for guard in moved(t.guard)]
        for other in changed:
            yield _with(model, k, other)
        yield from extra_states(model, k)


def moved(guard):
    """The guard with one comparison moved by one value of its boundary, or turned round."""
    first = next((node for node in nodes(guard) if isinstance(node, Comparison)), None)
    if first is not None:
        for operator in ("<", "<=", ">", ">=", "==", "!="):
            if (operator,) != first.operators:
                yield _replaced(guard, first, Comparison(first.operands, (operator,)))


def _replaced(tree, old, new):
    """The tree with a part replaced; parts of guards here are conjunctions and negations."""
    if tree == old:
        return new
    if hasattr(tree, "left"):
        return replace(tree, left=_replaced(tree.left, old, new), right=_replaced(tree.right, old, new))
    if hasattr(tree, "operand"):
        return replace(tree, operand=_replaced(tree.operand, old, new))
    return tree


def extra_states(model, k):
    """Transition ``k`` leads to a copy of its target, of which one transition is missing or leads elsewhere."""
    t, name = model.transitions[k], f"copy{len(model.states)}"
    leaving = [other for other in model.transitions if other.source == t.target]
    for j in range(len(leaving)):
        for wrong in ([], [replace(leaving[j], source=name, target=model.initial)]):
            kept = [replace(other, source=name) for i, other in enumerate(leaving) if i != j]
            transitions = (
                *model.transitions[:k],
                replace(t, target=name),
                *model.transitions[k + 1 :],
                *kept,
                *wrong,
            )
            yield replace(model, states=(*model.states, name), transitions=transitions)


def _with(model, k, transition):
    return replace(model, transitions=(*model.transitions[:k], transition, *model.transitions[k + 1 :]))


def double_faults(model, dice, count):
    """Some of the machines with two faults."""
    singles = list(single_faults(model))
    for one in dice.sample(singles, min(count, len(singles))):
        twice = list(single_faults(one))
        yield dice.choice(twice)


@dataclass
class Tally:
    """What became of the faulty machines."""

    counts: Counter = field(default_factory=Counter)
    survivors: list = field(default_factory=list)


def is_worthwhile(model):
    """Whether there is something to tell apart: cheap to ask before a partition is computed."""
    rows = table_of(model, all_events(model))
    return rows is not None and 4 <= states_of(rows) <= 40


class Target:
    """A model with its partition, computed once, and its behaviour on all events there are."""

    def __init__(self, model):
        self.model = model
        self.partition = partition_of(model, timeout=20.0)
        self.justification = justified(model, self.partition, timeout=20.0)
        self.everything = all_events(model)
        self.whole = table_of(model, self.everything)  # None where it is endless

    @property
    def is_certain(self):
        """Whether a suite for it carries a guarantee."""
        return self.justification.holds is True and not self.partition.doubts

    def suite(self, *, extra_states, method="auto", paving=()):
        """The suite of the generator, from the same partition."""
        pavings = PAVING.of_options(paving, self.model.inputs, at=NOWHERE)
        question = EventQuestion(
            model=self.model,
            partition=self.partition,
            justification=self.justification,
            domain=FaultDomain(paving=pavings),
        )
        return exhaustive_events(question, SuiteRequest(method=method), extra_states=extra_states)


def attack(target, mutants, *, extra_states, method="auto", paving=()):
    """Generate a suite and try it on all mutants; survivors are in the fault domain, differ on the events, and pass."""
    tally = Tally()
    suite = target.suite(extra_states=extra_states, method=method, paving=paving)
    chosen = [(event.signal, dict(event.inputs)) for event in suite.events]
    words = [word.tolist() for piece in suite.words.chunks() for word in piece]
    right = table_of(target.model, chosen)
    assert right is not None
    assert states_of(right) == suite.finite.states
    tally.counts["suites"] += 1
    for mutant in mutants:
        wrong = table_of(mutant, chosen)
        if wrong is None:
            tally.counts["goes wrong"] += 1
            continue
        caught = fails(right, wrong, words)
        if not differ(right, wrong):
            assert not caught, "a system that conforms fails"
            full = table_of(mutant, target.everything)
            same = full is not None and not differ(target.whole, full)
            tally.counts["equivalent" if same else "differs on other events only"] += 1
        elif states_of(wrong) <= suite.finite.states + extra_states:
            tally.counts["inside, caught" if caught else "inside, survives"] += 1
            if not caught:
                tally.survivors.append(mutant)
        else:
            tally.counts["more states, caught" if caught else "more states, survives"] += 1
    return tally


def along(part, model, *, most=400):
    """The rows of a machine seen along the sequences of a restricted model: outside them the answer is None."""
    machine = RunToCompletion(model)
    outputs = [v.name for v in model.outputs]
    outside = object()
    number, waiting, rows = {(0, machine.start): 0}, [(0, machine.start)], []
    for place, configuration in waiting:
        row = []
        for k, event in enumerate(part.events):
            to = -1 if configuration is outside else part.after[place][k]
            if to < 0:
                key, answer = (-1, outside), None
            else:
                try:
                    (run,) = machine.runs(configuration, event.signal, dict(event.inputs))
                except (RunGoesWrong, ValueError):
                    return None
                values = machine.values(run.end)
                key, answer = (to, run.end), (run.sent, tuple(values[name] for name in outputs))
            if key not in number:
                number[key] = len(waiting)
                waiting.append(key)
            row.append((number[key], answer))
        rows.append(row)
        if len(waiting) > most:
            return None
    return rows
