"""What has changed since an older model: which transitions, and which states of it a system may still have."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Mapping, Sequence

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition
from fullproof.model.named_faults import FaultName, FormerTransition, NamedFaults

Reactions = Mapping[tuple[str, str], FsmTransition]


@dataclasses.dataclass(frozen=True, slots=True)
class VersionChange:
    """The states and inputs for which a new model reacts otherwise, and the states that only the older one has.

    ``open``: what former states do with inputs that the older model does not have there, which may be anything.
    """

    transitions: tuple[tuple[str, str], ...]
    former: tuple[FormerTransition, ...]
    open: tuple[tuple[str, str], ...]

    def limiting(self, faults: NamedFaults) -> NamedFaults:
        """The same faults, only where something has changed.

        With any target, a wrong transition may also lead to a former state: a system in which the change was not made,
        or not everywhere, still has them.
        """
        found = dataclasses.replace(faults, transitions=self.transitions, changed_since=None)
        if FaultName.TRANSFER not in faults.names or not self.transitions:
            return found
        return dataclasses.replace(found, transitions=(*self.transitions, *self.open), former=self.former)


def change_between(old: Fsm, new: Fsm, *, at: Place = NOWHERE) -> VersionChange:
    """Compare two versions; ``at`` is the place of the older one.

    States correspond where the same inputs first lead, with the same outputs, whatever their names; other ones to the
    state that reacts most alike, of several to that of the same name. A state that reacts like none is new: all its
    transitions have changed. Needs: a complete deterministic new model. Guarantee: the older model, restricted to the
    inputs of the new one, is the new model with some changed transitions and the former states.
    """
    before = _reactions(old, at)
    after = {(t.source, t.input): t for t in new.transitions}
    twin = _twins(old, new, before, after)
    changed = []
    for (state, symbol), now in after.items():
        then = before.get((twin.get(state, ""), symbol))
        if then is None or then.output != now.output or twin.get(now.target) != then.target:
            changed.append((state, symbol))
    return VersionChange(tuple(changed), *_former(new, before, twin, changed))


def _reactions(old: Fsm, at: Place) -> Reactions:
    before: dict[tuple[str, str], FsmTransition] = {}
    for t in old.transitions:
        if before.setdefault((t.source, t.input), t) != t:
            what = f"state {t.source!r} has several transitions for input {t.input!r}"
            raise UserError(f"the older model is nondeterministic: {what}", at=at)
    return before


def _twins(old: Fsm, new: Fsm, before: Reactions, after: Reactions) -> dict[str, str]:
    """For each state of the new model the state of the older one that it corresponds to, if there is one."""
    twin = {new.initial: old.initial}
    queue = deque(twin)
    while queue:
        state = queue.popleft()
        for symbol in new.inputs:
            now, then = after.get((state, symbol)), before.get((twin[state], symbol))
            if now and then and now.output == then.output and now.target not in twin:
                twin[now.target] = then.target
                queue.append(now.target)
    for state in new.states:
        if state not in twin:
            free = [one for one in old.states if one not in twin.values()]
            alike = {one: _alike(state, one, new.inputs, after, before, twin) for one in free}
            best = max(free, key=lambda one: (alike[one], one == state), default=None)
            if best is not None and alike[best]:
                twin[state] = best
    return twin


def _alike(
    state: str, other: str, inputs: Sequence[str], after: Reactions, before: Reactions, twin: Mapping[str, str]
) -> int:
    """How much two states react alike: outputs that agree, and targets that correspond."""
    found = 0
    for symbol in inputs:
        now, then = after.get((state, symbol)), before.get((other, symbol))
        if now and then and now.output == then.output:
            found += 2 if twin.get(now.target, now.target) == then.target else 1
    return found


def _former(
    new: Fsm, before: Reactions, twin: Mapping[str, str], changed: Sequence[tuple[str, str]]
) -> tuple[tuple[FormerTransition, ...], tuple[tuple[str, str], ...]]:
    """The states of the older model that changed transitions lead to there, where no state corresponds to them."""
    stands: dict[str, str] = {}
    for state in new.states:
        if state in twin:
            stands.setdefault(twin[state], state)
    used = set(new.states)
    rows, unknown = list[FormerTransition](), list[tuple[str, str]]()
    queue = deque(before[twin[s], i].target for s, i in changed if s in twin and (twin[s], i) in before)
    seen = set[str]()
    while queue:
        state = queue.popleft()
        if state in stands or state in seen:
            continue
        seen.add(state)
        queue.extend(before[state, i].target for i in new.inputs if (state, i) in before)
    names = dict(stands)
    for state in sorted(seen):
        names[state] = f"former {state}"
        while names[state] in used:
            names[state] += "'"
        used.add(names[state])
    for state in sorted(seen):
        for symbol in new.inputs:
            then = before.get((state, symbol))
            if then is None:
                unknown.append((names[state], symbol))
                rows.append(FormerTransition(names[state], symbol, new.outputs[0], names[state]))
            else:
                rows.append(FormerTransition(names[state], symbol, then.output, names[then.target]))
    return tuple(rows), tuple(unknown)
