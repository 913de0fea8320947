"""No module takes a decision by reading a sentence: guarantees and explanations are data."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import fullproof

SOURCE = Path(fullproof.__file__).parent
SENTENCES = {"guarantee", "sentence", "explanation", "explanations"}
READERS = {
    *("startswith", "endswith", "removeprefix", "removesuffix", "split", "rsplit", "partition", "rpartition"),
    *("replace", "find", "rfind", "index", "count", "strip", "lstrip", "rstrip", "match", "search", "fullmatch"),
}
MAKER = SOURCE / "artefacts" / "guarantee.py"


def is_sentence(node: ast.AST) -> bool:
    """Whether an expression is named as a sentence: a name, an attribute, a key, or the value of a method."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name in SENTENCES
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name in SENTENCES
        case ast.Call(func=ast.Name(id="str"), args=[inner]) | ast.Call(func=inner, args=[]):
            return is_sentence(inner)
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in READERS:
            return is_sentence(inner)
    return False


def readings(tree: ast.AST) -> Iterator[int]:
    """The lines that read a sentence."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="dataclasses"), attr="replace")):
                continue  # a new guarantee with other data
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=given) if name in READERS:
                if is_sentence(value) or any(is_sentence(one) for one in given):
                    yield node.lineno
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))) if any(is_sentence(one) for one in node.args):
                yield node.lineno
            case ast.Compare(left=left, ops=operators, comparators=right):
                texts = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (left, *right))
                inside = any(isinstance(one, ast.In | ast.NotIn) for one in operators)
                if (inside or texts) and any(is_sentence(one) for one in ((*right,) if inside else (left, *right))):
                    yield node.lineno
            case ast.Subscript(value=value, slice=ast.Slice()) if is_sentence(value):
                yield node.lineno


def test_no_module_reads_a_sentence() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        if path != MAKER
        for line in readings(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'header.guarantee.startswith("No guarantee: ")',
        'header.guarantee.removesuffix(").") + "; trimmed"',
        "wrong = explanation.rpartition(' on ')[0].partition(' instead of ')",
        're.search("at most ([0-9]+) states", header.guarantee)',
        '"No guarantee" in fields["guarantee"]',
        'fields.get("guarantee").split(";")',
        'str(guarantee.sentence).find("x")',
        "diagnosis.sentence()[:9] == 'behaves'",
        'summary.guarantee.sentence == "none"',
        "_BOUND.search(guarantee)",
    ],
)
def test_what_would_read_one_is_found(line: str) -> None:
    assert list(readings(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        "dataclasses.replace(header, guarantee=header.guarantee.refused(doubts))",
        'told = {"guarantee": guarantee.sentence}',
        "lines.append(summary.guarantee.sentence)",
        "if guarantee.strength is Standing.NONE: pass",
        "first, *others = diagnosis.explanations",
    ],
)
def test_what_hands_one_on_is_not(line: str) -> None:
    assert not list(readings(ast.parse(line)))
