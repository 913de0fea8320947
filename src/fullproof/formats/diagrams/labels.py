"""The labels of arrows: ``trigger [guard] / action; action; send signal``, and those of the other kinds of models."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from fullproof.formats.columns import ColumnTable
from fullproof.formats.diagrams.text import find_outside_quotes, quoted_name
from fullproof.formats.document.comment_keys import key
from fullproof.formats.document.tree import Fields, Node, Scalar
from fullproof.model.sts import TAU

_SEND = re.compile(r"(send|raise)(?![^\W])\s*")
_SIGNAL = re.compile(r"[^\W\d][\w.-]*\Z")
_CALL = re.compile(r"[^\W\d][\w.]*\s*\(.*\)\Z")
_TIMED = re.compile(r"(?:after|at|when|every)\b\s*[\s(0-9]")
_WAITED = re.compile(r"(?:after|every)\b\s*\(?\s*[0-9]")
_AWAITED = re.compile(r"(?:after|every)\b")
_INTERNAL = re.compile(rf"({TAU})\s*(?=\[|\Z|[^\W\d]\w*\s*:=)")
_ASSIGNED = re.compile(r"[^\W\d]\w*\s*(:?=)(?!=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The parts of ``trigger [guard] / effects``; texts of names are decoded, those of expressions as written."""

    triggers: tuple[Scalar, ...] = ()
    guard: Scalar | None = None
    actions: tuple[Scalar, ...] = ()
    sends: tuple[Scalar, ...] = ()
    raises: tuple[Scalar, ...] = ()


def part(text: Scalar, start: int, end: int | None = None) -> Scalar:
    """A piece of a text without the blanks around it, where it stands."""
    piece = text.text[start:end]
    blanks = len(piece) - len(piece.lstrip())
    return Scalar(piece.strip(), text.line, text.column + start + blanks, quoted=True)


def name_of(piece: Scalar, columns: ColumnTable) -> Scalar:
    """A piece that is a name, bare or between quotes."""
    if not piece.text.startswith('"'):
        return piece
    name = quoted_name(piece.text)
    if name is None:
        raise columns.error_at(f"expected a name between quotes, as in JSON, found {piece.text[:40]!r}", piece)
    return piece._replace(text=name, exact=False, quoted=True)


def is_awaited(trigger: Scalar) -> bool:
    """Whether a trigger is a time: ``after(5 s)``; between quotes it is the name of a signal."""
    return not trigger.quoted and _TIMED.match(trigger.text) is not None


def split_head(text: Scalar, columns: ColumnTable) -> tuple[Scalar, Scalar | None, int]:
    """What stands before ``[``, what stands in the brackets, and where the rest begins."""
    bracket = find_outside_quotes(text.text, "[/")
    if bracket < 0 or text.text[bracket] == "/":
        end = len(text.text) if bracket < 0 else bracket
        return part(text, 0, end), None, end
    close = find_outside_quotes(text.text, "]", bracket + 1, around="[]")
    if close < 0:
        raise columns.error("the guard is never closed, expected ']'", text.line, text.column + bracket)
    guard = part(text, bracket + 1, close)
    if not guard.text:
        raise columns.error("the guard is empty, expected [condition]", text.line, text.column + bracket)
    return part(text, 0, bracket), guard, close + 1


def parse_label(text: Scalar, columns: ColumnTable) -> Label:
    """Read the label of a transition of a state machine."""
    head, guard, position = split_head(text, columns)
    rest = part(text, position)
    if rest.text and not rest.text.startswith("/"):
        raise columns.error_at(f"expected '/' and actions after the guard, found {rest.text[:40]!r}", rest)
    effects = parse_effects(part(rest, 1), columns) if rest.text else Label()
    return replace(effects, triggers=_triggers(head, columns), guard=guard)


def _triggers(head: Scalar, columns: ColumnTable) -> tuple[Scalar, ...]:
    if not head.text:
        return ()
    found = []
    for piece in pieces(head, ","):
        if not piece.text:
            raise columns.error_at("expected a signal before or after ','", piece)
        if _TIMED.match(piece.text):
            if not _AWAITED.match(piece.text):
                message = f"{piece.text[:40]!r} is not a signal; expected such as after(5 s) or every(5 s)"
                raise columns.error_at(message, piece)
            found.append(piece._replace(quoted=False))
            continue
        if not piece.text.startswith('"') and re.search(r"[<>=!]", piece.text):
            message = f"{piece.text[:40]!r} is not a signal; expected [guard] or / action (or quote the name)"
            raise columns.error_at(message, piece)
        if not piece.text.startswith('"') and "(" in piece.text:
            message = f"{piece.text[:40]!r}: a signal carries no values; declare inputs for them (or quote the name)"
            raise columns.error_at(message, piece)
        found.append(name_of(piece, columns))
    return tuple(found)


def parse_effects(text: Scalar, columns: ColumnTable) -> Label:
    """Assignments, sent signals and internal events of ``m = x / 2; y := 1; send s, t; raise e``."""
    actions: list[Scalar] = []
    sends: list[Scalar] = []
    raises: list[Scalar] = []
    for piece in pieces(text, ";,"):
        if not piece.text:
            continue
        if match := _SEND.match(piece.text):
            name = part(piece, match.end())
            if not name.text:
                raise columns.error_at(f"expected a signal after '{match[1]}'", piece)
            (sends if match[1] == "send" else raises).append(name_of(name, columns))
        elif piece.text.startswith('"') or _SIGNAL.match(piece.text):
            sends.append(name_of(piece, columns))
        elif _CALL.match(piece.text):
            message = f"{piece.text[:40]!r} is not an action; expected variable = value, or send signal"
            raise columns.error_at(message, piece)
        else:
            # := is Pascal's and SysML's, = the model file's: of the same width, so that columns stay.
            actions.append(piece._replace(text=re.sub(r"^(\s*\w+\s*):=", r"\1 =", piece.text)))
    return Label(actions=tuple(actions), sends=tuple(sends), raises=tuple(raises))


def pieces(text: Scalar, separator: str, *, around: str = "()") -> list[Scalar]:
    """The texts between separators that stand outside quotes and parentheses."""
    found = []
    start = 0
    while (end := find_outside_quotes(text.text, separator, start, around=around)) >= 0:
        found.append(part(text, start, end))
        start = end + 1
    return [*found, part(text, start)]


def looks_like_mealy(text: Scalar | None) -> bool:
    """``input / output`` and nothing that only a state machine has: no guard, assignment, ``send`` or time.

    ``after(5 s)`` is an input between quotes.
    """
    if text is None or _WAITED.match(text.text):
        return False
    slash = find_outside_quotes(text.text, "[/")
    if slash <= 0 or text.text[slash] != "/" or not part(text, 0, slash).text:
        return False
    output = part(text, slash + 1)
    several = find_outside_quotes(output.text, ";,") >= 0
    return not (several or _SEND.match(output.text) or _ASSIGNED.match(output.text))


def mealy_fields(text: Scalar, columns: ColumnTable) -> list[tuple[Scalar, Node]]:
    """``input / output`` as the keys of a transition of an fsm."""
    slash = find_outside_quotes(text.text, "/")
    while slash >= 0 and not _spaced(text.text, slash) and _spaced_later(text.text, slash):
        slash = find_outside_quotes(text.text, "/", slash + 1)
    if slash < 0:
        raise columns.error_at(f"expected input / output, found {text.text[:40]!r}", text)
    symbol = name_of(part(text, 0, slash), columns)
    if not symbol.text:
        raise columns.error_at("expected an input before '/'", text)
    return [(key("when", symbol), symbol), (key("then", text), name_of(part(text, slash + 1), columns))]


def _spaced(text: str, slash: int) -> bool:
    return text[slash - 1 : slash + 2] == " / "


def _spaced_later(text: str, slash: int) -> bool:
    while (slash := find_outside_quotes(text, "/", slash + 1)) >= 0:
        if _spaced(text, slash):
            return True
    return False


def symbolic_fields(text: Scalar, columns: ColumnTable) -> list[tuple[Scalar, Node]]:
    """``guard / output`` or ``[guard] / output`` as the keys of a transition of an sfsm."""
    bare, guard, position = split_head(text, columns)
    rest = part(text, position)
    guard = bare if guard is None else guard
    if not rest.text.startswith("/") or not guard.text or not part(rest, 1).text:
        raise columns.error_at(f"expected guard / output expression, found {text.text[:40]!r}", text)
    return [(key("when", guard), guard), (key("then", rest), part(rest, 1))]


def switch_fields(text: Scalar, columns: ColumnTable) -> list[tuple[Scalar, Node]]:
    """``gate? [guard] x := e, y := f`` as the keys of a switch of an sts; ``!`` marks outputs, both may be left out.

    ``tau [guard] x := e`` is an internal step.
    """
    head, guard, position = _switch_head(text, columns)
    found: list[tuple[Scalar, Node]] = [(key("gate", head), name_of(head, columns))]
    if guard is not None:
        found.append((key("when", guard), guard))
    updates: list[tuple[Scalar, Node]] = []
    rest = part(text, position)
    for piece in pieces(rest, ",", around="()[]") if rest.text else []:
        name, sign, _ = piece.text.partition(":=")
        if not sign:
            raise columns.error_at(f"expected an update such as x := x + 1, found {piece.text[:40]!r}", piece)
        updates.append((part(piece, 0, len(name)), part(piece, len(name) + 2)))
    if updates:
        found.append((key("set", rest), Fields(tuple(updates), rest.line, rest.column)))
    return found


def _switch_head(text: Scalar, columns: ColumnTable) -> tuple[Scalar, Scalar | None, int]:
    marked = re.match(r'("(?:[^"\\]|\\.)*"|[^"\[]*?)\s*[?!](?=\s|\[|\Z)', text.text) or _INTERNAL.match(text.text)
    if marked is None:
        head, guard, position = split_head(text, columns)
        return head, guard, position
    head = part(text, 0, len(marked[1]))
    rest = part(text, marked.end())
    if not rest.text.startswith("["):
        return head, None, marked.end()
    _, guard, position = split_head(rest, columns)
    return head, guard, position + rest.column - text.column
