"""What stands in the comments and on the arrows of written diagrams."""

from __future__ import annotations

from collections.abc import Iterator

from fullproof.formats.diagrams.labels import looks_like_mealy
from fullproof.formats.diagrams.text import name_text
from fullproof.formats.document.outline import Outline, ScalarText, outline
from fullproof.formats.document.tree import Scalar
from fullproof.formats.labels import AnyTransition, transition_label
from fullproof.language.printer import to_text
from fullproof.model import Fsm, Model, StateMachine
from fullproof.model.sfsm import SfsmTransition

_DRAWN = ("name", "initial", "states", "choices")


def declarations(model: Model, names: dict[str, str]) -> Iterator[str]:
    """The keys of the model file that the diagram does not show; those of an fsm only where there are some."""
    from fullproof.formats.yaml.writer import outline_lines

    keys: dict[str, Outline] = {name: value for name, value in outline(model).items() if name not in _DRAWN}
    if isinstance(model, StateMachine):
        order = [state for state in model.states if state in set(model.choices)]
        if list(model.choices) != order:
            keys["choices"] = [ScalarText(name) for name in model.choices]
        hidden: dict[str, Outline] = {names[state]: ScalarText(state) for state in order if names[state] != state}
        if hidden:
            keys["names"] = hidden  # a choice point is drawn without a text
    labels = [Scalar(arrow_label(model, t), 1, 1) for t in model.transitions]
    if isinstance(model, Fsm) and len(keys) == 1 and labels and all(looks_like_mealy(label) for label in labels):
        return
    yield from outline_lines(keys)


def listed_names(names: tuple[str, ...]) -> str:
    """``[R1, R2]``"""
    from fullproof.formats.yaml.writer import scalar_text

    return "[" + ", ".join(scalar_text(ScalarText(name), in_brackets=True) for name in names) + "]"


def arrow_label(model: Model, transition: AnyTransition) -> str:
    """As in pictures, with quotes around the names and brackets around the guards that need them."""
    if isinstance(transition, SfsmTransition) and "/" in (guard := to_text(transition.guard)):
        return f"[{guard}] / {to_text(transition.output)}"
    return transition_label(model, transition, name=name_text)
