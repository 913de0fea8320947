"""The reference of model files: every example is a model, every key and every form of a type is there."""

import re
from pathlib import Path

import pytest
from tests.shared import ROOT

from fullproof.formats import read_model_text
from fullproof.formats.document.keys import KEYS
from fullproof.language.parser import parse_declaration

PAGE = (ROOT / "docs" / "model-files.md").read_text()
EXAMPLES = re.findall(r"```(yaml|json)\n(.*?)```", PAGE, re.DOTALL)
DOCUMENT = ROOT / "src" / "fullproof" / "formats" / "document"


def section(title: str) -> str:
    return re.split(r"\n#+ ", PAGE.split(f"# {title}\n", 1)[1])[0]


@pytest.mark.parametrize(("ending", "text"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_are_models(ending: str, text: str) -> None:
    assert read_model_text(text, Path(f"example.{ending}")).transitions


def test_all_kinds_have_an_example() -> None:
    kinds = {re.search(r'machine"?: "?(\w+)', text).group(1) for _, text in EXAMPLES}  # type: ignore[union-attr]
    assert kinds == {"fsm", "sfsm", "sts", "statemachine"}


@pytest.mark.parametrize("kind", KEYS)
def test_every_key_of_a_kind_is_told(kind: str) -> None:
    told = section("Keys of all kinds") + section(f"`machine: {kind}`")
    assert [key for key in KEYS[kind] if f"`{key}`" not in told] == []


@pytest.mark.parametrize("kind", KEYS)
def test_every_key_of_a_transition_is_told(kind: str) -> None:
    sources = "".join(path.read_text() for path in sorted(DOCUMENT.glob(f"{kind}*.py")))
    tuples = re.findall(r"(?:read_transition\([^(]*|_TRANSITION_KEYS = |_STATE_KEYS = )\(([^)]*)\)", sources)
    keys = set(re.findall(r'"(\w+)"', "".join(tuples))) - {"to"}
    told = PAGE.split(f"# `machine: {kind}`\n", 1)[1].split("\n## ")[0]
    assert keys
    assert [key for key in sorted(keys) if f"`{key}`" not in told] == []
    assert all(f"`{key}`" in section("Transitions") for key in ("to", "req"))


def test_every_key_of_the_fault_domain_is_told() -> None:
    source = (DOCUMENT / "description.py").read_text()
    keys = {name for line in re.findall(r"record\.get\(\"(\w+)\"\)", source.split("def _faults")[0]) for name in [line]}
    keys -= {"fault_domain", "properties", "requirements"}
    assert keys == {"extra_states", "guards", "outputs", "paving", "degree", "pairs", "exclude", "thresholds"}
    assert [key for key in keys if f"`{key}`" not in section("Fault domain")] == []


def test_every_form_of_a_type_can_be_declared() -> None:
    rows = [line.split("|")[1] for line in section("Types").splitlines() if line.startswith("| `")]
    forms = [form.strip("'") for row in rows for form in re.findall(r"`([^`]+)`", row)]
    declared = [parse_declaration(form, name="x", constants={}) for form in forms]
    assert len({type(variable.type) for variable in declared}) == 6
    assert {(v.initial is None, v.tolerance is None) for v in declared} >= {(True, True), (False, True), (False, False)}
