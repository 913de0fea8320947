"""Every example in the reference of model files is a model."""

import re
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.formats.documents import read_document

PAGE = (ROOT / "docs" / "model-files.md").read_text()
EXAMPLES = re.findall(r"```(yaml|json)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("ending", "text"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_are_models(ending: str, text: str) -> None:
    assert read_document(text, Path(f"example.{ending}")).transitions


def test_all_kinds_have_an_example() -> None:
    kinds = {re.search(r'machine"?: "?(\w+)', text).group(1) for _, text in EXAMPLES}  # type: ignore[union-attr]
    assert kinds == {"fsm", "sfsm", "sts", "statemachine"}
