"""State machines as SysML v2 text, in the part of the language that ``sysml.reader`` reads."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.core.errors import Bug
from fullproof.formats.charts.times import refuse_timers
from fullproof.formats.document.outline import Outline, ScalarText, Word, outline
from fullproof.formats.sysml.text import expression_text, quoted
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import TRUE
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value, Variable
from fullproof.model import StateMachine
from fullproof.model.statemachine import SmTransition

_KEPT = ("fault_domain", "properties", "requirements")


def sysml_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file."""
    refuse_timers(model, "SysML")
    return _Writer(model).lines()


class _Writer:
    def __init__(self, model: StateMachine) -> None:
        self.model = model
        taken = {*model.signals_in, *model.signals_out}
        types = dict.fromkeys(v.type for v in _variables(model) if isinstance(v.type, EnumType))
        names = (name for number in range(1, len(types) + len(taken) + 1) if (name := f"Values{number}") not in taken)
        self.enums = dict(zip(types, names, strict=False))
        self.values: dict[str, str] = {}
        for type_, name in self.enums.items():
            for value in type_.values:
                self.values.setdefault(value, f"{name}::{quoted(value)}")

    def lines(self) -> Iterator[str]:
        model = self.model
        yield f"package {quoted(model.name)} {{\n"
        yield "    private import ScalarValues::*;\n"
        yield from (f"    // fullproof: {line}" for line in self.comments())
        for type_, name in self.enums.items():
            yield f"    enum def {name} {{ {' '.join(f'enum {quoted(value)};' for value in type_.values)} }}\n"
        yield from (f"    attribute def {quoted(name)};\n" for name in (*model.signals_in, *model.signals_out))
        if model.choices:
            yield "    metadata def <choice> ChoicePoint;\n"
        yield f"    state def {quoted(model.name)} {{\n"
        yield from self.attributes()
        yield f"        entry; then {quoted(model.initial)};\n"
        for state in model.states:
            yield f"        {'#choice ' if state in model.choices else ''}state {quoted(state)};\n"
        for transition in model.transitions:
            yield from self.transition(transition)
        yield "    }\n}\n"

    def comments(self) -> Iterator[str]:
        """What SysML has no words for."""
        from fullproof.formats.yaml.writer import outline_lines

        model = self.model
        keys: dict[str, Outline] = {}
        received = dict.fromkeys(t.trigger for t in model.transitions if t.trigger is not None)
        sent = dict.fromkeys(signal for t in model.transitions for signal in t.sends)
        whole = outline(model)
        if (tuple(received), tuple(sent)) != (model.signals_in, model.signals_out):
            keys["signals"] = whole["signals"]
        if list(model.choices) != [state for state in model.states if state in model.choices]:
            keys["choices"] = whole["choices"]
        tolerances: dict[str, Outline] = {
            v.name: ScalarText(value_to_text(v.tolerance), Word.CODE)
            for v in _variables(model)
            if v.tolerance is not None
        }
        if tolerances:
            keys["tolerances"] = tolerances
        keys.update({key: value for key, value in whole.items() if key in _KEPT})
        yield from outline_lines(keys)

    def attributes(self) -> Iterator[str]:
        model = self.model
        for constant in model.description.constants:
            word = (
                "Boolean"
                if isinstance(constant.value, bool)
                else "Integer"
                if isinstance(constant.value, int)
                else "Real"
            )
            yield f"        attribute {quoted(constant.name)} : {word} = {value_to_text(constant.value)};\n"
        for direction, variables in (("in ", model.inputs), ("out ", model.outputs), ("", model.variables)):
            for variable in variables:
                name, initial = quoted(variable.name), ""
                if variable.initial is not None:
                    initial = f" := {self.value(variable.initial)}"
                yield f"        {direction}attribute {name} : {self.type_name(variable.type)}{initial};\n"
                yield from self.bounds(variable)

    def bounds(self, variable: Variable) -> Iterator[str]:
        if not isinstance(variable.type, IntType | RealType):
            return
        pairs = ((">=", variable.type.low), ("<=", variable.type.high))
        parts = [f"{quoted(variable.name)} {sign} {value_to_text(bound)}" for sign, bound in pairs if bound is not None]
        if parts:
            yield f"        assert constraint {{ {' and '.join(parts)} }}\n"

    def type_name(self, type_: Type) -> str:
        match type_:
            case BoolType():
                return "Boolean"
            case IntType():
                return "Integer"
            case RealType():
                return "Real"
            case EnumType():
                return self.enums[type_]
            case ListType():
                raise Bug("only a machine of kind sts has lists")

    def value(self, value: Value) -> str:
        return self.values[value] if isinstance(value, str) else value_to_text(value)

    def transition(self, transition: SmTransition) -> Iterator[str]:
        if transition.requirements:
            from fullproof.formats.yaml.writer import scalar_text

            names = ", ".join(scalar_text(ScalarText(name), in_brackets=True) for name in transition.requirements)
            yield f"        // fullproof: req: [{names}]\n"
        parts = [f"transition first {quoted(transition.source)}"]
        if transition.trigger is not None:
            parts.append(f"accept {quoted(transition.trigger)}")
        if transition.guard != TRUE:
            parts.append(f"if {expression_text(transition.guard, self.values)}")
        steps = [
            f"assign {quoted(a.variable)} := {expression_text(a.expression, self.values)}" for a in transition.actions
        ]
        steps += [f"send new {quoted(signal)}()" for signal in transition.sends]
        if len(steps) == 1:
            parts.append(f"do {steps[0]}")
        elif steps:
            parts.append(f"do action {{ {'; then '.join(steps)}; }}")
        yield f"        {' '.join(parts)} then {quoted(transition.target)};\n"


def _variables(model: StateMachine) -> tuple[Variable, ...]:
    return model.inputs + model.outputs + model.variables
