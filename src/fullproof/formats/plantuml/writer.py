"""PlantUML state diagrams of all four kinds, written so that they read back as the same model.

The names of states and the texts on arrows are data: characters that PlantUML could take for syntax are written as
references (``<U+003A>``), and a state whose name is not a plain identifier gets one. What a diagram cannot show stands
in comments: ``' fullproof: inputs: {x: real}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fullproof.formats.aliases import aliases
from fullproof.formats.charts.local_arrows import without_local_arrows
from fullproof.formats.charts.shown_times import TimeWords, shown_tree
from fullproof.formats.diagrams.declarations import arrow_label, declarations, listed_names
from fullproof.formats.diagrams.tree import Notation, TreeDrawing, can_be_drawn
from fullproof.formats.plantuml.text import escaped
from fullproof.model import Model, StateMachine

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = re.compile(
    r"(state|note|title|skinparam|hide|show|scale|end|legend|header|footer|caption|mainframe|left|right|center|floating"
    r"|allow_mixing|as)\Z",
    re.I,
)


def plantuml_lines(model: Model) -> Iterator[str]:
    """Yield the lines of the diagram."""
    if isinstance(model, StateMachine):
        tree = shown_tree(
            model,
            lambda chart: can_be_drawn(chart, _NOTATION),
            TimeWords(format="PlantUML", every=True),
            without_local_arrows,
        )
        if tree is not None:
            yield "@startuml\n" + (f"title {escaped(model.name)}\n" if model.name else "")
            yield from TreeDrawing(tree, _NOTATION).lines()
            yield "@enduml\n"
            return
    names = aliases(model.states, _is_plain, "q")
    choices = set(model.choices) if isinstance(model, StateMachine) else set()
    yield "@startuml\n"
    if model.name:
        yield f"title {escaped(model.name)}\n"
    yield from (f"' fullproof: {line}" for line in declarations(model, names))
    for state, identifier in names.items():
        if state in choices:
            yield f"state {identifier} <<choice>>\n"
        elif state != identifier:
            yield f'state "{escaped(state)}" as {identifier}\n'
        else:
            yield f"state {identifier}\n"
    yield f"[*] --> {names[model.initial]}\n"
    for transition in model.transitions:
        if transition.requirements:
            yield f"' fullproof: req: {listed_names(transition.requirements)}\n"
        label = escaped(arrow_label(model, transition))
        yield f"{names[transition.source]} --> {names[transition.target]}" + (f" : {label}\n" if label else "\n")
    yield "@enduml\n"


def _is_plain(name: str) -> bool:
    return bool(_IDENTIFIER.match(name)) and not _RESERVED.match(name)


_NOTATION = Notation(comment="' fullproof: ", usable=_is_plain, escaped=escaped, has_signs=True)
