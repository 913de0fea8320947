"""Notes on classes and slips that the tests of a state machine do not distinguish."""

from __future__ import annotations

from fullproof.artefacts.partition import ClassPartition
from fullproof.core.counted import counted
from fullproof.generate.statemachine.alternatives import Slip
from fullproof.generate.statemachine.identification import Identified
from fullproof.language.formulas import conjunction
from fullproof.language.printer import to_text, value_to_text
from fullproof.model import StateMachine

_SHOWN = 4
LISTED = 100


def class_text(partition: ClassPartition, number: int) -> str:
    """A control state with its condition."""
    c = partition.states[number]
    return f"{c.state} where {to_text(conjunction(c.literals))}" if c.literals else c.state


def merged_classes(found: Identified, partition: ClassPartition) -> list[list[str]]:
    """The pairs of classes that no test distinguishes."""
    return [[class_text(partition, number) for number in pair] for pair in found.never]


def undetected_slips(found: Identified, model: StateMachine) -> list[str]:
    """The steps with slips after which no difference was found, and slips of transitions that had no effect."""
    listed = [
        f"{_slip_text(slip, model)}, at {place.state} with "
        + ", ".join([event.signal or "no signal", *(f"{n} = {value_to_text(v)}" for n, v in event.inputs)])
        for place, event, slip in found.undetected
    ]
    return [*listed, *(f"{_slip_text(slip, model)}, which had no effect in any test" for slip in found.idle)]


def _slip_text(slip: Slip, model: StateMachine) -> str:
    match slip:
        case ("state", str(state)):
            return f"the state is {state}"
        case ("class", int()):
            return "the values are of another class"
        case ("assignment", int(number), str(variable), what):
            how = "not assigned" if isinstance(what, int) else str(what)
            return f"{variable} {how} by {_arrow(model, number)}"
        case (what, int(number)):
            return f"{_arrow(model, number)} {'taken instead' if what == 'fires' else 'not taken'}"
    raise AssertionError(slip)


def _arrow(model: StateMachine, number: int) -> str:
    t = model.transitions[number]
    return f"{t.source} -> {t.target}" if t.trigger is None else f"{t.source} --{t.trigger}--> {t.target}"


def undetected_notes(found: Identified, partition: ClassPartition, model: StateMachine) -> list[str]:
    """Notes for the listing: pairs of classes by name, and the number of undetected slips."""
    notes = []
    pairs = merged_classes(found, partition)
    if pairs:
        shown = "; ".join(" and ".join(pair) for pair in pairs[:_SHOWN])
        more = f" and {counted(len(pairs) - _SHOWN, 'more pair')}" if len(pairs) > _SHOWN else ""
        notes.append(f"no test distinguishes these classes: {shown}{more}")
    if found.left_out:
        notes.append(
            f"{found.left_out:,} slips to other states after steps were not looked at, there are too many: what the "
            "suite detects beyond its guarantee is less"
        )
    slips = undetected_slips(found, model)
    if slips:
        more = f"; and {len(slips) - 2:,} more, see --json" if len(slips) > 2 else ""
        notes.append(
            f"{len(slips):,} of {found.slips:,} slips after steps are not detected: {'; '.join(slips[:2])}{more}"
        )
    return notes
