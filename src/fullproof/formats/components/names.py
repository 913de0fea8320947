"""Names for the variables, constants and parameters of components that become one system."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from fullproof.language.substitute import substitute
from fullproof.language.syntax import Expression, Name
from fullproof.language.types import EnumType, ListType, Variable
from fullproof.model.common import Constant
from fullproof.model.sts import Assignment, Gate, Sts, Switch


def apart(parts: Sequence[tuple[str, Sts]]) -> list[Sts]:
    """Rename components such that no name has two meanings.

    A variable or constant whose name occurs elsewhere gets the name of its component in front: ``sender_n``. Constants
    of one name and value are one constant.
    """
    spoken = [_names(model) for _, model in parts]
    taken = set[str]().union(*spoken)
    found = []
    for number, (name, model) in enumerate(parts):
        others = [names for place, names in enumerate(spoken) if place != number]
        shared = {c.name for c in model.description.constants if all(_agrees(c, other) for _, other in parts)}
        renaming: dict[str, str] = {}
        for own in (*(v.name for v in model.variables), *(c.name for c in model.description.constants)):
            if own not in shared and any(own in names for names in others):
                renaming[own] = fresh(f"{_word(name)}_{own}", taken)
                taken.add(renaming[own])
        found.append(_renamed(model, renaming))
    return found


def fresh(wanted: str, taken: Collection[str]) -> str:
    """The name, or a similar unused one."""
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted}_{number}"
    return found


def spoken_of(models: Sequence[Sts]) -> set[str]:
    """The names of all variables, constants and enum values."""
    return {
        name
        for model in models
        for name in (
            *(v.name for v in model.variables),
            *(c.name for c in model.description.constants),
            *_enum_values(model),
        )
    }


def _names(model: Sts) -> set[str]:
    return {*spoken_of([model]), *(p.name for gate in model.gates for p in gate.parameters)}


def _enum_values(model: Sts) -> Iterator[str]:
    for variable in (*model.variables, *(p for gate in model.gates for p in gate.parameters)):
        type_ = variable.type.element if isinstance(variable.type, ListType) else variable.type
        if isinstance(type_, EnumType):
            yield from type_.values


def _agrees(constant: Constant, model: Sts) -> bool:
    """Whether a model has no other meaning of a constant's name."""
    if constant.name not in _names(model):
        return True
    return any(type(c.value) is type(constant.value) and c == constant for c in model.description.constants)


def _word(name: str) -> str:
    """A name of a component as part of a name of a variable."""
    word = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return word if word[:1].isalpha() or word[:1] == "_" else f"_{word}"


def _renamed(model: Sts, names: Mapping[str, str]) -> Sts:
    if not names:
        return model
    terms: dict[str, Expression] = {old: Name(new) for old, new in names.items()}
    return replace(
        model,
        variables=tuple(replace(v, name=names.get(v.name, v.name)) for v in model.variables),
        transitions=tuple(renamed_switch(t, terms, lambda name: names.get(name, name)) for t in model.transitions),
        description=replace(
            model.description,
            constants=tuple(replace(c, name=names.get(c.name, c.name)) for c in model.description.constants),
        ),
    )


def renamed_switch(switch: Switch, terms: Mapping[str, Expression], name: Callable[[str], str] = str) -> Switch:
    """A switch in other names."""
    return replace(
        switch,
        guard=substitute(switch.guard, terms),
        assignments=tuple(
            Assignment(variable=name(a.variable), expression=substitute(a.expression, terms))
            for a in switch.assignments
        ),
    )


def parameters_apart(gate: Gate, taken: Collection[str]) -> tuple[Variable, ...]:
    """The parameters of a gate under names that nothing else has."""
    found: list[Variable] = []
    for parameter in gate.parameters:
        wanted = parameter.name if parameter.name not in taken else f"{_word(gate.name)}_{parameter.name}"
        name = fresh(wanted, {*taken, *(p.name for p in found)})
        found.append(replace(parameter, name=name))
    return tuple(found)
