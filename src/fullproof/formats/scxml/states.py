"""The states and transitions of an SCXML file, not yet read further, and the names of what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fullproof.core.errors import UserError
from fullproof.core.suggest import did_you_mean
from fullproof.formats.scxml.elements import checked, fp
from fullproof.formats.scxml.tree import Attribute, Element


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
            if tag not in ("state", "final"):
                here.parts.setdefault(tag, []).append(child)
                continue
            state = StateElement(child, tag, "", here if here.tag != "scxml" else None)
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

    def target(self, attribute: Attribute, what: str) -> StateElement:
        """The state that an attribute names."""
        words = attribute.text.split()
        if len(words) > 1:
            raise UserError(f"several {what}s are not supported: there are no parallel states", at=attribute.at)
        if not words or words[0] not in self._identifiers:
            shown = attribute.text.strip()[:60]
            raise UserError(f"unknown {what} {shown!r}{did_you_mean(shown, self._identifiers)}", at=attribute.at)
        return self._identifiers[words[0]]

    def elements(self, tag: str) -> Iterator[tuple[StateElement, Element]]:
        """All parts of a tag, by state."""
        for state in [self.root, *self.listed]:
            for element in state.part(tag):
                yield state, element


class Signals:
    """Events that come in and signals that go out; ``name`` leads from the word in the file to the model's name."""

    def __init__(self, outline: Outline, sent: list[Attribute]) -> None:
        root = outline.root.element
        self.names = {}
        for element in outline.root.part("fp:signal"):
            list(checked(element))
            event, name = element.get("event"), element.get("name")
            if event is None or name is None or not name.text:
                raise UserError("<fp:signal> needs the attributes event and name", at=element.at)
            self.names[event.text] = name.text
        heard = [word for _, t in outline.elements("transition") for word, _ in event_words(t)]
        self.received = self._listed(fp(root, "in"), [word for word in heard if word != "*"])
        self.sent = self._listed(fp(root, "out"), [attribute.text for attribute in sent])
        for attribute in sent:
            if attribute.text not in self.sent:
                message = f"unknown output signal {attribute.text[:60]!r}{did_you_mean(attribute.text[:60], self.sent)}"
                raise UserError(message, at=attribute.at)
            if attribute.text in self.received:
                message = (
                    f"event {attribute.text[:60]!r} is sent and also waited for; events to itself are not supported"
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
        return self.names.get(word, word)

    def matching(self, word: str, attribute: Attribute) -> list[str]:
        """The input signals that an event descriptor stands for: ``a`` also means ``a.b``."""
        found = [s for s in self.received if word in ("*", s) or s.startswith(f"{word}.")]
        if not found:
            if word == "*":
                raise UserError("'*' stands for no event: there are none", at=attribute.at)
            message = f"unknown input signal {word[:60]!r}{did_you_mean(word[:60], self.received)}"
            raise UserError(message, at=attribute.at)
        return found


def event_words(transition: Element) -> list[tuple[str, Attribute]]:
    """The event descriptors of a transition but those of completion; ``a.*`` and ``a.`` are ``a``."""
    return [pair for pair in all_event_words(transition) if not pair[0].startswith("done.state.")]


def all_event_words(transition: Element) -> list[tuple[str, Attribute]]:
    """The event descriptors of a transition."""
    attribute = transition.get("event")
    if attribute is None:
        return []
    words = attribute.text.split()
    if not words:
        raise UserError("the event is empty; a transition without event has no such attribute", at=attribute.at)
    for word in words:
        if word.split(".")[0] in ("error", "done") and not word.startswith("done.state."):
            raise UserError(
                f"event {word[:60]!r} never happens here: nothing is invoked, nothing fails", at=attribute.at
            )
    return [(word if word == "*" else word.removesuffix("*").removesuffix("."), attribute) for word in words]
