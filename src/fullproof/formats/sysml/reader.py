"""SysML v2 textual state definitions to state machines (docs/sysml.md says which part of the language is read)."""

from __future__ import annotations

import re
from pathlib import Path as File

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import all_of, did_you_mean
from fullproof.formats.charts.hierarchy import flat_names
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.times import time_from_text, with_timers
from fullproof.formats.columns import ColumnTable
from fullproof.formats.document.comment_keys import (
    ordered_choices,
    read_comment_keys,
    read_comment_value,
    with_signals,
    without,
)
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_keys_beside
from fullproof.formats.document.statemachine import Data, interface_of, read_signals
from fullproof.formats.document.tree import Node, Scalar
from fullproof.formats.source import TextPlaces
from fullproof.formats.sysml.attributes import read_attributes
from fullproof.formats.sysml.library import parse_sysml
from fullproof.formats.sysml.states import (
    Path,
    SysmlAction,
    SysmlState,
    SysmlStates,
    Transition,
    read_states,
    state_body,
)
from fullproof.formats.sysml.tree import Node as Part
from fullproof.formats.sysml.tree import Rule, all_inside, declared_name, has, inside, name_text, place_of
from fullproof.language.parser import parse_declaration
from fullproof.language.printer import declaration_text
from fullproof.language.syntax import TRUE
from fullproof.model.chart import NOTHING, ChartTransition, Effect, HistoryDepth, Vertex
from fullproof.model.statemachine import StateMachine

KEYS = ("signals", "fault_domain", "properties", "requirements", "tolerances", "choices")
"""The keys allowed in comments ``// fullproof: ...``, for which SysML has no notation."""

_COMMENT = re.compile(r"\s*//\s*fullproof:\s?(.*)")
_REQ = re.compile(r"\s*req\s*:\s*")
_FINAL = "done"
_MAX_DEPTH = 100


def read_sysml(text: str, path: File) -> StateMachine:
    """Read the one state machine of a file."""
    columns = ColumnTable(str(path))
    try:
        return _Reader(text, columns).machine()
    except UserError as error:
        if error.at.line is None and error.at.file:
            raise
        raise columns.error_in_file(error) from None


_DEPTHS = {"history": HistoryDepth.SHALLOW, "deepHistory": HistoryDepth.DEEP}


class _Reader:
    def __init__(self, text: str, columns: ColumnTable) -> None:
        self.columns = columns
        self.file = columns.file
        keys, self.reqs = _comments(text)
        self.keys = read_comment_keys(keys, columns)
        for name, _ in self.keys.entries:
            if name.text not in KEYS:
                raise columns.error_at(f"unknown key {name.text[:60]!r}{all_of(name.text, KEYS)}", name)
        self.order, self.keys = without(self.keys, "choices")
        tolerances, self.keys = without(self.keys, "tolerances")
        _check_nesting(text, self.file)
        root = parse_sysml(text, file=self.file)
        self.rule, bodies = _machine(root, self.file)
        body = state_body(self.rule)
        self.attributes = read_attributes(root, [*bodies, *([] if body is None else [body])])
        if tolerances is not None:
            self._tolerances(tolerances, self.attributes)
        self.found: SysmlStates = read_states(self.rule)
        self.finals: dict[Path, Place] = {}

    def machine(self) -> StateMachine:
        targets = [(t, self._state(t.scope, t.source, t.source_at), self._target(t)) for t in self.found.transitions]
        inner = [path for path in self.found.states if path]
        self.histories = {path for path in inner if self.found.states[path].keyword in _DEPTHS}
        self.composites = {path[:-1] for path in (*inner, *self.finals) if path not in self.histories}
        self.names = flat_names([*inner, *self.finals])
        start = self.found.states[()]
        at = Scalar("", start.at.line or 1, start.at.column or 1)
        self.document = Document(with_signals(self.keys, *self._signals(), at=at), file=self.file)
        record = read_keys_beside(self.document, "statemachine")
        signals = read_signals(self.document, record.get("signals"))
        self.words, self.description = interface_of(self.document, record, self.attributes, signals)
        if not inner:
            raise UserError("there are no states, expected for example state off;", at=start.at)
        requirements = self._requirements()
        self.defaults = {source: (t, target) for t, source, target in targets if source in self.histories}
        vertices = [self._vertex(self.found.states[path]) for path in inner]
        vertices += [self._final(path, at) for path, at in self.finals.items()]
        arrows = [
            self._arrow(t, source, target, requirements.get(number, ()))
            for number, (t, source, target) in enumerate(targets)
            if source not in self.histories
        ]
        vertices, arrows, timers = with_timers(vertices, arrows, self.attributes.constants, self.words.signals_in)
        drawn = tuple(vertex.name for vertex in vertices if vertex.choice)
        chart = DrawnChart(
            name=_machine_name(self.rule, self.file),
            words=self.words,
            description=self.description,
            vertices=vertices,
            arrows=arrows,
            initial=self.names[self._initial(start)],
            before=self._effect(start.entry),
            timers=timers,
            choices=ordered_choices(self.order, drawn, file=self.file),
            at=start.entry[0].at if start.entry else start.at,
        )
        return state_machine(chart)

    # --- names ---

    def _look_up(self, scope: Path, path: Path) -> Path | None:
        """The state that a path means when it is written inside a state: the nearest on the way out."""
        own = _machine_name(self.rule, self.file)
        for end in range(len(scope), -1, -1):
            if (*scope[:end], *path) in self.found.states:
                return (*scope[:end], *path)
        return self._look_up((), path[1:]) if len(path) > 1 and path[0] == own else None

    def _state(self, scope: Path, path: Path, at: Place) -> Path:
        found = self._look_up(scope, path) if path else None
        if not found:
            known = [state[-1] for state in self.found.states if state]
            raise UserError(f"unknown state {'.'.join(path)[:60]!r}{did_you_mean('.'.join(path)[:60], known)}", at=at)
        return found

    def _target(self, transition: Transition) -> Path:
        if transition.target == (_FINAL,) and self._look_up(transition.scope, transition.target) is None:
            final = (*transition.scope, _FINAL)
            self.finals.setdefault(final, transition.target_at)
            return final
        return self._state(transition.scope, transition.target, transition.target_at)

    def _initial(self, state: SysmlState) -> Path:
        if state.initial is None:
            name = state.path[-1] if state.path else _machine_name(self.rule, self.file)
            message = f"{name[:60]!r} does not say which state is initial, expected entry; then and a state"
            raise UserError(message, at=state.at)
        return self._state(state.path, *state.initial)

    # --- what the words mean ---

    def _tolerances(self, node: Node, data: Data) -> None:
        """Give variables the tolerances of a key, for which SysML has no words."""
        document = Document(node, file=self.file)
        lists = (data.inputs, data.outputs, data.variables)
        known = {entry[0].name: (listed, index) for listed in lists for index, entry in enumerate(listed)}
        for name, value in document.fields(node, "tolerances"):
            listed, index = known[document.known(name, "attribute", known)]
            variable, key = listed[index]
            text = f"{declaration_text(variable)} ~ {document.scalar(value, 'a tolerance').text}"
            at = Place(file=self.file, line=value.line)
            listed[index] = parse_declaration(text, name=variable.name, constants=data.constants, at=at), key

    def _signals(self) -> tuple[list[Scalar], list[Scalar]]:
        """Those that transitions accept, and those that are sent."""
        listed = self.found.transitions
        received = [_named(t.trigger, t.trigger_at) for t in listed if t.trigger is not None and not t.timed]
        effects = [t.effect for t in listed]
        effects += [(*state.entry, *state.exit) for state in self.found.states.values()]
        sent = [_named(step.name, step.at) for effect in effects for step in effect if step.expression is None]
        return received, sent

    def _requirements(self) -> dict[int, tuple[str, ...]]:
        """What comments ``// fullproof: req: [R1]`` say of the transition that follows, by its position."""
        found: dict[int, tuple[str, ...]] = {}
        starts = [transition.at.line or 0 for transition in self.found.transitions]
        for req in self.reqs:
            after = [number for number, line in enumerate(starts) if line > req.line]
            number = min(after, key=lambda number: starts[number], default=None)
            if number is None or number in found:
                reason = "is followed by no transition" if number is None else "stands twice before a transition"
                raise self.columns.error_at(f"'req' {reason}", req)
            node = read_comment_value(req, self.columns)
            found[number] = read_req(self.document, node, self.description)
        return found

    # --- the chart ---

    def _vertex(self, state: SysmlState) -> Vertex:
        composite = state.path in self.composites
        if state.initial is not None and not composite:
            raise UserError(f"state {state.path[-1][:60]!r} has no states inside it", at=state.initial[1])
        return Vertex(
            name=self.names[state.path],
            parent=self.names[state.path[:-1]] if len(state.path) > 1 else None,
            choice=state.keyword == "choice",
            parallel=state.parallel,
            history=_DEPTHS.get(state.keyword or ""),
            initial=self._entered(state, composite=composite),
            initial_effect=self._default_effect(state),
            entry=self._effect(state.entry),
            exit=self._effect(state.exit),
            at=state.at,
        )

    def _entered(self, state: SysmlState, *, composite: bool) -> str | None:
        """The initial state of a composite one; what a history state enters where nothing is remembered."""
        if state.path in self.histories:
            if state.path not in self.defaults:
                message = "expected a transition from the history state to what is entered where nothing is remembered"
                raise UserError(message, at=state.at)
            transition, target = self.defaults[state.path]
            if transition.trigger is not None or transition.guard is not None:
                raise UserError("a transition from a history state has neither trigger nor guard", at=transition.at)
            return self.names[target]
        if state.parallel and state.initial is not None:
            raise UserError("a parallel state enters all its regions, none of them is initial", at=state.initial[1])
        return self.names[self._initial(state)] if composite and not state.parallel else None

    def _default_effect(self, state: SysmlState) -> Effect:
        return self._effect(self.defaults[state.path][0].effect) if state.path in self.defaults else NOTHING

    def _final(self, path: Path, at: Place) -> Vertex:
        parent = self.names[path[:-1]] if len(path) > 1 else None
        return Vertex(name=self.names[path], parent=parent, final=True, at=at)

    def _arrow(self, t: Transition, source: Path, target: Path, requirements: tuple[str, ...]) -> ChartTransition:
        return ChartTransition(
            source=self.names[source],
            trigger=self._trigger(t),
            guard=TRUE if t.guard is None else self.words.checked_guard(t.guard),
            effect=self._effect(t.effect),
            target=self.names[target],
            completion=source in self.composites and t.trigger is None,
            requirements=requirements,
            at=t.at,
        )

    def _trigger(self, t: Transition) -> str | None:
        if t.trigger is None:
            return None
        if t.timed:
            time_from_text(t.trigger, self.attributes.constants, at=t.trigger_at)
            return t.trigger
        return self.words.received(t.trigger, t.trigger_at)

    def _effect(self, steps: list[SysmlAction] | tuple[SysmlAction, ...]) -> Effect:
        actions, sends = [], []
        for step in steps:
            if step.expression is None:
                sends.append(self.words.sent(step.name, step.at))
            elif step.name in self.attributes.constants:
                message = f"{step.name!r} is bound with '=', so it cannot change; expected ':=' where it is declared"
                raise UserError(message, at=step.at)
            else:
                actions.append(self.words.checked_assignment(step.name, step.expression, step.at))
        return Effect(actions=tuple(actions), sends=tuple(sends))


def _named(name: str, at: Place) -> Scalar:
    return Scalar(name, at.line or 1, at.column or 1, quoted=True)


def _comments(text: str) -> tuple[list[Scalar], list[Scalar]]:
    """The keys in comments, and the requirements in comments."""
    keys: list[Scalar] = []
    reqs: list[Scalar] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = _COMMENT.match(line)
        if match is None:
            continue
        req = _REQ.match(match[1])
        if req is None:
            keys.append(Scalar(match[1], number, match.start(1) + 1))
        else:
            reqs.append(Scalar(match[1][req.end() :], number, match.start(1) + req.end() + 1))
    return keys, reqs


def _check_nesting(text: str, file: str) -> None:
    """Refuse nesting that would take the parser minutes: it has no limits."""
    depth = 0
    for match in re.finditer(
        r"[({\[]|[)}\]]|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|/\*.*?\*/|//[^\n]*", text, re.DOTALL
    ):
        if match[0] in "({[":
            depth += 1
        elif match[0] in ")}]":
            depth = max(0, depth - 1)
        if depth > _MAX_DEPTH:
            raise UserError(f"nested more than {_MAX_DEPTH} deep", at=TextPlaces(text, file=file).place(match.start()))


def _machine(root: Rule, file: str) -> tuple[Rule, list[Rule]]:
    """The state machine of a file, and the bodies of what is around it."""
    found = []
    for rule in all_inside(root, "stateDefinition", "exhibitStateUsage", "stateUsage"):
        body = state_body(rule)
        if body is not None and has(body, "{"):
            found.append(rule)
    if not found:
        raise UserError("there is no state machine, expected state def and a body", at=place_of(root))
    if len(found) > 1:
        names = " and ".join(repr(_machine_name(rule, file)) for rule in found[:2])
        raise UserError(f"expected one state machine in the file, found {names}", at=place_of(found[1]))
    special = inside(_head(found[0]), "subclassificationPart", "featureSpecializationPart")
    if special is not None:
        raise UserError("a state machine that specialises another is not supported", at=place_of(special))
    return found[0], _around(root, found[0])


def _head(rule: Rule) -> Rule:
    """What stands before the body of a state."""
    body = state_body(rule)
    return Rule(rule.name, tuple(part for part in rule.children if part is not body))


def _around(root: Rule, rule: Rule) -> list[Rule]:
    """The bodies of packages and parts on the way from the root to a rule."""
    path: list[Part] = [root]
    stack: list[tuple[Rule, int]] = [(root, 0)]
    while stack:
        here, position = stack.pop()
        if here is rule:
            return [part for part in path if isinstance(part, Rule) and part.name in ("packageBody", "definitionBody")]
        if position == len(here.children):
            path.pop()
            continue
        stack.append((here, position + 1))
        part = here.children[position]
        if isinstance(part, Rule):
            path.append(part)
            stack.append((part, 0))
    return []


def _machine_name(rule: Rule, file: str) -> str:
    name = declared_name(_head(rule))
    return File(file).stem if name is None else name_text(name)
