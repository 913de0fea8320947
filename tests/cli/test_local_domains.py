"""Fault domains of symbolic machines by options and in model files: what they change, and what is refused."""

import dataclasses
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.oracles.symbolic_faults import World, mutants

from fullproof.artefacts.questions import CompareRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import Place, UserError
from fullproof.formats import read_model_text
from fullproof.kinds.sfsm.method_suite import MethodSuite
from fullproof.kinds.sfsm.methods import answer
from fullproof.kinds.sfsm.question import question_of
from fullproof.language.compile import compile_expression
from fullproof.language.equations import only_answer, solved_for
from fullproof.language.parser import parse_expression
from fullproof.language.printer import to_text
from fullproof.language.scope import Scope
from fullproof.model import Sfsm
from fullproof.model.sfsm import SfsmTransition
from fullproof.pipeline.comparison import conformance_to

LOOSE = """machine: sfsm
inputs: {x: int 0..9}
outputs: {y: int 0..9}
initial: a
states:
  a:
    - {when: x <= 5, then: y == 0, to: a}
    - {when: x > 5, then: y == x, to: b}
  b:
    - {when: x <= 5, then: y == x, to: a}
    - {when: x > 5, then: y == 0, to: b}
fault_domain:
  outputs: [y <= x]
"""
TANK = """machine: sfsm
name: tank
constants: {low: 20, high: 80}
inputs: {level: real 0..100, flow: real -5..5}
outputs: {valve: 'enum closed, half, open', rate: real}
initial: idle
states:
  idle:
    - {when: level < low, then: valve == open and rate == low - level, to: filling}
    - {when: level >= low, then: valve == closed and rate == 0, to: idle}
  filling:
    - {when: level < high and flow > 0, then: valve == open and rate == high - level, to: filling}
    - {when: level < high and flow <= 0, then: valve == half and rate == flow, to: filling}
    - {when: level >= high, then: valve == closed and rate == 0, to: idle}
"""


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


def model_of(text: str, *lines: str) -> Sfsm:
    model = read_model_text(text + "".join(f"  {line}\n" for line in lines), Path("m.yaml"))
    assert isinstance(model, Sfsm)
    return model


def suite(model: Sfsm, **options: object) -> MethodSuite:
    return answer(question_of(model, SuiteRequest(**options), at=Place()))  # type: ignore[arg-type]


def test_an_excluded_pair_makes_an_alphabet_separable() -> None:
    with pytest.raises(UserError, match="not separable"):
        suite(model_of(LOOSE), method="separable")
    model = model_of(LOOSE, "exclude: [{when: x >= 0, then: y <= x}]")
    made = suite(model, method="separable")
    assert ", never answering by y <= x where x >= 0," in made.guarantee.sentence
    assert made.domain.never == ("when x >= 0 then y <= x",)
    alphabet = question_of(model, SuiteRequest(method="separable"), at=Place()).alphabet
    world = World(model, alphabet.guards, alphabet.outputs)
    right = world.dfa(world.machine(model))
    tree = world.tree([[made.inputs[k] for k in word.tolist()] for piece in made.words.chunks() for word in piece])
    loose = alphabet.outputs.index(parse_expression("y <= x"))
    judged = 0
    for mutant in mutants(world.machine(model), world, extra=0):
        if any(output == loose for _, _, output, _ in mutant.transitions):
            continue
        system = world.dfa(mutant)
        if len(system) <= len(right):
            judged += 1
            assert world.passes(right, system, tree) == (system == right)
    assert judged > 50


def test_a_pair_excluded_under_another_guard_does_not_help() -> None:
    with pytest.raises(UserError, match="not separable"):
        suite(model_of(LOOSE, "exclude: [{when: x <= 5, then: y <= x}]"), method="separable")


def test_the_model_has_no_excluded_pair() -> None:
    with pytest.raises(UserError, match="is among the pairs that the fault domain excludes") as caught:
        suite(model_of(LOOSE, "exclude: [{when: x < 3, then: y == x}]"), method="separable")
    assert "line 10" in str(caught.value)


@pytest.mark.parametrize("seed", range(3))
def test_real_thresholds_and_enums(seed: int) -> None:
    """Systems with one threshold moved in a state, consistently, and any targets: none that differs passes."""
    model = model_of(TANK)
    made = suite(model, thresholds=("level=1", "flow=0.5"), method="local")
    words = [[made.inputs[k] for k in word.tolist()] for piece in made.words.chunks() for word in piece]
    chance = random.Random(seed)
    conformance = conformance_to(model, CompareRequest())
    marks = {"level": (0, 20, 80, 100), "flow": (-5, 0, 5)}
    judged = survived = 0
    for _ in range(60):
        name, old, distance = chance.choice([("level", "low", 1), ("level", "high", 1), ("flow", "0", Fraction(1, 2))])
        low, high = marks[name][0], marks[name][-1]
        number = Fraction(chance.randint(low * 8, high * 8), 8)
        if number not in marks[name] and any(abs(number - mark) < distance for mark in marks[name]):
            continue
        state = chance.choice(model.states)
        moved = []
        for t in model.transitions:
            text = to_text(t.guard)
            if t.source == state:
                for sign in ("<", "<=", ">", ">="):
                    text = text.replace(f"{name} {sign} {old}", f"{name} {sign} {number}")
            target = chance.choice(model.states) if chance.random() < 0.1 else t.target
            moved.append(dataclasses.replace(t, guard=parse_expression(text), target=target))
        system = dataclasses.replace(model, transitions=tuple(moved))
        judged += 1
        if _passes(model, system, words):
            survived += 1
            assert conformance.compare(system).conforms
    assert judged > 20
    assert survived < judged


def _passes(model: Sfsm, system: Sfsm, words: list) -> bool:
    return all(_answers(model, word) == _answers(system, word) for word in words)


def _answers(model: Sfsm, word: list) -> list:
    scope = Scope((*model.inputs, *model.outputs), {c.name: c.value for c in model.description.constants})
    state, found = model.initial, []
    for inputs in word:
        t: SfsmTransition = next(
            t for t in model.transitions if t.source == state and compile_expression(t.guard, scope)(inputs)
        )
        terms = solved_for(t.output, [v.name for v in model.outputs])
        assert terms is not None
        found.append(only_answer(terms, model.outputs, scope, inputs))
        state = t.target
    return found


def test_all_typical_faults_or_so_many(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "tank.yaml").write_text(TANK, encoding="utf-8")
    notes = {}
    for limit in ("default", "5", "0"):
        options = ["--mutate-guards"] if limit == "default" else ["--mutate-guards", "--mutate-limit", limit]
        made = shell("generate", tmp_path / "tank.yaml", "--method", "local", *options, "--json").json
        notes[limit] = made["notes"][0]
    assert notes["default"].startswith("20 guard faults")
    assert "left out by the limit (--mutate-limit 0 takes all)" in notes["default"]
    assert notes["5"].startswith("5 guard faults")
    assert "left out" not in notes["0"]
    assert int(notes["0"].split()[0]) > 20


def test_mutants_take_the_limit_too(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(LOOSE, encoding="utf-8")
    made = [
        len(
            shell(
                "mutate",
                tmp_path / "m.yaml",
                "-o",
                tmp_path / limit,
                "--mutate-guards",
                "--mutate-limit",
                limit,
                "--json",
            ).json["mutants"]
        )
        for limit in ("1", "2")
    ]
    assert made[0] < made[1]


def test_comparisons_instead_of_guards(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "tank.yaml").write_text(TANK, encoding="utf-8")
    made = shell("generate", tmp_path / "tank.yaml", "--method", "separable", "--mutate-atoms", "--json").json
    assert "comparison faults added to the fault domain" in made["notes"][0]
    assert "may combine these and the model's comparisons in any way" in made["notes"][0]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--threshold", "level"], "--threshold level: expected an input and a distance, such as x=0.5"),
        (["--threshold", "lewel=1"], "--threshold: unknown input 'lewel'; did you mean 'level'?"),
        (["--threshold", "level=-1"], "expected a distance above 0 such as 0.5, found '-1'"),
        (["--method", "separable", "--threshold", "level=1"], "moved thresholds are covered by method local alone"),
        (["--method", "general", "--degree", "1"], "polynomials of a degree are covered by method local alone"),
        (["--method", "local", "--relation", "reduction"], "it is for language equivalence, not for reduction"),
    ],
)
def test_what_is_refused(shell: Shell, tmp_path: Path, options: list[str], complaint: str) -> None:
    (tmp_path / "tank.yaml").write_text(TANK, encoding="utf-8")
    ended = shell("generate", tmp_path / "tank.yaml", *options)
    assert ended.code == 4
    assert complaint in ended.err


def test_options_of_symbolic_machines(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(
        "machine: fsm\ninitial: a\nstates:\n  a: [{when: i, then: o, to: a}]\n", encoding="utf-8"
    )
    for options in (["--threshold", "x=1"], ["--pairs", "own"], ["--mutate-atoms"], ["--mutate-limit", "3"]):
        ended = shell("generate", tmp_path / "m.yaml", *options)
        assert ended.code == 4
        assert f"{options[0]} is for models of kind sfsm" in ended.err


def test_a_local_suite_is_run_from_its_file(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "tank.yaml").write_text(TANK, encoding="utf-8")
    file = tmp_path / "suite.jsonl"
    shell("generate", tmp_path / "tank.yaml", "--threshold", "level=1", "--degree", "1", "-o", file)
    domain = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["domain"]
    assert domain["families"] == ["level: 1", "degree: 1"]
    assert domain["single"] is True
    ended = shell("run", tmp_path / "tank.yaml", "--suite", file, "--sut", f"model:{tmp_path / 'tank.yaml'}")
    assert ended.code == 0
