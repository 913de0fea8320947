"""The commands as functions of Python."""

import inspect
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import fullproof
from fullproof.artefacts.options import options_of
from fullproof.artefacts.questions import CheckRequest, CompareRequest, ExploreRequest, LearnRequest
from fullproof.artefacts.request import GenerateRequest, RunRequest
from fullproof.model import Fsm
from fullproof.testing import keywords

MODEL = """
machine: fsm
name: door
initial: shut
states:
  shut: [{when: push, then: moves, to: open}, {when: look, then: false, to: shut}]
  open: [{when: push, then: moves, to: shut}, {when: look, then: true, to: open}]
"""


class Door:
    def __init__(self) -> None:
        self.open = False

    def step(self, symbol: str) -> object:
        if symbol == "push":
            self.open = not self.open
            return b"moves"
        return self.open


class Stuck(Door):
    def step(self, symbol: str) -> object:
        self.open = self.open or symbol == "push"
        return "moves" if symbol == "push" else self.open


class Resettable(Stuck):
    closed = False

    def reset(self) -> None:
        self.open = False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "door.yaml").write_text(MODEL)
    return tmp_path / "door.yaml"


PUBLIC = {
    "CompleteOracle": "(alphabet: 'list[Any]', sul: 'SUL', *, extra_states: 'int' = 1, method: 'str' = 'cheap')",
    "UserError": "(message: 'str', *, at: 'Place' = Place(file='', line=None, column=None))",
    "as_state_machine": "(model: 'str | Path | Model', *, sut: 'Any', relation: 'str' = 'equivalence')",
    "check": "(model: 'AnyModel', **options: 'Unpack[CheckKeywords]')",
    "compare": "(model: 'AnyModel', other: 'AnyModel', **options: 'Unpack[CompareKeywords]')",
    "explore": "(reference: 'Any', **options: 'Unpack[ExploreKeywords]')",
    "from_aalpy": "(model: 'Any', *, name: 'str' = 'learnt')",
    "generate": "(model: 'AnyModel', **options: 'Unpack[GenerateKeywords]')",
    "learn": "(sut: 'Any', inputs: 'Sequence[str]', **options: 'Unpack[LearnKeywords]')",
    "read_model": "(path: 'Path')",
    "run": "(model: 'AnyModel', sut: 'Any', **options: 'Unpack[RunKeywords]')",
    "suite": "(model: 'str | Path | Model', sut: 'Any', **options: 'Unpack[RunKeywords]')",
    "write_model": "(model: 'Model', path: 'Path', *, header: 'Iterable[str]' = ())",
}


def test_public_names_and_signatures_are_these() -> None:
    """What users call: a change here is a change of the interface."""
    pytest.importorskip("aalpy")
    assert sorted(fullproof.__all__) == sorted(["__version__", *PUBLIC])
    found = {name: str(inspect.signature(getattr(fullproof, name))).partition(" ->")[0] for name in PUBLIC}
    assert found == PUBLIC


def test_importing_the_package_imports_little() -> None:
    code = "import sys, fullproof; print(*sorted(m for m in sys.modules if m.startswith('fullproof')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["fullproof", "fullproof.core", "fullproof.core.version"]


def test_a_run_says_what_it_proves(model: Path) -> None:
    reply = fullproof.run(model, Door, extra_states=1)
    assert reply
    assert reply.ok
    assert reply.passed == reply.tests > 0
    assert "at most 3 states" in reply.guarantee
    assert "at most 3 states" in reply.explanation()
    assert reply.command.startswith(f"fullproof run {model} --sut python:")


@pytest.mark.parametrize("sut", [Stuck, lambda: Stuck(), Resettable()], ids=["class", "factory", "object"])
def test_a_failing_run_is_false_and_explained(model: Path, sut: object) -> None:
    reply = fullproof.run(str(model), sut)
    assert not reply
    assert reply.failures
    assert reply.groups[0].shortest == ["push", "push", "look"]
    assert "target open instead of shut" in reply.explanation()
    assert getattr(sut, "closed", False) is False  # an object belongs to the caller


def test_models_in_memory_and_reports(model: Path, tmp_path: Path) -> None:
    value = fullproof.read_model(model)
    reply = fullproof.run(value, Stuck, report=tmp_path / "out")
    assert reply.hashes["model"] == fullproof.run(value, Door).hashes["model"]
    assert Path(reply.report).read_text().startswith("<!doctype html>")
    assert fullproof.check(value).errors == ()
    assert fullproof.compare(value, model).conforms is True
    words = list(fullproof.generate(value, method="w").words())
    assert words == list(fullproof.generate(model, method="w", output=tmp_path / "s.jsonl").words())
    assert ("push", "push", "look") in words
    assert fullproof.run(value, Door, suite=tmp_path / "s.jsonl").tests == len(words)


def test_a_model_can_be_learnt_and_explored(model: Path, tmp_path: Path) -> None:
    pytest.importorskip("aalpy")
    reply = fullproof.learn(Door, ["push", "look"], extra_states=1, output=tmp_path / "learnt.yaml")
    assert reply.states == 2
    assert "at most 3 states" in reply.guarantee
    assert fullproof.compare(model, tmp_path / "learnt.yaml").conforms
    explored = fullproof.explore(Door, inputs=["push", "look"])
    assert isinstance(explored, Fsm)
    assert fullproof.compare(model, explored).conforms


class Random:
    answers = 0

    def step(self, _: str) -> int:
        Random.answers += 1
        return Random.answers


class Wrong:
    def step(self, _: str) -> list[int]:
        return [1]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda m: fullproof.run("nowhere.yaml", Door), "nowhere.yaml: no such file"),
        (lambda m: fullproof.run(m, Door, extra_state=1), "unknown option --extra-state; did you mean"),
        (lambda m: fullproof.run(m, Door, extra_states=-1), "--extra-states must be >= 0, got -1"),
        (lambda m: fullproof.run(m, Door, jobs=2), "--jobs starts other processes: name the system for them"),
        (lambda m: fullproof.run(m, Stuck()), "the object of Stuck has no method reset"),
        (lambda m: fullproof.run(m, 3), "sut must be a text as for --sut, a class, a function"),
        (lambda m: fullproof.run(m, "python:nowhere.py:Door"), "nowhere.py: no such file"),
        (lambda m: fullproof.run(m, int), "int has no method step"),
        (lambda m: fullproof.run(3, Door), "expected the file of a model or a model, got '3'"),
        (lambda m: fullproof.generate(m, method="x"), "unknown method"),
        (lambda m: fullproof.learn(Door, "push"), "inputs must be a list of texts"),
        (lambda m: fullproof.learn(Random, ["a"]), "the system is not deterministic, or not reset"),
        (lambda m: fullproof.learn(Wrong, ["a"]), r"failed at input 'a' after a reset: answered \[1\]"),
        (lambda m: fullproof.explore(Door), "no inputs: give --inputs"),
    ],
)
def test_mistakes_are_one_line(model: Path, call: object, complaint: str) -> None:
    with pytest.raises(fullproof.UserError, match=complaint) as caught:
        call(model)  # type: ignore[operator]
    assert "\n" not in str(caught.value)


USER = """
from pathlib import Path

import fullproof


class Door:
    def step(self, symbol: str) -> str:
        return symbol


def proves(model: Path) -> bool:
    result = fullproof.run(model, Door, extra_states=1)
    verdict: str = result.verdict
    shortest = [group.shortest for group in result.groups]
    findings: int = len(fullproof.check(model).findings)
    conforms: bool | None = fullproof.compare(model, "other.yaml").conforms
    words = list(fullproof.generate(model, method="w").words())
    learnt = fullproof.learn(Door, ["a"]).model
    fullproof.write_model(learnt, Path("learnt.dot"))
    states: tuple[str, ...] = fullproof.explore(Door, inputs=["a"]).states
    return result.ok and bool(verdict and shortest and findings and conforms and words and states)


test_door = fullproof.suite("door.yaml", sut=Door)
WRONG: int = fullproof.run("door.yaml", Door).verdict
"""


@pytest.mark.slow
def test_a_user_s_file_is_typed(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    wrong = [line for line in done.stdout.splitlines() if line.startswith("user.py") and ": error:" in line]
    assert len(wrong) == 1, done.stdout
    assert 'expression has type "str", variable has type "int"' in wrong[0]


def typed(kind: Any) -> dict[str, Any]:
    """What a parameter takes: the names of an enum, or a type; lists as such."""
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        types = set(get_args(hint)) - {type(None)}
        names = [one for one in types if get_origin(one) is Literal]
        found[name] = set(get_args(names[0])) if names else "many" if list[str] in types else types
    return found


def taken(request: type) -> dict[str, Any]:
    """The same, of the options of a request."""
    found: dict[str, Any] = {}
    for one in options_of(request).values():
        plain: Any = {str, Path} if one.type is Path else {one.type}
        kind = set(one.choices) if issubclass(one.type, Enum) else plain
        found[one.name.replace("-", "_")] = "many" if one.repeated else kind
    return found


@pytest.mark.parametrize(
    ("request_", "kind", "given"),
    [
        (GenerateRequest, keywords.GenerateKeywords, ()),
        (RunRequest, keywords.RunKeywords, ("sut",)),
        (CheckRequest, keywords.CheckKeywords, ()),
        (CompareRequest, keywords.CompareKeywords, ()),
        (ExploreRequest, keywords.ExploreKeywords, ()),
        (LearnRequest, keywords.LearnKeywords, ()),
    ],
)
def test_functions_are_typed_as_their_requests(request_: type, kind: type, given: tuple[str, ...]) -> None:
    assert typed(kind) == {name: what for name, what in taken(request_).items() if name not in given}


class Deaf:
    def reset(self) -> None: ...

    def step(self, level: int, loud: bool) -> bool:
        return False


def test_inputs_with_values_are_explained_in_the_words_of_a_trace(tmp_path: Path) -> None:
    (tmp_path / "bell.yaml").write_text(
        "machine: sfsm\nname: bell\ninputs: {level: int 0..9, loud: bool}\n"
        "outputs: {ring: bool}\ninitial: on\nstates:\n"
        "  on:\n    - {when: loud and level > 3, then: ring, to: on}\n"
        "    - {when: not loud or level <= 3, then: not ring, to: on}\n"
    )
    said = fullproof.run(tmp_path / "bell.yaml", Deaf).explanation()
    assert "(shortest: level = 4, loud = true)" in said
