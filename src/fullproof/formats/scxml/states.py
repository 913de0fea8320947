"""The states and transitions of an SCXML file, not yet read further, and the names of what they refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fullproof.core.errors import Place, UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.scxml.elements import checked, fp
from fullproof.formats.scxml.tree import Attribute, Element
from fullproof.model.chart import done_event


@dataclass(slots=True)
class StateElement:
    """A state with its parts by tag; ``name`` is that of the flat machine."""

    element: Element
    tag: str
    name: str
    parent: StateElement | None
    parts: dict[str, list[Element]] = field(default_factory=dict)
    inside: list[StateElement] = field(default_factory=list)

    def part(self, tag: str) -> list[Element]:
        """The children of a tag."""
        return self.parts.get(tag, [])


class Outline:
    """All states, outer before inner ones, in the order of the file."""

    def __init__(self, root: Element) -> None:
        self.root = StateElement(root, "scxml", "", None)
        self.listed: list[StateElement] = []
        self._identifiers: dict[str, StateElement] = {}
        self._walk(self.root)
        self._name_the_nameless()

    def _walk(self, here: StateElement) -> None:
        for tag, child in checked(here.element):
            if tag not in ("state", "parallel", "history", "final"):
                here.parts.setdefault(tag, []).append(child)
                continue
            state = StateElement(child, tag, "", here if here.tag != "scxml" else None)
            if tag != "history":
                here.inside.append(state)
            self.listed.append(state)
            self._identify(state)
            self._walk(state)

    def _identify(self, state: StateElement) -> None:
        identifier, name = state.element.get("id"), fp(state.element, "name")
        if identifier is not None:
            if not identifier.text or identifier.text.split() != [identifier.text]:
                raise UserError(f"the id {identifier.text[:60]!r} is not one word", at=identifier.at)
            if identifier.text in self._identifiers:
                raise UserError(f"two states have the id {identifier.text[:60]!r}", at=identifier.at)
            self._identifiers[identifier.text] = state
            state.name = identifier.text
        if name is not None:
            if not name.text:
                raise UserError("the name of a state is empty", at=name.at)
            state.name = name.text

    def _name_the_nameless(self) -> None:
        """States without references may lack an id: they get unique names."""
        taken = {state.name for state in self.listed}
        for state in self.listed:
            number = 1
            while not state.name:
                name = f"{state.tag}{number}"
                number += 1
                if name not in taken:
                    taken.add(name)
                    state.name = name

    def targets(self, attribute: Attribute, what: str) -> tuple[str, ...]:
        """The states that an attribute names."""
        words = attribute.text.split()
        for word in words or [""]:
            if word not in self._identifiers:
                shown = word[:60]
                raise UserError(f"unknown {what} {shown!r}{did_you_mean(shown, self._identifiers)}", at=attribute.at)
        return tuple(self._identifiers[word].name for word in words)

    def named(self, identifier: str, at: Place) -> StateElement:
        """The state with an id."""
        if identifier not in self._identifiers:
            hint = did_you_mean(identifier[:60], self._identifiers)
            raise UserError(f"unknown state {identifier[:60]!r}{hint}", at=at)
        return self._identifiers[identifier]

    def is_history(self, name: str) -> bool:
        """Whether a name is that of a history state."""
        return any(state.name == name and state.tag == "history" for state in self.listed)

    def lies_inside(self, name: str, outer: StateElement) -> bool:
        """Whether a state lies properly inside another."""
        above = next(state for state in self.listed if state.name == name).parent
        while above is not None and above is not outer:
            above = above.parent
        return above is outer

    @property
    def identifiers(self) -> dict[str, str]:
        """The names of states by their ids."""
        return {identifier: state.name for identifier, state in self._identifiers.items()}

    def elements(self, tag: str) -> Iterator[tuple[StateElement, Element]]:
        """All parts of a tag, by state."""
        for state in [self.root, *self.listed]:
            for element in state.part(tag):
                yield state, element


class Signals:
    """Events that come in, signals that go out and internal events; ``name`` leads from the word in the file to the
    model's name.

    An event that the chart raises itself comes from outside only where ``fp:in`` lists it.
    """

    def __init__(
        self, outline: Outline, sent: list[Attribute], raised: list[Attribute], delayed: Sequence[str] = ()
    ) -> None:
        """``delayed`` are events that come by timers, and from outside only where ``fp:in`` lists them."""
        root = outline.root.element
        self.names = {}
        for element in outline.root.part("fp:signal"):
            list(checked(element))
            event, name = element.get("event"), element.get("name")
            if event is None or name is None or not name.text:
                raise UserError("<fp:signal> needs the attributes event and name", at=element.at)
            self.names[event.text] = name.text
        self.done = {f"done.state.{key}": done_event(name) for key, name in outline.identifiers.items()}
        self.raised = tuple(dict.fromkeys(attribute.text for attribute in raised))
        heard = [word for _, t in outline.elements("transition") for word, _ in event_words(t)]
        own = {*self.raised, *delayed}
        outer = [word for word in heard if word != "*" and word not in own and not _is_inner(word)]
        self.delayed = tuple(delayed)
        self.received = self._listed(fp(root, "in"), outer)
        self.sent = self._listed(fp(root, "out"), [attribute.text for attribute in sent])
        for attribute in sent:
            if attribute.text not in self.sent:
                message = f"unknown output signal {attribute.text[:60]!r}{did_you_mean(attribute.text[:60], self.sent)}"
                raise UserError(message, at=attribute.at)
            if attribute.text in self.received or attribute.text in own:
                message = (
                    f"event {attribute.text[:60]!r} is sent and also waited for; events to itself are not supported,"
                    ' but <raise> and <send target="#_internal"> are'
                )
                raise UserError(message, at=attribute.at)

    def _listed(self, given: Attribute | None, used: list[str]) -> tuple[str, ...]:
        words = given.text.split() if given is not None else list(dict.fromkeys(used))
        if given is not None and len(set(words)) < len(words):
            raise UserError("a signal is listed twice", at=given.at)
        return tuple(words)

    def interface(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of the signals that come in, and of those that go out."""
        return tuple(map(self.name, self.received)), tuple(map(self.name, self.sent))

    def name(self, word: str) -> str:
        """The name in the model."""
        return self.done.get(word) or self.names.get(word, word)

    def matching(self, word: str, attribute: Attribute) -> list[str]:
        """The events that an event descriptor stands for: ``a`` also means ``a.b``."""
        events = dict.fromkeys((*self.received, *self.raised, *self.delayed, *self.done))
        found = [event for event in events if word in ("*", event) or event.startswith(f"{word}.")]
        if not found:
            if word == "*":
                raise UserError("'*' stands for no event: there are none", at=attribute.at)
            if _is_inner(word) and not word.startswith("done.state"):
                message = f"event {word[:60]!r} never happens here: nothing is invoked, nothing fails"
                raise UserError(message, at=attribute.at)
            message = f"unknown input signal {word[:60]!r}{did_you_mean(word[:60], events)}"
            raise UserError(message, at=attribute.at)
        return found


def _is_inner(word: str) -> bool:
    """Whether only the machine itself makes such events."""
    return word.split(".", maxsplit=1)[0] in ("error", "done")


def event_words(transition: Element) -> list[tuple[str, Attribute]]:
    """The event descriptors of a transition; ``a.*`` and ``a.`` are ``a``."""
    attribute = transition.get("event")
    if attribute is None:
        return []
    words = attribute.text.split()
    if not words:
        raise UserError("the event is empty; a transition without event has no such attribute", at=attribute.at)
    return [(word if word == "*" else word.removesuffix("*").removesuffix("."), attribute) for word in words]
