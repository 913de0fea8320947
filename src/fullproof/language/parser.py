"""Text to syntax trees. Lark is imported, and the grammar compiled, when the first text is parsed."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from fullproof.core.errors import NOWHERE, Place, UserError
from fullproof.language.complaints import check_parentheses, complaint
from fullproof.language.limits import MAX_DEPTH
from fullproof.language.places import locator
from fullproof.language.syntax import Call, Comparison, Conditional, Expression, Temporal
from fullproof.language.traversal import children, depth, nodes
from fullproof.language.tree_builder import Builder, Declaration
from fullproof.language.types import Value, Variable

if TYPE_CHECKING:
    from lark import Lark

_lock = threading.Lock()  # the builder carries the places of the text being parsed


def parse_expression(text: str, *, at: Place = NOWHERE) -> Expression:
    """Read an expression without temporal operators; ``at`` is the place of the text's first character."""
    tree = cast("Expression", _parse(text, "formula", at))
    found = _first_temporal(tree)
    if found is not None:
        raise UserError(f"{found.operator} is a temporal operator; only properties may use it", at=found.at)
    return tree


def parse_formula(text: str, *, at: Place = NOWHERE) -> Expression:
    """Read an LTL formula: temporal operators over expressions, joined by and, or, not and ->."""
    tree = cast("Expression", _parse(text, "formula", at))
    _keep_temporal_outside(tree)
    return tree


def parse_assignment(text: str, *, at: Place = NOWHERE) -> tuple[str, Expression]:
    """Read ``m = x / 2`` as the name on the left and the expression on the right."""
    target, tree = _parse(text, "assignment", at)
    found = _first_temporal(tree)
    if found is not None:
        raise UserError(f"{found.operator} is a temporal operator; only properties may use it", at=found.at)
    return target.name, tree


def parse_declaration(text: str, *, name: str, constants: Mapping[str, Value], at: Place = NOWHERE) -> Variable:
    """Read ``real 0..400 = 3 ~ 1e-6``, ``bool = true``, ``enum O, W, A = O``, ``list of bool max 4`` and so on."""
    from fullproof.language.declarations import declare

    declaration = cast("Declaration", _parse(text, "declaration", at))
    return declare(declaration, name=name, constants=constants, at=at)


@cache
def _lark() -> tuple[Lark, Builder]:
    import lark

    builder = Builder()
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    parser = lark.Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        start=["formula", "assignment", "declaration"],
        transformer=cast("Any", builder),
        maybe_placeholders=False,
    )
    return parser, builder


def _parse(text: str, start: str, at: Place) -> Any:
    import lark

    place = locator(text, at)
    check_parentheses(text, place)
    with _lock:
        parser, builder = _lark()
        builder.place = place
        try:
            tree = parser.parse(text, start=start)
        except lark.UnexpectedInput as error:
            offset = _offset(error, text)
            raise complaint(text, offset, _accepted(text[:offset], start), place) from None
    for part in _expressions(tree):
        if depth(part) > MAX_DEPTH:
            raise UserError(
                f"nested more than {MAX_DEPTH} deep; parentheses can make long chains of operators shallower",
                at=part.at,
            )
    return tree


def _offset(error: Any, text: str) -> int:
    token = getattr(error, "token", None)
    if token is None:
        return int(error.pos_in_stream)
    return len(text) if token.type == "$END" else int(token.start_pos)


def _accepted(before: str, start: str) -> set[str]:
    """Return the terminals that could follow: Lark's own list holds what any text may have after such a token."""
    import lark

    state: Any = _lark()[0].parse_interactive(before, start=start)
    try:
        state.exhaust_lexer()
    except lark.UnexpectedInput:  # the text before the error may parse differently: min is a name without (
        return set()
    return set(state.accepts())


def _expressions(tree: Any) -> list[Expression]:
    if isinstance(tree, tuple):
        return [tree[1]]
    if isinstance(tree, Declaration):
        element = [] if tree.element is None else _expressions(tree.element)
        own = (tree.low, tree.high, tree.most, tree.initial, tree.tolerance)
        return [*element, *(part for part in own if part is not None)]
    return [tree]


def _first_temporal(tree: Expression) -> Temporal | None:
    return next((node for node in nodes(tree) if isinstance(node, Temporal)), None)


def _keep_temporal_outside(tree: Expression) -> None:
    """Refuse ``G p == q`` and the like: a state formula is evaluated on one state, a temporal one is not."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, Comparison | Call | Conditional):
            found = _first_temporal(node)
            if found is not None:
                raise UserError(
                    f"temporal operator {found.operator} inside a comparison, function or conditional;"
                    " join formulas by and, or, not and ->",
                    at=found.at,
                )
        else:
            stack.extend(children(node))
