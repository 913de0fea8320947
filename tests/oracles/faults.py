"""Every machine that is one fault away, by looking at all quadruples of names."""

from __future__ import annotations

from fullproof.model import Fsm

Arrows = frozenset[tuple[str, str, str, str]]


def one_fault_away(fsm: Fsm, *, plain: bool, split: bool) -> set[Arrows]:
    """The transitions of all mutants; ``plain`` leaves out faults that a deterministic complete machine cannot have."""
    arrows = frozenset((t.source, t.input, t.output, t.target) for t in fsm.transitions)
    found: set[Arrows] = set()
    for arrow in arrows:
        source, symbol, output, target = arrow
        rest = arrows - {arrow}
        found |= {rest | {(source, symbol, other, target)} for other in fsm.outputs}
        found |= {rest | {(source, symbol, output, other)} for other in fsm.states}
        if not plain:
            found.add(rest)
        if split:
            found |= _splits(fsm, arrows, arrow)
    for gone in set(fsm.states) - {fsm.initial}:
        for kept in set(fsm.states) - {gone}:
            found.add(frozenset((s, i, o, kept if t == gone else t) for s, i, o, t in arrows if s != gone))
    if not plain:
        labels = {arrow[:3] for arrow in arrows}
        found |= {
            arrows | {(s, i, o, t)}
            for s in fsm.states
            for i in fsm.inputs
            for o in fsm.outputs
            for t in fsm.states
            if (s, i, o) not in labels
        }
    return found - {arrows}


def _splits(fsm: Fsm, arrows: Arrows, arrow: tuple[str, str, str, str]) -> set[Arrows]:
    source, symbol, output, target = arrow
    copy = target + "'"
    while copy in fsm.states:
        copy += "'"
    found = set()
    row = {(i, o, t) for s, i, o, t in arrows if s == target}
    for i, o, t in row:
        changes = {(i, other, t) for other in fsm.outputs if other != o}
        changes |= {(i, o, other) for other in fsm.states if other != t}
        for change in changes:
            copies = {(copy, *step) for step in (row - {(i, o, t)}) | {change}}
            found.add((arrows - {arrow}) | {(source, symbol, output, copy)} | copies)
    return found
