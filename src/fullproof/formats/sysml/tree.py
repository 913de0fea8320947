"""Parse trees of SysML v2 by the names of the rules of its grammar, independent of the parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from fullproof.core.errors import Place


class SysmlToken(NamedTuple):
    """A word or sign of the text."""

    text: str
    at: Place


class Rule(NamedTuple):
    """A rule of the grammar, such as ``stateUsage``, and what it is made of."""

    name: str
    children: tuple[Node, ...]


Node: TypeAlias = Rule | SysmlToken

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def child(rule: Rule, *names: str) -> Rule | None:
    """The first child with one of the names."""
    return next((node for node in rule.children if isinstance(node, Rule) and node.name in names), None)


def children(rule: Rule, *names: str) -> list[Rule]:
    """All children with one of the names."""
    return [node for node in rule.children if isinstance(node, Rule) and node.name in names]


def inside(rule: Rule, *names: str) -> Rule | None:
    """The first rule with one of the names anywhere inside, itself included, from the left."""
    return next(all_inside(rule, *names), None)


def all_inside(rule: Rule, *names: str) -> Iterator[Rule]:
    """All rules with one of the names, but none inside another of them."""
    stack: list[Node] = [rule]
    while stack:
        node = stack.pop()
        if isinstance(node, SysmlToken):
            continue
        if node.name in names:
            yield node
        else:
            stack.extend(reversed(node.children))


def tokens(rule: Node) -> Iterator[SysmlToken]:
    """The words of a rule in order."""
    stack: list[Node] = [rule]
    while stack:
        node = stack.pop()
        if isinstance(node, SysmlToken):
            yield node
        else:
            stack.extend(reversed(node.children))


def first(rule: Node) -> SysmlToken:
    """Where a rule begins; rules without words are never asked."""
    return next(tokens(rule))


def place_of(rule: Node) -> Place:
    """The place where a rule begins."""
    return first(rule).at


def declared_name(rule: Rule | None) -> SysmlToken | None:
    """The name that a declaration gives; None where it gives none."""
    identification = None if rule is None else inside(rule, "identification")
    names = [] if identification is None else children(identification, "name")
    return first(names[-1]) if names else None


def has(rule: Rule, word: str) -> bool:
    """Whether a word is one of the rule's own."""
    return any(isinstance(node, SysmlToken) and node.text == word for node in rule.children)


def name_text(token: SysmlToken) -> str:
    """The name that a token stands for: quotes around it, and escapes in them, are no part of it."""
    text = token.text
    if len(text) < 2 or not text.startswith("'"):
        return text
    parts: list[str] = []
    escaped = False
    for character in text[1:-1]:
        if escaped:
            parts.append(_ESCAPES.get(character, character))
            escaped = False
        elif character == "\\":
            escaped = True
        else:
            parts.append(character)
    return "".join(parts)


def shown(rule: Node) -> str:
    """A piece of the text for messages."""
    text = re.sub(r" ?(\.|::|\(|\)|\[|\]) ?", r"\1", " ".join(token.text for token in tokens(rule)))
    return repr(text if len(text) <= 40 else text[:37] + "...")
