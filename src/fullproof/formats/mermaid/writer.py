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
from fullproof.formats.charts.local_arrows import without_local_arrows
from fullproof.formats.charts.shown_times import TimeWords, shown_tree
from fullproof.formats.diagrams.declarations import arrow_label, declarations, listed_names
from fullproof.formats.diagrams.tree import Notation, TreeDrawing, can_be_drawn
from fullproof.formats.mermaid.text import escaped
from fullproof.model import Model, StateMachine

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = re.compile(
    r"(default.*|state|note|class|classdef|scale|direction|acctitle|accdescr|end|style|hide|as|click|linkstyle|h)\Z",
    re.I,
)


def mermaid_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the diagram."""
    if isinstance(model, StateMachine):
        tree = shown_tree(
            model,
            lambda chart: can_be_drawn(chart, _NOTATION),
            TimeWords(format="Mermaid", every=True),
            without_local_arrows,
        )
        if tree is not None:
            yield from _head(model)
            yield from (f"    {line}" for line in TreeDrawing(tree, _NOTATION).lines())
            return
    names = aliases(model.states, _is_plain, "q")
    choices = set(model.choices) if isinstance(model, StateMachine) else set()
    yield from _head(model)
    yield from (f"    %% fullproof: {line}" for line in declarations(model, names))
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
            yield f"    %% fullproof: req: {listed_names(transition.requirements)}\n"
        label = escaped(arrow_label(model, transition))
        yield f"    {names[transition.source]} --> {names[transition.target]}" + (f" : {label}\n" if label else "\n")


def _is_plain(name: str) -> bool:
    return bool(_IDENTIFIER.match(name)) and not _RESERVED.match(name)


def _head(model: Model) -> Iterator[str]:
    if model.name:
        yield f"---\ntitle: {json.dumps(model.name)}\n---\n"
    yield "stateDiagram-v2\n"


_NOTATION = Notation(comment="%% fullproof: ", usable=_is_plain, escaped=escaped, has_signs=False)
