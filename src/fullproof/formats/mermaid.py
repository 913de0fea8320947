"""Mermaid state diagrams (``stateDiagram-v2``) of all four kinds; written only.

The names of states and the texts on arrows are data: whatever Mermaid could take for syntax is written as a character
reference (``#58;``), and a state whose name is no plain identifier gets one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fullproof.formats.labels import transition_label
from fullproof.model import Model, StateMachine

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = re.compile(
    r"(default.*|state|note|class|classdef|scale|direction|acctitle|accdescr|end|style|hide|as)\Z", re.I
)
_UNSAFE = re.compile(r"[^\w .,+*/=()\[\]!?'|@$-]")
_DIRECTION = re.compile(r"(?i:direction)(?=\s)")


def mermaid_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the diagram."""
    names = _identifiers(model.states)
    choices = set(model.choices) if isinstance(model, StateMachine) else set()
    yield f"---\ntitle: {json.dumps(model.name)}\n---\n"
    yield "stateDiagram-v2\n"
    for state, identifier in names.items():
        if state in choices:
            yield f"    state {identifier} <<choice>>\n"
        elif state != identifier:
            yield f'    state "{_escaped(state)}" as {identifier}\n'
        else:
            yield f"    {identifier}\n"
    yield f"    [*] --> {names[model.initial]}\n"
    for transition in model.transitions:
        label = _escaped(transition_label(model, transition))
        yield f"    {names[transition.source]} --> {names[transition.target]}" + (f" : {label}\n" if label else "\n")


def _identifiers(states: tuple[str, ...]) -> dict[str, str]:
    names: dict[str, str] = {}
    taken = set(states)
    for number, state in enumerate(states):
        if _IDENTIFIER.match(state) and not _RESERVED.match(state):
            names[state] = state
            continue
        identifier = f"q{number}"
        while identifier in taken:
            identifier += "_"
        taken.add(identifier)
        names[state] = identifier
    return names


def _escaped(text: str) -> str:
    text = " ".join(text.split())
    text = _UNSAFE.sub(lambda match: f"#{ord(match.group())};", text)
    return _DIRECTION.sub(r"\g<0>#8203;", text)
