"""PlantUML state diagrams to models."""

from __future__ import annotations

from pathlib import Path

from fullproof.core.errors import UserError
from fullproof.formats.diagrams.diagram import Diagram
from fullproof.formats.diagrams.reader import read_diagram
from fullproof.formats.plantuml.parser import parse_plantuml
from fullproof.model import Model


def read_plantuml(text: str, path: Path) -> Model:
    """Read a model of any kind; a diagram without declarations is an fsm if all its labels are ``input / output``."""
    diagram = Diagram.empty(str(path))
    try:
        parse_plantuml(text, diagram)
        return read_diagram(diagram, path.stem)
    except UserError as error:
        raise diagram.columns.error_in_file(error) from None
