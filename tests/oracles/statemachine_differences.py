"""Whether two state machines differ: breadth-first over a grid of input values, without any theory."""

from fractions import Fraction
from itertools import product

from fullproof.analysis.run_to_completion import RunToCompletion
from fullproof.language.syntax import Decimal, Integer
from fullproof.language.traversal import nodes
from fullproof.language.types import BoolType, EnumType, IntType


def shortest_difference(one, other, *, depth=7, width=4_000):
    """A sequence of (signal, inputs) that is answered differently, or None where the grid shows none."""
    machines = RunToCompletion(one), RunToCompletion(other)
    grids = [grid(v, one) for v in one.inputs]
    events = [
        (signal, dict(zip([v.name for v in one.inputs], values, strict=True)))
        for signal in (None, *one.signals_in)
        for values in product(*grids)
    ]
    layer = [((machines[0].start, machines[1].start), ())]
    seen = {layer[0][0]}
    for _ in range(depth):
        following = []
        for pair, word in layer:
            for signal, inputs in events:
                runs = [machine.runs(c, signal, inputs) for machine, c in zip(machines, pair, strict=True)]
                (here,), (there,) = runs
                outputs = [
                    [machine.values(run.end)[v.name] for v in one.outputs]
                    for machine, run in zip(machines, (here, there), strict=True)
                ]
                longer = (*word, (signal, inputs))
                if here.sent != there.sent or outputs[0] != outputs[1]:
                    return longer
                after = here.end, there.end
                if after not in seen and len(seen) < width:
                    seen.add(after)
                    following.append((after, longer))
        layer = following
    return None


def grid(variable, model):
    """The numbers that the model mentions, their neighbours and sums: small enough to try all, large enough to meet."""
    match variable.type:
        case BoolType():
            return [False, True]
        case EnumType(values=values):
            return list(values)
    constants = {
        Fraction(node.value)
        for t in model.transitions
        for node in nodes(t.guard)
        if isinstance(node, Integer | Decimal)
    }
    low, high = variable.type.low, variable.type.high
    numbers = {value for c in constants for value in (c, c + 1)} | {Fraction(0)}
    numbers = {n for n in numbers if (low is None or low <= n) and (high is None or n <= high)}
    if low is not None and high is not None and high - low <= 5:
        numbers = {Fraction(n) for n in range(int(low), int(high) + 1)}
    kept = sorted(numbers)
    return [int(n) for n in kept if n.denominator == 1] if isinstance(variable.type, IntType) else kept
