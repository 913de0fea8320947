"""Every kind names all its parts, says why one is missing, and loads stages only when they are used."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.shared import REFERENCE

import fullproof
from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.kinds import Kind, kind_of

MODELS = {
    "fsm": REFERENCE / "m-ex" / "m-ex.yaml",
    "sfsm": REFERENCE / "brake" / "brake.yaml",
    "sts": REFERENCE / "brp" / "brp.yaml",
    "statemachine": REFERENCE / "state-machine" / "figure1.yaml",
}
NAMES = {
    "adaptive": "--adaptive",
    "certify": "certify",
    "certificate": "--certificate",
    "check_certificate": "--certificate",
    "certificate_hindrance": "--certificate",
    "distinguishable": "--certificate",
    "named_faults": "--faults",
    "regions": "--regions",
    "moves": "--pump",
    "classes": "classes",
    "shrunk": "--shrink",
    "scorer": "score",
}
"""Parts that a kind may lack, and how users know them."""
STAGES = ("check", "abstract", "generate", "mutate", "certify", "concretise", "execute", "judge", "report", "analysis")


@pytest.fixture
def fullproof_(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


@pytest.mark.parametrize("name", MODELS)
def test_a_missing_part_has_a_reason_and_no_other_has(name: str) -> None:
    kind = kind_of(read_model(MODELS[name]))
    assert kind.name == name
    missing = {field.name for field in fields(Kind) if getattr(kind, field.name) is None}
    # A kind that has certify may still lack certificates.
    known = {part: "--certificate" if kind.certify and NAMES[part] == "certify" else NAMES[part] for part in missing}
    assert set(known.values()) == set(kind.reasons)
    for part in missing:
        with pytest.raises(UserError, match=f"^{known[part]} is not for {name} models: "):
            kind.required(getattr(kind, part), known[part])


@pytest.mark.parametrize(
    "words",
    [
        ("classes", "fsm"),
        ("certify", "sts", __file__),
        ("score", "sts", "--suite", "none.jsonl", "--mutants", "none"),
        ("generate", "statemachine", "--shrink"),
        ("run", "sts", "--adaptive", "--sut", "tcp:localhost:1"),
    ],
)
def test_commands_say_so_in_one_line(words: tuple[str, ...], fullproof_: Shell) -> None:
    command, name, *rest = words
    ended = fullproof_(command, MODELS[name], *rest)
    part = next((option for option in ("--shrink", "--adaptive") if option in rest), command)
    assert (ended.code, ended.out, ended.err.count("\n")) == (4, "", 1)
    assert f"{MODELS[name]}: {part} is not for {name} models: " in ended.err


@pytest.mark.parametrize("name", ["fsm", "sts", "statemachine"])
@pytest.mark.parametrize("option", [("--property", "R1"), ("--mutate-guards",), ("--mutate-outputs",)])
@pytest.mark.parametrize("command", [("generate",), ("mutate", "-o", "mutants")])
def test_options_of_symbolic_machines_are_refused_elsewhere(
    command: tuple[str, ...], option: tuple[str, ...], name: str, fullproof_: Shell
) -> None:
    ended = fullproof_(command[0], MODELS[name], *command[1:], *option)
    assert (ended.code, ended.out, ended.err.count("\n")) == (4, "", 1)
    assert " is for models of kind sfsm" in ended.err


@pytest.mark.parametrize("name", [*MODELS, "."])
def test_a_kind_loads_no_stage_before_it_is_used(name: str) -> None:
    tree = ast.parse((Path(fullproof.__file__).parent / "kinds" / name / "__init__.py").read_text("utf-8"))
    imported = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert imported
    assert [module for module in imported if module.split(".")[1:2] and module.split(".")[1] in STAGES] == []
