"""A public class has a name of its own: who reads it in a message, a trace or an import knows which one is meant."""

import ast
from collections import Counter
from pathlib import Path

import fullproof

SOURCE = Path(fullproof.__file__).parent
SHARED = {
    "Alternative": 2,
    "Arrow": 2,
    "Asking": 2,
    "Box": 3,
    "Broken": 2,
    "Cells": 2,
    "Certified": 2,
    "Choice": 2,
    "Choices": 3,
    "Chooser": 2,
    "Classes": 2,
    "Columns": 2,
    "Compared": 2,
    "Comparison": 2,
    "Composition": 2,
    "Conforming": 2,
    "Conforms": 2,
    "Cover": 3,
    "Crew": 2,
    "Domain": 2,
    "Done": 2,
    "Edge": 2,
    "Event": 2,
    "Events": 2,
    "Exploration": 2,
    "Family": 2,
    "Finding": 2,
    "Gate": 2,
    "Kind": 2,
    "Leaf": 2,
    "Letter": 3,
    "Line": 2,
    "Method": 3,
    "Move": 4,
    "Node": 3,
    "Observations": 2,
    "Observer": 2,
    "Offer": 2,
    "Open": 2,
    "Order": 4,
    "Outputs": 2,
    "Pair": 3,
    "Pairing": 2,
    "Partition": 2,
    "Place": 2,
    "Plan": 3,
    "Points": 2,
    "Pool": 5,
    "Possible": 2,
    "Reading": 2,
    "Recorder": 2,
    "Refused": 2,
    "Responses": 2,
    "Run": 2,
    "Satisfied": 2,
    "Setting": 2,
    "Shape": 2,
    "Shown": 2,
    "Signature": 2,
    "Silence": 2,
    "Speech": 2,
    "Step": 8,
    "System": 2,
    "Text": 2,
    "Undecided": 3,
    "Unknown": 2,
    "Valuations": 2,
    "Violated": 2,
    "Violation": 3,
    "Way": 4,
}
"""Names that several classes still have, and how many. This list may only become shorter."""


def test_public_class_names_are_unique() -> None:
    counts = Counter(
        node.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    taken = [name for name, count in counts.items() if count > SHARED.get(name, 1)]
    assert taken == [], "these names are taken: choose a word of the field that says which one is meant"
