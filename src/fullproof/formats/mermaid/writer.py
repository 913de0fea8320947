"""Mermaid state diagrams (``stateDiagram-v2``) of all four kinds, written so that they read back as the same model.

The names of states and the texts on arrows are data: characters that Mermaid could take for syntax are written as a
character reference (``#58;``), and a state whose name is not a plain identifier gets one. What a diagram cannot show
stands in comments: ``%% fullproof: inputs: {x: real}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from fullproof.formats.aliases import aliases
from fullproof.formats.document.outline import Outline, ScalarText, outline
from fullproof.formats.document.tree import Scalar
from fullproof.formats.labels import AnyTransition, transition_label
from fullproof.formats.mermaid.labels import looks_like_mealy
from fullproof.formats.mermaid.text import escaped, name_text
from fullproof.language.printer import to_text
from fullproof.model import Fsm, Model, StateMachine
from fullproof.model.sfsm import SfsmTransition

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = re.compile(
    r"(default.*|state|note|class|classdef|scale|direction|acctitle|accdescr|end|style|hide|as|click|linkstyle|h)\Z",
    re.I,
)
_DRAWN = ("name", "initial", "states", "choices")


def mermaid_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the diagram."""
    names = aliases(model.states, _is_plain, "q")
    choices = set(model.choices) if isinstance(model, StateMachine) else set()
    if model.name:
        yield f"---\ntitle: {json.dumps(model.name)}\n---\n"
    yield "stateDiagram-v2\n"
    yield from (f"    %% fullproof: {line}" for line in _declarations(model, names))
    for state, identifier in names.items():
        if state in choices:
            yield f"    state {identifier} <<choice>>\n"
        elif state != identifier:
            yield f'    state "{escaped(state)}" as {identifier}\n'
        else:
            yield f"    {identifier}\n"
    yield f"    [*] --> {names[model.initial]}\n"
    for transition in model.transitions:
        if transition.requirements:
            yield f"    %% fullproof: req: {_listed(transition.requirements)}\n"
        label = escaped(_label(model, transition))
        yield f"    {names[transition.source]} --> {names[transition.target]}" + (f" : {label}\n" if label else "\n")


def _is_plain(name: str) -> bool:
    return bool(_IDENTIFIER.match(name)) and not _RESERVED.match(name)


def _declarations(model: Model, names: dict[str, str]) -> Iterator[str]:
    """The keys of the model file that the diagram does not show; those of an fsm only where there are some."""
    from fullproof.formats.yaml.writer import outline_lines

    keys: dict[str, Outline] = {name: value for name, value in outline(model).items() if name not in _DRAWN}
    if isinstance(model, StateMachine):
        order = [state for state in model.states if state in set(model.choices)]
        if list(model.choices) != order:
            keys["choices"] = [ScalarText(name) for name in model.choices]
        hidden: dict[str, Outline] = {names[state]: ScalarText(state) for state in order if names[state] != state}
        if hidden:
            keys["names"] = hidden  # Mermaid has no text for a choice point
    labels = [Scalar(_label(model, t), 1, 1) for t in model.transitions]
    if isinstance(model, Fsm) and len(keys) == 1 and labels and all(looks_like_mealy(label) for label in labels):
        return
    yield from outline_lines(keys)


def _listed(names: tuple[str, ...]) -> str:
    from fullproof.formats.yaml.writer import scalar_text

    return "[" + ", ".join(scalar_text(ScalarText(name), in_brackets=True) for name in names) + "]"


def _label(model: Model, transition: AnyTransition) -> str:
    """As in pictures, with quotes around the names and brackets around the guards that need them."""
    if isinstance(transition, SfsmTransition) and "/" in (guard := to_text(transition.guard)):
        return f"[{guard}] / {to_text(transition.output)}"
    return transition_label(model, transition, name=name_text)
