"""XState machines (version 5) to state machines; their meaning is that of SCXML where ``rules`` does not refuse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from fullproof.formats.charts.inner_first import inner_first
from fullproof.formats.charts.machine import DrawnChart, state_machine
from fullproof.formats.charts.times import with_timers
from fullproof.formats.document.comment_keys import ordered_choices, with_signals, without
from fullproof.formats.document.description import read_req
from fullproof.formats.document.document import Document
from fullproof.formats.document.frame import read_keys_beside
from fullproof.formats.document.statemachine import read_interface
from fullproof.formats.document.tree import Fields, Items, Node, Scalar
from fullproof.formats.xstate.actions import XstateAction, XstateContents
from fullproof.formats.xstate.data import our_keys, with_data
from fullproof.formats.xstate.nodes import OF_VERSION_4, KeyOrder, StateNode, StateNodes, js_order, version_4
from fullproof.formats.xstate.rules import exits_and_entries, refuse_differences
from fullproof.language.syntax import TRUE, Expression
from fullproof.language.values import number_from_json
from fullproof.model.chart import (
    NOTHING,
    Action,
    ChartTransition,
    Effect,
    HistoryDepth,
    Names,
    RaisedEvent,
    SentSignal,
    Vertex,
    done_event,
)
from fullproof.model.chart_model import TransitionRank
from fullproof.model.statemachine import StateMachine

_TRANSITION = ("target", "guard", "actions", "reenter", "meta", "description", "context")
_DONE = "xstate.done.state."
SEMANTICS = ("xstate", "scxml", "fullproof")
"""XState's own; appendix D of the SCXML recommendation; that of model files, where transitions do not rank."""


@dataclass(slots=True)
class XstateTransition:
    """A transition of a node, not yet checked."""

    source: StateNode
    targets: list[StateNode] | None
    guard: Expression
    actions: list[XstateAction]
    reenter: bool
    req: Node | None
    at: Node


@dataclass(slots=True)
class NodeContents:
    """What a node does: transitions by event descriptor, eventless ones, entry, exit and initial actions."""

    on: dict[str, list[XstateTransition]] = field(default_factory=dict)
    always: list[XstateTransition] = field(default_factory=list)
    after: dict[str, list[XstateTransition]] = field(default_factory=dict)
    """By a time such as ``after 200 ms``."""
    entry: list[XstateAction] = field(default_factory=list)
    exit: list[XstateAction] = field(default_factory=list)
    initial: list[XstateAction] = field(default_factory=list)
    targets: list[StateNode] = field(default_factory=list)
    """The initial state, or the defaults of a history state."""


def read_xstate(document: Document, path: Path) -> StateMachine:
    """Read a machine of XState 5; every mistake is a UserError with its place."""
    return _XstateReader(document).machine(path.stem)


class _XstateReader:
    def __init__(self, document: Document) -> None:
        self.document = document
        root = {key.text: value for key, value in document.fields(document.root, "a machine")}
        given, self.keys = without(our_keys(document, root), "semantics")
        self.semantics = "xstate" if given is None else document.known(given, "semantics", SEMANTICS)
        self.ordered: KeyOrder = js_order if self.semantics == "xstate" else tuple
        self.nodes = StateNodes(document, self.ordered)
        self.contents = XstateContents(document)
        self.read = {id(node): self._contents(node) for node in self.nodes.listed}
        self.done = {
            f"{_DONE}{self.nodes.identifier(node)}": done_event(node.name)
            for node in self.nodes.listed
            if node.path and node.type in ("compound", "parallel")
        }
        self.raised = dict.fromkeys(action.name for action in self._all_actions() if action.raised)

    def machine(self, default_name: str) -> StateMachine:
        """The flat machine."""
        root = self.nodes.root
        order, keys = without(self._keys(), "choices")
        document = Document(keys, file=self.document.file)
        words, self.description = read_interface(document, read_keys_beside(document, "statemachine"))
        self.words = replace(words, states=tuple(node.name for node in self.nodes.listed if node.path))
        self.events = list(dict.fromkeys((*words.signals_in, *self.raised, *self.done.values())))
        vertices, arrows = self._vertices(), list(self._arrows())
        if self.semantics == "xstate":
            refuse_differences(self.document, self.nodes, self.read, heard=self._hears_done())
            arrows = inner_first(vertices, arrows)
        self._refuse_wildcards()
        vertices, arrows, timers = with_timers(vertices, arrows, {}, words.signals_in)
        choices = tuple(vertex.name for vertex in vertices if vertex.choice)
        contents = self.read[id(root)]
        drawn = DrawnChart(
            name=self.nodes.title or default_name,
            words=self.words,
            description=self.description,
            vertices=vertices,
            arrows=arrows,
            initial=self._root_name() if root.type == "parallel" else contents.targets[0].name,
            at=self.document.place(root.record.get("initial", self.document.root)),
            choices=ordered_choices(order, choices, file=self.document.file),
            before=NOTHING if root.type == "parallel" else self._before(contents),
            timers=timers,
            order=TransitionRank.NONE if self.semantics == "fullproof" else TransitionRank.DOCUMENT,
        )
        return state_machine(drawn)

    # --- what stands in the file ---

    def _contents(self, node: StateNode) -> NodeContents:
        found, record, document = NodeContents(), node.record, self.document
        given = record.get("invoke")
        if isinstance(given, Fields | Items) and given.entries:
            raise document.error("invoked actors are not supported", given)
        for delay, value in document.fields(record["after"], "after") if "after" in record else ():
            found.after[self._time(delay)] = self._transitions(node, value)
        found.entry, found.exit = self.contents.actions(record.get("entry")), self.contents.actions(record.get("exit"))
        if "on" in record:
            for descriptor, value in self.ordered(document.fields(record["on"], "on")):
                found.on[descriptor.text] = self._transitions(node, value)
        if "onDone" in record:
            if not node.path:
                message = "onDone of the machine itself is never taken: the machine has ended"
                raise document.error(message, record["onDone"])
            found.on[f"{_DONE}{self.nodes.identifier(node)}"] = self._transitions(node, record["onDone"])
        found.always = self._transitions(node, record["always"]) if "always" in record else []
        self._initial(node, found)
        return found

    def _time(self, delay: Scalar) -> str:
        """A number of milliseconds; delays by name are implemented elsewhere."""
        if number_from_json(delay.text) is None:
            message = f"the delay {delay.text[:60]!r} is not in the file, expected a number of milliseconds"
            raise self.document.error(message, delay)
        return f"after {delay.text} ms"

    def _initial(self, node: StateNode, found: NodeContents) -> None:
        record, document = node.record, self.document
        if node.type == "history":
            holder = node.parent
            assert holder is not None
            if "target" in record:
                found.targets = [self.nodes.target(node, target) for target in _listed(record["target"])]
            return
        if node.type != "compound":
            return
        if "initial" not in record:
            raise document.error(f"state {node.key.text[:60]!r} lacks the key 'initial'", node.key)
        given = record["initial"]
        if isinstance(given, Fields):
            inner = document.record(given, "initial", ("target", "actions", "description", "meta"))
            found.initial = self.contents.actions(inner.get("actions"))
            given = inner.get("target", given)
        found.targets = [self.nodes.initial(node, given)]

    def _transitions(self, node: StateNode, value: Node) -> list[XstateTransition]:
        if isinstance(value, Scalar) and value.empty:
            return []
        items = value.entries if isinstance(value, Items) else (value,)
        return [self._transition(node, item) for item in items]

    def _transition(self, node: StateNode, value: Node) -> XstateTransition:
        document = self.document
        if not isinstance(value, Fields):
            target = self.nodes.target(node, value)
            return XstateTransition(node, [target], self.contents.guard(None), [], False, None, value)
        for key, _ in value.entries:
            if key.text in OF_VERSION_4:
                raise version_4(document, key)
        record = document.record(value, "a transition", _TRANSITION)
        targets = None
        if "target" in record and not (isinstance(record["target"], Scalar) and record["target"].empty):
            targets = [self.nodes.target(node, target) for target in _listed(record["target"])]
        reenter = "reenter" in record and document.known(record["reenter"], "truth value", ("true", "false")) == "true"
        ours = {key.text: item for key, item in our_keys(document, record, ("req",)).entries}
        guard, actions = self.contents.guard(record.get("guard")), self.contents.actions(record.get("actions"))
        return XstateTransition(node, targets, guard, actions, reenter, ours.get("req"), value)

    def _all_actions(self) -> Iterator[XstateAction]:
        for contents in self.read.values():
            yield from (*contents.entry, *contents.exit, *contents.initial)
            yield from (action for transition in _all(contents) for action in transition.actions)

    def _keys(self) -> Fields:
        actions = list(self._all_actions())
        used = [action.expression for action in actions if action.expression is not None]
        used += [transition.guard for contents in self.read.values() for transition in _all(contents)]
        assigned = [action.name for action in actions if action.expression is not None]
        context = self.nodes.root.record.get("context")
        keys = with_data(self.document, self.keys, context, used, assigned, self.contents.asked)
        sent = [action.at for action in actions if action.expression is None and not action.raised]
        received = [
            Scalar(descriptor, node.key.line, node.key.column, quoted=True)
            for node in self.nodes.listed
            for descriptor in self.read[id(node)].on
            if "*" not in descriptor and not descriptor.startswith(_DONE) and descriptor not in self.raised
        ]
        root = self.document.root
        return with_signals(keys, received, sent, at=Scalar("", root.line, root.column))

    # --- the chart ---

    def _root_name(self) -> str:
        taken = {node.name for node in self.nodes.listed}
        name = self.nodes.title or "machine"
        while name in taken:
            name += "_"
        return name

    def _named(self, node: StateNode | None) -> str | None:
        """The state of the chart that a node is; the machine itself is one only where it is parallel."""
        if node is None or (not node.path and node.type != "parallel"):
            return None
        return node.name if node.path else self._root_name()

    def _before(self, contents: NodeContents) -> Effect:
        for action in (*contents.entry, *contents.initial):
            if action.raised:
                raise self.document.error("the entry of the machine itself raises an event", action.at)
        return self._effect([*contents.entry, *contents.initial])

    def _vertices(self) -> list[Vertex]:
        return [self._vertex(node) for node in self.nodes.listed if self._named(node) is not None]

    def _vertex(self, node: StateNode) -> Vertex:
        contents, name = self.read[id(node)], self._named(node)
        assert name is not None
        ours = (
            {key.text for key, _ in our_keys(self.document, node.record, ("choice",)).entries} if node.path else set()
        )
        initial, effect = self._default(node, contents)
        return Vertex(
            name=name,
            parent=self._named(node.parent),
            choice="choice" in ours,
            final=node.type == "final",
            parallel=node.type == "parallel",
            history=self._depth(node),
            initial=initial,
            initial_effect=effect,
            entry=self._effect(contents.entry),
            exit=self._effect(contents.exit),
            at=self.document.place(node.key),
        )

    def _depth(self, node: StateNode) -> HistoryDepth | None:
        if node.type != "history":
            return None
        given = node.record.get("history")
        word = "shallow" if given is None else self.document.known(given, "history", ("shallow", "deep", "true"))
        return HistoryDepth.DEEP if word == "deep" else HistoryDepth.SHALLOW

    def _default(self, node: StateNode, contents: NodeContents) -> tuple[Names | None, Effect]:
        if node.type == "history" and not contents.targets:
            assert node.parent is not None
            if node.parent.type == "parallel":
                return node.parent.children[0].name, NOTHING
            return self._default(node.parent, self.read[id(node.parent)])
        if not contents.targets:
            return None, NOTHING
        names = tuple(target.name for target in contents.targets)
        return names[0] if len(names) == 1 else names, self._effect(contents.initial)

    def _arrows(self) -> Iterator[ChartTransition]:
        for node in self.nodes.listed:
            contents = self.read[id(node)]
            for transition in contents.always:
                yield self._arrow(transition, None)
            for event in self.events:
                for transition in self._candidates(contents, event):
                    yield self._arrow(transition, event)
            for time, listed in contents.after.items():
                yield from (self._arrow(transition, time) for transition in listed)

    def _candidates(self, contents: NodeContents, event: str) -> list[XstateTransition]:
        """The transitions that an event may take, the exact descriptor before longer and shorter wildcards."""
        named = {self.done.get(descriptor, descriptor): listed for descriptor, listed in contents.on.items()}
        file_name = next((word for word, name in self.done.items() if name == event), event)
        wild = [word for word in contents.on if word != file_name and _matches(file_name, word)]
        exact = named.get(event, [])
        return [*exact, *(t for word in sorted(wild, key=len, reverse=True) for t in contents.on[word])]

    def _hears_done(self) -> bool:
        return any(
            _matches(word, descriptor) or word == descriptor for word in self.done for descriptor in self._words()
        )

    def _refuse_wildcards(self) -> None:
        """A delay whose guard fails is an event that ``*`` takes."""
        waits = [transition for contents in self.read.values() for t in contents.after.values() for transition in t]
        guarded = [transition for transition in waits if transition.guard != TRUE]
        if guarded and "*" in self._words():
            raise self.document.error("a delay with a guard beside the wildcard '*' is not supported", guarded[0].at)

    def _words(self) -> set[str]:
        return {descriptor for contents in self.read.values() for descriptor in contents.on}

    def _arrow(self, transition: XstateTransition, event: str | None) -> ChartTransition:
        source = self._named(transition.source)
        way = exits_and_entries(None if self.semantics != "xstate" else self.document, transition)
        targets = tuple(
            name for name in map(self._named, transition.targets or [transition.source]) if name is not None
        )
        node = transition.at
        return ChartTransition(
            source=source,
            trigger=event,
            guard=self.words.checked_guard(transition.guard),
            effect=self._effect(transition.actions),
            target=targets[0] if len(targets) == 1 else targets,
            way=way,
            requirements=read_req(self.document, transition.req, self.description),
            at=self.document.place(node),
        )

    def _effect(self, actions: list[XstateAction]) -> Effect:
        found: list[Action] = []
        for action in actions:
            at = self.document.place(action.at)
            if action.expression is not None:
                found.append(self.words.checked_assignment(action.name, action.expression, at))
            elif action.raised:
                found.append(RaisedEvent(action.name))
            else:
                found.append(SentSignal(self.words.sent(action.name, at)))
        return Effect(actions=tuple(found))


def _all(contents: NodeContents) -> list[XstateTransition]:
    lists = [contents.always, *contents.on.values(), *contents.after.values()]
    return [transition for listed in lists for transition in listed]


def _listed(node: Node) -> tuple[Node, ...]:
    return node.entries if isinstance(node, Items) else (node,)


def _matches(event: str, descriptor: str) -> bool:
    """Whether a wildcard stands for an event: ``*`` for all, ``a.*`` for ``a.b`` and also for ``a``."""
    if descriptor == "*":
        return True
    stem = descriptor.removesuffix(".*")
    return stem != descriptor and (event == stem or event.startswith(f"{stem}."))
