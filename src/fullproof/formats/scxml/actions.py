"""Executable content of an SCXML file: assignments, signals, internal events, conditions, loops over literal lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fullproof.core.errors import UserError
from fullproof.formats.charts.vocabulary import Vocabulary
from fullproof.formats.scxml.delays import DelayedEvents, is_delayed
from fullproof.formats.scxml.elements import checked, fp, needed, tag_of
from fullproof.formats.scxml.expressions import read_expression, read_list, read_statements
from fullproof.formats.scxml.states import Outline, Signals
from fullproof.formats.scxml.tree import Attribute, Element
from fullproof.language.parser import parse_expression
from fullproof.language.substitute import substitute
from fullproof.language.syntax import TRUE, Expression, Integer, Name
from fullproof.language.traversal import nodes
from fullproof.model.chart import (
    Action,
    ConditionalActions,
    Effect,
    RaisedEvent,
    SentSignal,
    StartedTimer,
    StoppedTimer,
    is_active,
)

CONTENT = ("onentry", "onexit", "transition")
MOST_ACTIONS = 10_000


class Actions:
    """Reads executable content; ``lists`` are the data that loops run over."""

    def __init__(
        self,
        outline: Outline,
        words: Vocabulary,
        signals: Signals,
        lists: Mapping[str, list[Expression]],
        delayed: DelayedEvents,
    ) -> None:
        self._outline = outline
        self._words = words
        self._signals = signals
        self._lists = lists
        self._delayed = delayed
        self._states = {is_active(key): Name(is_active(name)) for key, name in outline.identifiers.items()}
        self._guards: dict[tuple[str, bool], Expression] = {}

    def effect(self, elements: Iterable[Element]) -> Effect:
        """What some blocks do, one after the other."""
        return Effect(actions=tuple(action for element in elements for action in self._block(element)))

    def guard(self, element: Element) -> Expression:
        """The condition of an element; true where it has none."""
        exact, source = fp(element, "cond"), element.get("cond")
        given = exact if exact is not None else source
        if given is None:
            return TRUE
        key = (given.text, exact is not None)
        if key not in self._guards:  # large models repeat themselves: equal guards are one tree
            guard = _exact(given) if exact is not None else read_expression(given)
            self._guards[key] = self._words.checked_guard(self._about_states(guard))
        return self._guards[key]

    def _about_states(self, expression: Expression) -> Expression:
        asked = [node for node in nodes(expression) if isinstance(node, Name) and node.name.startswith("in(")]
        for node in asked:
            self._outline.named(node.name[3:-1], node.at)
        return substitute(expression, self._states) if asked else expression

    def _block(self, element: Element) -> list[Action]:
        return [action for tag, child in checked(element) for action in self._actions(tag, child)]

    def _actions(self, tag: str, child: Element) -> list[Action]:
        inside = list(checked(child))
        match tag:
            case "assign":
                location, exact = needed(child, "location"), fp(child, "expr")
                value = _exact(exact) if exact is not None else read_expression(needed(child, "expr"))
                return [self._assigned(location.text.strip(), value, location)]
            case "send" if is_delayed(child):
                return [StartedTimer(self._delayed.started(child))]
            case "cancel":
                return [StoppedTimer(name) for name in self._delayed.stopped(child)]
            case "send" if is_internal(child):
                return [RaisedEvent(self._signals.name(needed(child, "event").text))]
            case "send":
                return [SentSignal(self._signals.name(needed(child, "event").text))]
            case "raise":
                return [RaisedEvent(self._signals.name(needed(child, "event").text))]
            case "script" if child.content is not None:
                return [self._assigned(*statement) for statement in read_statements(child.content)]
            case "if":
                return [self._conditional(child, inside)]
            case "foreach":
                return self._loop(child, inside)
            case _:
                return []

    def _assigned(self, name: str, value: Expression, source: Attribute) -> Action:
        return self._words.checked_assignment(name, self._about_states(value), source.at)

    def _conditional(self, element: Element, inside: list[tuple[str, Element]]) -> ConditionalActions:
        needed(element, "cond")
        cases: list[tuple[Expression, list[Action]]] = [(self.guard(element), [])]
        otherwise = False
        for tag, child in inside:
            if tag in ("elseif", "else"):
                list(checked(child))
                if otherwise:
                    raise UserError(f"<{tag}> after <else>", at=child.at)
                otherwise = tag == "else"
                if not otherwise:
                    needed(child, "cond")
                cases.append((self.guard(child), []))
            else:
                cases[-1][1].extend(self._actions(tag, child))
        return ConditionalActions(tuple((condition, tuple(actions)) for condition, actions in cases))

    def _loop(self, element: Element, inside: list[tuple[str, Element]]) -> list[Action]:
        array, item, index = needed(element, "array"), needed(element, "item"), element.get("index")
        name = array.text.strip()
        listed = self._lists[name] if name in self._lists else read_list(array)
        if listed is None:
            message = f"a loop over {name[:60]!r}, expected a list such as [1, 2] or a <data> with one"
            raise UserError(message, at=array.at)
        found: list[Action] = []
        for number, value in enumerate(listed):
            found.append(self._assigned(item.text.strip(), value, item))
            if index is not None:
                found.append(self._assigned(index.text.strip(), Integer(number), index))
            found += [action for tag, child in inside for action in self._actions(tag, child)]
            if len(found) > MOST_ACTIONS:
                raise UserError(f"loops with more than {MOST_ACTIONS:,} actions", at=element.at)
        return found


def is_internal(send: Element) -> bool:
    """Whether what is sent goes to the machine's own internal queue."""
    target = send.get("target")
    return target is not None and target.text == "#_internal"


def content_events(outline: Outline) -> tuple[list[Attribute], list[Attribute]]:
    """The events that are sent and those that are raised, in the order of the file."""
    sent: list[Attribute] = []
    raised: list[Attribute] = []
    for block in content_blocks(outline):
        for element in _descendants(block):
            tag = tag_of(element)
            if tag not in ("send", "raise"):
                continue
            list(checked(element))
            event = needed(element, "event")
            if event.text.split() != [event.text]:
                raise UserError(f"the event {event.text[:60]!r} is not one word", at=event.at)
            if tag == "send" and is_delayed(element):
                continue
            (raised if tag == "raise" or is_internal(element) else sent).append(event)
    return sent, raised


def refuse_scripts_elsewhere(outline: Outline) -> None:
    """UserError for a script in another file: data that it assigns has no values and types here."""
    for block in content_blocks(outline):
        for element in _descendants(block):
            if tag_of(element) == "script" and element.get("src") is not None:
                list(checked(element))


def delayed_events(outline: Outline) -> DelayedEvents:
    """The events that are sent later."""
    elements = (element for block in content_blocks(outline) for element in _descendants(block))
    return DelayedEvents(element for element in elements if tag_of(element) == "send" and is_delayed(element))


def content_blocks(outline: Outline) -> list[Element]:
    """All elements with executable content, in the order of the file."""
    found: list[Element] = []
    for state in [outline.root, *outline.listed]:
        found += [child for tag in CONTENT for child in state.part(tag)]
        found += [child for element in state.part("initial") for child in element.children]
    return sorted(found, key=lambda element: element.at)


def _descendants(element: Element) -> Iterator[Element]:
    for child in element.children:
        if tag_of(child):
            yield child
            yield from _descendants(child)


def _exact(attribute: Attribute) -> Expression:
    """What is written in our own language, since ECMAScript has no such expression."""
    return parse_expression(attribute.text, at=attribute.at)
