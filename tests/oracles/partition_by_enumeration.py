"""Definition 1 of paper 003 by trying all values: for state machines whose attributes have few."""

from itertools import product

from fullproof.analysis.run_to_completion import Configuration, RunToCompletion
from fullproof.language.evaluate import evaluate
from fullproof.language.scope import Scope


def broken_pairs(model, partition):
    """The pairs of a state class and a trigger class whose members do not all run alike, and values in no class."""
    machine = RunToCompletion(model)
    variables = (*model.inputs, *model.outputs, *model.variables)
    scope = Scope(variables, {c.name: c.value for c in model.description.constants})
    ranges = [range(v.type.low, v.type.high + 1) for v in variables]
    everything = [dict(zip(machine.names, values, strict=True)) for values in product(*ranges)]
    inputs = [v.name for v in model.inputs]

    def classes_of(state, values):
        return [k for k, c in enumerate(partition.states) if c.state == state and evaluate(c.condition, scope, values)]

    def triggers_of(values):
        return [k for k, t in enumerate(partition.triggers) if evaluate(t.condition, scope, values)]

    wrong = [f"{values} meets {found}" for values in everything if len(found := triggers_of(values)) != 1]
    behaviour = {}
    for state in model.states:
        if state in model.choices:
            continue
        for values in everything:
            resting = not any(
                t.trigger is None and t.source == state and evaluate(t.guard, scope, values) for t in model.transitions
            )
            found = classes_of(state, values)
            if len(found) != resting:
                wrong.append(f"{state}, {values}: classes {found}")
            if not resting:
                continue
            for changed in product(*(ranges[k] for k in range(len(inputs)))):
                after = {**values, **dict(zip(inputs, changed, strict=True))}
                for signal in (None, *model.signals_in):
                    before = Configuration(state, tuple(after[name] for name in machine.names))
                    runs = machine.runs(before, signal, {})
                    ends = [(r.transitions, tuple(classes_of(r.end.state, machine.values(r.end)))) for r in runs]
                    for trigger in triggers_of(after):
                        behaviour.setdefault((found[0], trigger, signal), set()).add(tuple(ends))
    return wrong + [f"{pair}: {ends}" for pair, ends in behaviour.items() if len(ends) > 1]
