"""State machines as SCXML: flat, with ECMAScript conditions, and extensions in the namespace of fullproof."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from fullproof.core.errors import UserError
from fullproof.formats.aliases import aliases
from fullproof.formats.charts.times import refuse_timers
from fullproof.formats.document.fault_domain import paving_text
from fullproof.formats.scxml.elements import FP, SCXML
from fullproof.formats.scxml.printer import ecmascript
from fullproof.language.printer import declaration_text, to_text
from fullproof.language.substitute import literal
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.types import EnumType, Variable
from fullproof.model import StateMachine
from fullproof.model.common import Description
from fullproof.model.statemachine import SmTransition

_IDENTIFIER = re.compile(r"[^\W\d][\w.-]*\Z")
_EVENT = re.compile(r"[^\W\d][\w-]*(\.[\w-]+)*\Z")
_NMTOKEN = re.compile(r"[\w.:-]+\Z")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def scxml_lines(model: StateMachine) -> Iterator[str]:
    """Yield the lines of the file; reading it back gives the same model."""
    refuse_timers(model, "SCXML")
    return _Writer(model).lines()


class _Writer:
    def __init__(self, model: StateMachine) -> None:
        self.model = model
        variables = (*model.inputs, *model.outputs, *model.variables)
        enums = [variable.type for variable in variables if isinstance(variable.type, EnumType)]
        self.values = frozenset(value for type_ in enums for value in type_.values)
        data = {v.name for v in variables} | {c.name for c in model.description.constants}
        self.ids = aliases(model.states, lambda name: bool(_IDENTIFIER.match(name)) and name not in data, "s", data)
        signals = (*model.signals_in, *model.signals_out)
        self.events = aliases(signals, lambda name: _is_event(name, signals), "e", set())

    def lines(self) -> Iterator[str]:
        """The whole file."""
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield from self._root()
        for name, event in self.events.items():
            if event != name:
                yield _tag(1, "fp:signal", ("event", event), ("name", name))
        yield from _description(self.model.description)
        yield from self._datamodel()
        leaving: dict[str, list[SmTransition]] = {state: [] for state in self.model.states}
        for t in self.model.transitions:
            leaving[t.source].append(t)
        for state, transitions in leaving.items():
            yield from self._state(state, transitions)
        yield "</scxml>\n"

    def _root(self) -> Iterator[str]:
        model = self.model
        yield _tag(
            0,
            "scxml",
            ("xmlns", SCXML),
            ("xmlns:fp", FP),
            ("version", "1.0"),
            ("datamodel", "ecmascript"),
            ("name" if _NMTOKEN.match(model.name) else "fp:name", model.name),
            ("initial", self.ids[model.initial]),
            ("fp:semantics", "fullproof"),
            ("fp:in", " ".join(self.events[name] for name in model.signals_in)),
            ("fp:out", " ".join(self.events[name] for name in model.signals_out)),
            end=">",
        )

    def _datamodel(self) -> Iterator[str]:
        model = self.model
        entries = [
            _tag(2, "data", ("id", c.name), *self._code("expr", literal(c.value)), ("fp:role", "constant"))
            for c in model.description.constants
        ]
        for role, variables in (("input", model.inputs), ("output", model.outputs), ("variable", model.variables)):
            entries += [self._data(role, variable) for variable in variables]
        if entries:
            yield "  <datamodel>\n"
            yield from entries
            yield "  </datamodel>\n"

    def _data(self, role: str, variable: Variable) -> str:
        initial = [] if variable.initial is None else self._code("expr", literal(variable.initial))
        type_ = declaration_text(replace(variable, initial=None))
        return _tag(2, "data", ("id", variable.name), *initial, ("fp:role", role), ("fp:type", type_))

    def _state(self, state: str, transitions: list[SmTransition]) -> Iterator[str]:
        name = [("fp:name", state)] if self.ids[state] != state else []
        pairs = [("id", self.ids[state]), *name, *self._choice(state)]
        if not transitions:
            yield _tag(1, "state", *pairs)
            return
        yield _tag(1, "state", *pairs, end=">")
        for t in transitions:
            yield from self._transition(t)
        yield "  </state>\n"

    def _choice(self, state: str) -> list[tuple[str, str]]:
        if state not in self.model.choices:
            return []
        in_order = [name for name in self.model.states if name in self.model.choices]
        same = in_order == list(self.model.choices)
        return [("fp:choice", "true" if same else str(self.model.choices.index(state) + 1))]

    def _transition(self, t: SmTransition) -> Iterator[str]:
        one_word = all(name.split() == [name] for name in t.requirements)
        pairs = [
            *([] if t.trigger is None else [("event", self.events[t.trigger])]),
            *([] if t.guard == TRUE else self._code("cond", t.guard)),
            ("target", self.ids[t.target]),
            *([("fp:req", " ".join(t.requirements))] if t.requirements and one_word else []),
        ]
        inside = [
            *(_tag(3, "assign", ("location", a.variable), *self._code("expr", a.expression)) for a in t.actions),
            *(_tag(3, "send", ("event", self.events[signal])) for signal in t.sends),
            *(_tag(3, "fp:req", ("name", name)) for name in ([] if one_word else t.requirements)),
        ]
        yield _tag(2, "transition", *pairs, end=">" if inside else "/>")
        if inside:
            yield from inside
            yield "    </transition>\n"

    def _code(self, name: str, expression: Expression) -> list[tuple[str, str]]:
        """ECMAScript, and our own language beside it where ECMAScript would be read as another tree."""
        text, exact = ecmascript(expression, self.values)
        return [(name, text), *([] if exact else [(f"fp:{name}", to_text(expression))])]


def _description(description: Description) -> Iterator[str]:
    domain = description.fault_domain
    for requirement in description.requirements:
        yield _tag(1, "fp:requirement", ("name", requirement.name), ("text", requirement.text), keep=True)
    for entry in description.properties:
        yield _tag(1, "fp:property", ("name", entry.name), ("formula", to_text(entry.formula)))
    pairs = [] if domain.extra_states is None else [("extra-states", str(domain.extra_states))]
    pairs += [] if domain.degree is None else [("degree", str(domain.degree))]
    inside = [
        *(_tag(2, "fp:guard", ("when", to_text(guard))) for guard in domain.guards),
        *(_tag(2, "fp:paving", ("variable", p.variable), ("width", paving_text(p))) for p in domain.paving),
    ]
    if inside:
        yield _tag(1, "fp:fault-domain", *pairs, end=">")
        yield from inside
        yield "  </fp:fault-domain>\n"
    elif pairs:
        yield _tag(1, "fp:fault-domain", *pairs)


def _is_event(name: str, others: Iterable[str]) -> bool:
    """Whether an event descriptor can be the name: ``a`` also means ``a.b``, so no signal may begin another."""
    if not _EVENT.match(name) or name.split(".", maxsplit=1)[0] in ("error", "done"):
        return False
    return not any(a.startswith(f"{b}.") for other in others for a, b in ((name, other), (other, name)))


def _tag(level: int, name: str, *pairs: tuple[str, str], end: str = "/>", keep: bool = False) -> str:
    """A start tag on a line; attributes without text are left out unless they are to be kept."""
    text = "".join(f' {key}="{xml_text(value)}"' for key, value in pairs if value or keep)
    return f"{'  ' * level}<{name}{text}{end}\n"


def xml_text(text: str) -> str:
    """A text as XML holds it, in an attribute or between tags; UserError for characters that XML does not have."""
    wrong = _NOT_XML.search(text)
    if wrong is not None:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise UserError(f"a file of XML cannot hold {shown!r}: XML has no character U+{ord(wrong.group()):04X}")
    return "".join(_ESCAPES.get(character, character) for character in text)
