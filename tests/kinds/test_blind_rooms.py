"""Rooms above ``kinds/`` do not know which kinds of models there are: they ask ``kind_of`` for its parts."""

import ast
from pathlib import Path

import fullproof

SOURCE = Path(fullproof.__file__).parent
BLIND = ("pipeline", "execute", "report", "serve", "cli")
KINDS = {"Fsm", "Sfsm", "Sts", "StateMachine"}


def names(tree: ast.AST) -> set[str]:
    """Every name, attribute and imported name of a module, and those inside of annotations written as texts."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                found.add(name)
            case (
                ast.AnnAssign(annotation=ast.Constant(value=str(text)))
                | ast.arg(annotation=ast.Constant(value=str(text)))
            ):
                found |= names(ast.parse(text))
    return found


def knowing() -> set[str]:
    """The files of blind rooms that name a kind."""
    files = (path for room in BLIND for path in (SOURCE / room).rglob("*.py"))
    return {path.relative_to(SOURCE).as_posix() for path in files if names(ast.parse(path.read_text("utf-8"))) & KINDS}


def test_no_file_of_a_blind_room_names_a_kind():
    assert sorted(knowing()) == []


def test_names_are_found_wherever_they_stand():
    for text in (
        "from fullproof.model import Fsm",
        "def f(x: Sts): ...",
        "def f(x: 'Sfsm | None'): ...",
        "def f():\n    return isinstance(x, model.StateMachine)",
        "match x:\n    case Fsm():\n        pass",
        "from fullproof.model import Fsm as Machine",
    ):
        assert names(ast.parse(text)) & KINDS, text
    assert not names(ast.parse("from fullproof.model import Model  # an Fsm\n'''Sts'''")) & KINDS
