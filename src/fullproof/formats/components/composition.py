"""Components in parallel -> one symbolic transition system.

As TorXakis' ``P |[ gates ]| Q``: a gate on which components synchronise is taken by all that declare it, with the same
values; other steps are taken by one component alone. Hidden gates become internal steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.components.hidden_gates import hidden
from fullproof.formats.components.names import apart, parameters_apart, renamed_switch, spoken_of
from fullproof.language.formulas import conjunction, in_bounds
from fullproof.language.printer import type_to_text
from fullproof.language.scope import Scope
from fullproof.language.syntax import TRUE, Expression, Name
from fullproof.language.type_inference import expect_boolean
from fullproof.language.types import EnumType, Type, Variable
from fullproof.model.common import Constant, Description, Requirement
from fullproof.model.sts import INTERNAL, TAU, Gate, Sts, Switch
from fullproof.smt.answers import Unsat

MOST_LOCATIONS = 5_000
MOST_SWITCHES = 20_000
BETWEEN = "|"
"""Between the locations of the components in the name of a composed one."""

Places = tuple[str, ...]


class BadKey(UserError):
    """An error at a key of the model file: ``sync`` or ``hide``."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionSpec:
    """The components of a model file; ``sync`` None means every gate that several of them declare."""

    name: str
    parts: Sequence[tuple[str, Sts]]
    sync: Collection[str] | None = None
    hide: Collection[str] = ()


def composed(composition: CompositionSpec) -> Sts:
    """The composition of the components: the locations that are reachable regardless of values."""
    return _Composer(composition).system()


@dataclass(frozen=True, slots=True)
class _Shared:
    """A gate of the composition, and the components that have it."""

    gate: Gate
    owners: tuple[int, ...]
    receives: bool
    together: bool


@dataclass(frozen=True, slots=True)
class _Joint:
    """A step of some components: the places that they leave and enter, by the number of the component."""

    moves: tuple[tuple[int, Switch], ...]
    steps: tuple[Switch, ...]


class _Composer:
    def __init__(self, composition: CompositionSpec) -> None:
        self._name = composition.name
        self._hide = composition.hide
        self._components = [name for name, _ in composition.parts]
        self._models = apart(composition.parts)
        self._taken = spoken_of(self._models)
        self._gates = self._shared(composition)
        self._joints: dict[tuple[str, Places], list[_Joint]] = {}

    def system(self) -> Sts:
        """The composition."""
        initial = tuple(model.initial for model in self._models)
        names, taken = {initial: BETWEEN.join(initial)}, {BETWEEN.join(initial)}
        waiting, switches = deque([initial]), list[Switch]()
        while waiting:
            here = waiting.popleft()
            for there, step in self._leaving(here):
                if there not in names:
                    names[there] = self._named(there, taken)
                    taken.add(names[there])
                    waiting.append(there)
                switches.append(replace(step, source=names[here], target=names[there]))
                self._refuse_many(len(names), len(switches))
        return Sts(
            name=self._name,
            initial=names[initial],
            states=tuple(names.values()),
            variables=tuple(v for model in self._models for v in model.variables),
            inputs=tuple(g.gate for g in self._visible() if g.receives),
            outputs=tuple(g.gate for g in self._visible() if not g.receives),
            transitions=tuple(switches),
            description=Description(constants=self._constants, requirements=self._requirements()),
        )

    def _named(self, places: Places, taken: Collection[str]) -> str:
        name, number = BETWEEN.join(places), 1
        while name in taken:  # names of locations may have a bar in them
            number += 1
            name = f"{BETWEEN.join(places)}#{number}"
        return name

    def _refuse_many(self, locations: int, switches: int) -> None:
        for count, most, what in (
            (locations, MOST_LOCATIONS, "locations"),
            (switches, MOST_SWITCHES, "switches"),
        ):
            if count > most:
                raise UserError(f"the components together have more than {most:,} {what}")

    def _visible(self) -> list[_Shared]:
        return [shared for name, shared in self._gates.items() if name not in self._hide]

    @cached_property
    def _constants(self) -> tuple[Constant, ...]:
        return tuple(dict.fromkeys(c for model in self._models for c in model.description.constants))

    def _requirements(self) -> tuple[Requirement, ...]:
        found: dict[str, Requirement] = {}
        for model in self._models:
            for requirement in model.description.requirements:
                if found.setdefault(requirement.name, requirement) != requirement:
                    raise UserError(f"requirement {requirement.name!r} has another text in another component")
        return tuple(found.values())

    def _shared(self, composition: CompositionSpec) -> dict[str, _Shared]:
        owners: dict[str, list[int]] = {}
        for number, model in enumerate(self._models):
            for gate in (*model.inputs, *model.outputs):
                owners.setdefault(gate.name, []).append(number)
        for what, names in (("sync", composition.sync or ()), ("hide", composition.hide)):
            for name in names:
                if name not in owners:
                    raise BadKey(f"no component has a gate {name!r}{did_you_mean(name, owners)}", what)
        sync = composition.sync
        for name in sync or ():
            if len(owners[name]) == 1:
                only = self._components[owners[name][0]]
                raise BadKey(f"only component {only!r} has the gate {name!r}", "sync")
        found = {}
        for name, having in owners.items():
            together = len(having) > 1 and (sync is None or name in sync)
            found[name] = self._gate(name, tuple(having), together=together)
            if name in self._hide and found[name].receives:
                raise BadKey(f"{name!r} is an input of all components that have it, so none of them gives it", "hide")
        return found

    def _gate(self, name: str, owners: tuple[int, ...], *, together: bool) -> _Shared:
        gates = [self._own(number, name) for number in owners]
        gives = [number for number in owners if any(g.name == name for g in self._models[number].outputs)]
        if not together and gives and len(gives) < len(owners):
            raise UserError(
                f"gate {name!r} is an input of one component and an output of another: it has to be in sync"
            )
        for gate in gates[1:]:
            kinds = [[_kind(p.type) if together else p.type for p in g.parameters] for g in (gates[0], gate)]
            if kinds[0] != kinds[1]:
                texts = [", ".join(type_to_text(p.type) for p in g.parameters) or "nothing" for g in (gates[0], gate)]
                raise UserError(f"gate {name!r} carries {texts[0]} in one component and {texts[1]} in another")
        leader = self._own(gives[0] if gives else owners[0], name)
        gate = replace(leader, parameters=parameters_apart(leader, self._taken))
        return _Shared(gate=gate, owners=owners, receives=not gives, together=together)

    def _own(self, number: int, name: str) -> Gate:
        return next(gate for gate in self._models[number].gates if gate.name == name)

    def _leaving(self, here: Places) -> Iterator[tuple[Places, Switch]]:
        """The steps from some places: gate by gate, internal steps of the components last."""
        internal = _Shared(gate=INTERNAL, owners=tuple(range(len(self._models))), receives=False, together=False)
        for shared in (*self._gates.values(), internal):
            groups = [shared.owners] if shared.together else [(number,) for number in shared.owners]
            for group in groups:
                for joint in self._joint(shared, group, here):
                    there = list(here)
                    for number, switch in joint.moves:
                        there[number] = switch.target
                    for step in joint.steps:
                        yield tuple(there), step

    def _joint(self, shared: _Shared, group: tuple[int, ...], here: Places) -> list[_Joint]:
        """The joint steps of a group of components at a gate; what they are does not depend on the others' places."""
        places = tuple(place if number in group else "" for number, place in enumerate(here))
        key = (shared.gate.name, places)
        if key not in self._joints:
            ways = [
                [(n, t) for t in self._models[n].transitions if t.source == here[n] and t.gate == shared.gate.name]
                for n in group
            ]
            found = (self._joined(shared, moves) for moves in product(*ways))
            self._joints[key] = [joint for joint in found if joint.steps]
        return self._joints[key]

    def _joined(self, shared: _Shared, moves: tuple[tuple[int, Switch], ...]) -> _Joint:
        scope = Scope((*self._all_variables, *shared.gate.parameters), {c.name: c.value for c in self._constants})
        own = [self._in_common_names(shared.gate, number, switch) for number, switch in moves]
        step = Switch(
            source="",
            gate=shared.gate.name,
            guard=conjunction(switch.guard for switch in own),
            assignments=tuple(a for switch in own for a in switch.assignments),
            target="",
            requirements=tuple(dict.fromkeys(r for switch in own for r in switch.requirements)),
            at=own[0].at,
        )
        if sum(switch.guard != TRUE for switch in own) > 1 and self._never(step.guard, scope):
            return _Joint(moves, ())
        steps = hidden(step, shared.gate.parameters, scope) if step.gate in self._hide else [step]
        for found in steps:
            _check(found, scope)
        return _Joint(moves, tuple(steps))

    @cached_property
    def _all_variables(self) -> tuple[Variable, ...]:
        return tuple(v for model in self._models for v in model.variables)

    def _never(self, guard: Expression, scope: Scope) -> bool:
        """Whether the guards of components exclude each other, so that there is no such step."""
        from fullproof.smt import open_solver

        return isinstance(open_solver(scope).check_assuming(guard), Unsat)

    def _in_common_names(self, gate: Gate, number: int, switch: Switch) -> Switch:
        """A component's switch over the parameters of the composed gate, with its own ranges as conditions."""
        if gate.name == TAU:
            return switch
        pairs = list(zip(self._own(number, gate.name).parameters, gate.parameters, strict=True))
        terms: Mapping[str, Expression] = {mine.name: Name(common.name) for mine, common in pairs}
        bounds = [
            b for mine, common in pairs if mine.type != common.type for b in in_bounds(Name(common.name), mine.type)
        ]
        named = renamed_switch(switch, terms)
        return replace(named, guard=conjunction([named.guard, *bounds])) if bounds else named


def _check(step: Switch, scope: Scope) -> None:
    """Refuse enum values that become ambiguous because the types of several components have them."""
    try:
        expect_boolean(step.guard, scope)
    except UserError as error:
        raise UserError(error.message, at=step.at) from None


def _kind(type_: Type) -> object:
    return type_ if isinstance(type_, EnumType) else type(type_)
