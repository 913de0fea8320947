"""Where XState 5 differs from appendix D of the SCXML recommendation: what can be said otherwise, and what is refused.

- A transition into its own source, or to a state inside it, leaves only what is inside, unless it has ``reenter``.
- Whether its own source is meant may depend on what a history state remembers.
- The domain of other transitions may be a parallel state, which is then neither left nor entered.
- Initial actions are not done where history, or a transition of a state to itself, enters the initial state.
- Parallel states directly inside each other complete together.
- A parallel machine ends when its regions have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fullproof.formats.document.document import Document
from fullproof.formats.xstate.nodes import StateNode, StateNodes
from fullproof.model.chart import ExitsAndEntries

if TYPE_CHECKING:
    from fullproof.formats.xstate.reader import NodeContents, XstateTransition


def exits_and_entries(document: Document | None, transition: XstateTransition) -> ExitsAndEntries:
    """Which states a transition leaves. Given a document, UserError where only XState's own domain would do."""
    source, targets = transition.source, transition.targets
    if not targets:
        return ExitsAndEntries.INTERNAL
    if source.parent is None and source.type != "parallel":
        return ExitsAndEntries.EXTERNAL
    inside = all(target.within(source) for target in targets)
    if inside and not transition.reenter:
        if source.type == "atomic":
            return ExitsAndEntries.INTERNAL
        if source.type == "compound":
            return ExitsAndEntries.LOCAL
        if document is not None:
            _require_quiet(document, source, transition)
        return ExitsAndEntries.EXTERNAL
    if document is not None:
        _refuse_other_domains(document, transition, targets)
    return ExitsAndEntries.EXTERNAL


def _refuse_other_domains(document: Document, transition: XstateTransition, targets: list[StateNode]) -> None:
    source = transition.source
    remembered = [target.parent for target in targets if target.type == "history"]
    if not transition.reenter and any(parent is not None and source.within(parent) for parent in remembered):
        message = "this transition leads to a history state beside it, which may stand for its own source; XState does"
        raise document.error(f"{message} not leave that then: expected reenter, or another target", transition.at)
    for around in source.around():
        holds = all(target.within(around) and target is not around for target in targets)
        may_hold = any(parent is not None and source.within(parent) for parent in remembered)
        if around.type == "parallel" and (holds or may_hold):
            _require_quiet(document, around, transition)
        elif holds:
            break


def _require_quiet(document: Document, parallel: StateNode, transition: XstateTransition) -> None:
    """A parallel state that does nothing on entry and exit, and remembers nothing, may as well be left and entered."""
    acts = any(word in parallel.record for word in ("entry", "exit"))
    if acts or any(node.type == "history" for node in parallel.inside.values()):
        name = parallel.name or "the machine"
        message = (
            f"this transition leaves all regions of {name[:60]!r}, but in XState not {name[:60]!r} itself, whose "
            "actions or history show that; expected none of them there"
        )
        raise document.error(message, transition.at)


def refuse_differences(
    document: Document, nodes: StateNodes, contents: Mapping[int, NodeContents], *, heard: bool
) -> None:
    """UserError where a chart means something else in XState. ``heard``: a transition waits for the end of a state."""
    histories = [node for node in nodes.listed if node.type == "history"]
    for node in nodes.listed:
        own = contents[id(node)]
        if own.initial and node.path and (histories or _stays(node, own)):
            message = "initial actions in a machine with history, or with a transition of the state to itself,"
            raise document.error(f"{message} are not supported: expected entry actions", own.initial[0].at)
        nested = node.parent is not None and node.parent.type == "parallel" and node.type == "parallel"
        if nested and heard:
            message = (
                f"parallel state {node.name[:60]!r} is a region of another, and onDone waits for the end of states"
            )
            raise document.error(message, node.key)
    root = nodes.root
    if root.type == "parallel" and all(any(c.type == "final" for c in node.children) for node in root.children):
        own = contents[id(root)]
        if own.on or own.always:
            message = "a parallel machine that ends when all its regions have, with transitions of its own"
            raise document.error(message, root.record.get("on", root.key))


def _stays(node: StateNode, own: NodeContents) -> bool:
    listed = [*own.always, *(transition for found in own.on.values() for transition in found)]
    return any(t.targets is not None and node in t.targets and not t.reenter for t in listed)
