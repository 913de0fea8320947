"""State machines as SysML v2 text, in the part of the language that ``sysml.reader`` reads."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.core.errors import Bug
from fullproof.formats.charts.local_arrows import without_local_arrows
from fullproof.formats.charts.shown_times import TimeWords, shown_tree
from fullproof.formats.charts.written import ChartQuestions, flat_chart, plain_effect
from fullproof.formats.document.outline import Outline, ScalarText, Word, chart_keys
from fullproof.formats.sysml.inner_loops import with_inner_loops
from fullproof.formats.sysml.text import expression_text, quoted
from fullproof.language.printer import value_to_text
from fullproof.language.syntax import TRUE
from fullproof.language.types import BoolType, EnumType, IntType, ListType, RealType, Type, Value, Variable
from fullproof.model import StateMachine
from fullproof.model.chart import (
    ChartTransition,
    Effect,
    ExitsAndEntries,
    HistoryDepth,
    Names,
    Vertex,
    state_names,
)
from fullproof.model.chart_model import ChartModel, TransitionRank

_KEPT = ("fault_domain", "properties", "requirements")
_KEYWORDS = {HistoryDepth.SHALLOW: "#history ", HistoryDepth.DEEP: "#deepHistory "}
_HISTORY = {
    HistoryDepth.SHALLOW: "    metadata def <history> History;\n",
    HistoryDepth.DEEP: "    metadata def <deepHistory> DeepHistory;\n",
}


def sysml_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file."""
    tree = shown_tree(model, is_sayable, TimeWords(format="SysML"), _in_words_of_sysml)
    return _Writer(tree or flat_chart(model), is_tree=tree is not None).lines()


def _in_words_of_sysml(chart: ChartModel) -> ChartModel:
    """The same chart with neither local nor internal transitions, as far as others can mean the same."""
    return with_inner_loops(without_local_arrows(chart))


class _Writer:
    def __init__(self, chart: ChartModel, *, is_tree: bool) -> None:
        self.model = chart
        self.is_tree = is_tree
        self.asks = ChartQuestions(chart)
        self.times = {t.name: f"after {value_to_text(t.duration)} [SI::s]" for t in chart.timers}
        taken = {*chart.signals_in, *chart.signals_out}
        types = dict.fromkeys(v.type for v in _variables(chart) if isinstance(v.type, EnumType))
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
        depths = {vertex.history for vertex in model.vertices if vertex.history is not None}
        yield from (_HISTORY[depth] for depth in HistoryDepth if depth in depths)
        yield f"    state def {quoted(model.name)} {{\n"
        yield from self.attributes()
        yield from self.block(None, 2)
        yield "    }\n}\n"

    def comments(self) -> Iterator[str]:
        """What SysML has no words for."""
        from fullproof.formats.yaml.writer import outline_lines

        model = self.model
        keys: dict[str, Outline] = {}
        received = dict.fromkeys(arrow.trigger for arrow in model.arrows if arrow.trigger is not None)
        sent = dict.fromkeys(signal for arrow in model.arrows for signal in plain_effect(arrow.effect).sends)
        whole = chart_keys(model)
        if self.is_tree or (tuple(received), tuple(sent)) != (model.signals_in, model.signals_out):
            keys["signals"] = whole["signals"]
        drawn = [vertex.name for vertex in model.vertices if vertex.choice]
        if list(model.choices) != drawn or (self.is_tree and drawn):
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

    # --- states and transitions ---

    def block(self, around: str | None, level: int) -> Iterator[str]:
        """What is inside a state: how it begins, its states, and the transitions that belong there."""
        blanks = "    " * level
        vertex = None if around is None else self.asks.known[around]
        initial = self.model.initial if vertex is None else vertex.initial
        entry = self.actions(self.model.before if vertex is None else vertex.entry)
        if initial is not None:
            begin = _ended(f"entry {entry}") if entry else "entry;"
            yield f"{blanks}{begin} then {self.path(initial, around)};\n"
        elif entry:
            yield f"{blanks}{_ended(f'entry {entry}')}\n"
        if vertex is not None and (leave := self.actions(vertex.exit)):
            yield f"{blanks}{_ended(f'exit {leave}')}\n"
        for inner in self.asks.inside.get(around, []):
            if not inner.final:
                yield from self.state(inner, level)
        for inner in self.asks.inside.get(around, []):
            if inner.history is not None and inner.initial is not None:
                effect = self.actions(inner.initial_effect)
                done = f" do {effect}" if effect else ""
                yield f"{blanks}transition first {quoted(inner.name)}{done} then {self.path(inner.initial, around)};\n"
        for arrow in self.model.arrows:
            if self.scope(arrow) == around:
                yield from self.transition(arrow, around, blanks)

    def state(self, vertex: Vertex, level: int) -> Iterator[str]:
        blanks = "    " * level
        word = "#choice " if vertex.choice else "" if vertex.history is None else _KEYWORDS[vertex.history]
        named = f"{blanks}{word}state {quoted(vertex.name)}"
        inside = [] if vertex.history is not None else [*self.block(vertex.name, level + 1)]
        if not inside:
            yield f"{named};\n"
            return
        yield f"{named}{' parallel' if vertex.parallel else ''} {{\n"
        yield from inside
        yield f"{blanks}}}\n"

    def scope(self, arrow: ChartTransition) -> str | None:
        """The state in which a transition is written: ``done`` is the final state of that."""
        (target,) = state_names(arrow.target)
        return self.asks.known[target].parent if self.asks.known[target].final else None

    def path(self, names: Names, around: str | None) -> str:
        """A state as it is called inside another: from that on, or from the outermost one on; names are unique."""
        (name,) = state_names(names)
        path, outer = self.asks.path(name), () if around is None else self.asks.path(around)
        inside = path[: len(outer)] == outer and len(path) > len(outer)
        return ".".join(map(quoted, path[len(outer) :] if inside else path))

    def actions(self, effect: Effect) -> str:
        plain = plain_effect(effect)
        steps = [
            f"assign {quoted(a.variable)} := {expression_text(a.expression, self.values)}" for a in plain.assignments
        ]
        steps += [f"send new {quoted(signal)}()" for signal in plain.sends]
        return steps[0] if len(steps) == 1 else f"action {{ {'; then '.join(steps)}; }}" if steps else ""

    # --- attributes ---

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

    def transition(self, arrow: ChartTransition, around: str | None, blanks: str) -> Iterator[str]:
        assert arrow.source is not None
        if arrow.requirements:
            from fullproof.formats.yaml.writer import scalar_text

            names = ", ".join(scalar_text(ScalarText(name), in_brackets=True) for name in arrow.requirements)
            yield f"{blanks}// fullproof: req: [{names}]\n"
        parts = [f"transition first {self.path(arrow.source, around)}"]
        if arrow.trigger is not None:
            parts.append(f"accept {self.times.get(arrow.trigger) or quoted(arrow.trigger)}")
        if arrow.guard != TRUE:
            parts.append(f"if {expression_text(arrow.guard, self.values)}")
        if effect := self.actions(arrow.effect):
            parts.append(f"do {effect}")
        (target,) = state_names(arrow.target)
        to = "done" if self.asks.known[target].final else self.path(target, around)
        yield f"{blanks}{' '.join(parts)} then {to};\n"


def _ended(action: str) -> str:
    """An action with a body has no semicolon behind it."""
    return action if action.endswith("}") else f"{action};"


def is_sayable(chart: ChartModel) -> bool:
    """Whether SysML has words for all of a chart: plain actions, external transitions to one state, one final state."""
    asks = ChartQuestions(chart)
    if chart.order is TransitionRank.DOCUMENT or not asks.plain_actions or asks.raised or asks.asked or chart.unset:
        return False
    targets = [chart.initial, *(v.initial for v in chart.vertices if v.initial is not None)]
    targets += [arrow.target for arrow in chart.arrows]
    if any(len(state_names(names)) != 1 for names in targets) or asks.waits_for_done:
        return False
    finals = {vertex.name: vertex.parent for vertex in chart.vertices if vertex.final}
    reached = {name for arrow in chart.arrows for name in state_names(arrow.target)}
    begun = {name for names in targets[: len(targets) - len(chart.arrows)] for name in state_names(names)}
    if len(set(finals.values())) < len(finals) or finals.keys() - reached or finals.keys() & begun:
        return False
    return all(_vertex_is_sayable(vertex) for vertex in chart.vertices) and all(
        _arrow_is_sayable(arrow, asks) for arrow in chart.arrows
    )


def _vertex_is_sayable(vertex: Vertex) -> bool:
    if vertex.name == "done" and not vertex.final:
        return False  # it would be found where the final state is meant
    if vertex.history is not None:
        return vertex.parent is not None
    return not (vertex.initial_effect or (vertex.final and (vertex.entry or vertex.exit)))


def _arrow_is_sayable(arrow: ChartTransition, asks: ChartQuestions) -> bool:
    if arrow.source is None or arrow.way is not ExitsAndEntries.EXTERNAL:
        return False
    return arrow.trigger is not None or arrow.completion == asks.is_composite(arrow.source)


def _variables(model: ChartModel) -> tuple[Variable, ...]:
    return model.inputs + model.outputs + model.variables
