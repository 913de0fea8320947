"""Equivalence of two deterministic state machines with few values: all pairs of configurations."""

from itertools import product

from fullproof.analysis.run_to_completion import RunToCompletion


def difference(one, other):
    """A shortest sequence of events that two machines answer differently, or None where there is none."""
    machines = RunToCompletion(one), RunToCompletion(other)
    names = [v.name for v in one.inputs]
    values = product(*(range(v.type.low, v.type.high + 1) for v in one.inputs))
    events = [(signal, dict(zip(names, v, strict=True))) for v in values for signal in (None, *one.signals_in)]
    waiting = [((machines[0].start, machines[1].start), ())]
    seen = {waiting[0][0]}
    for pair, word in waiting:
        for event in events:
            after, same = both(machines, pair, event)
            if not same:
                return (*word, event)
            if after not in seen:
                seen.add(after)
                waiting.append((after, (*word, event)))
    return None


def both(machines, pair, event):
    """Where one event leads two machines, and whether that looks the same."""
    (here,), (there,) = (machine.runs(c, *event) for machine, c in zip(machines, pair, strict=True))
    outputs = [v.name for v in machines[0].model.outputs]
    seen = [[m.values(run.end)[name] for name in outputs] for m, run in zip(machines, (here, there), strict=True)]
    return (here.end, there.end), seen[0] == seen[1] and here.sent == there.sent
