"""A public class has a name of its own: who reads it in a message, a trace or an import knows which one is meant."""

import ast
from collections import Counter
from pathlib import Path

import fullproof

SOURCE = Path(fullproof.__file__).parent


def test_public_class_names_are_unique() -> None:
    counts = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    taken = [name for name, count in counts.items() if count > 1]
    assert taken == [], "these names are taken: choose a word of the field that says which one is meant"
