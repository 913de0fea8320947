"""Commands print what changes the meaning of a pass; other notes with --verbose; one thing is singular."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.cli.harness import Shell

from fullproof import pipeline
from fullproof.artefacts.notes import MeaningNote, WarningNote, note_lines, note_records, recorded_notes
from fullproof.artefacts.questions import CertifyRequest, MutateRequest, ScoreRequest
from fullproof.artefacts.request import SuiteRequest
from fullproof.cli import output as printing
from fullproof.core.counted import counted
from fullproof.core.interrupts import Interrupted
from fullproof.formats import read_model, write_model

ONE = "machine: fsm\nname: one\ninitial: s\nstates:\n  s: [{when: a, then: x, to: s}]\n"
TWO = ONE.replace("to: s}]", "to: t}]\n  t: [{when: a, then: y, to: s}]")
_NOUNS = "(?:test|input|state|step|transition|mutant|suite|output|event|word|survivor|time|reset|fault|run)"
WRONG = re.compile(rf"(?<![\d.,+-])1 (?:[a-z-]+ )?{_NOUNS}s\b|\b(?:0|[2-9]|\d\d+) (?:[a-z-]+ )?{_NOUNS}\b")
"""``1 tests``, ``1 extra states``, ``2 test``."""


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.yaml"
    path.write_text(ONE, encoding="utf-8")
    return path


def test_one_of_each_is_singular(one: Path, fullproof: Shell, tmp_path: Path) -> None:
    """Every command on a machine with one state, one input, one output and one transition."""
    assert WRONG.search("1 tests") and WRONG.search("2 test") and WRONG.search("1 extra states")
    assert not WRONG.search("1 test, 2 tests, 1 extra state, 11 inputs, 0.1 s")
    suite, mutants, plain = tmp_path / "one.jsonl", tmp_path / "mutants", tmp_path / "plain.txt"
    plain.write_text("a\n", encoding="utf-8")
    two = tmp_path / "two.yaml"
    two.write_text(TWO, encoding="utf-8")
    commands: list[tuple[object, ...]] = [
        ("check", one),
        ("draw", one, "-o", tmp_path / "one.svg"),
        ("generate", one, "-o", suite, "-v"),
        ("generate", one, "-o", tmp_path / "more.jsonl", "--extra-states", 1, "-v"),
        ("generate", one, "-o", tmp_path / "k-a.jsonl", "--domain", "k-A", "--extra-states", 1, "-v"),
        ("certify", one, suite),
        ("certify", one, plain),
        ("certify", one, tmp_path / "more.jsonl", "--certificate", tmp_path / "one.cert"),
        ("run", one, "--sut", f"model:{one}", "-v"),
        ("run", one, "--sut", f"model:{two}", "-v", "--extra-states", 1),
        ("run", one, "--sut", f"model:{one}", "--relation", "reduction", "--adaptive", "-v"),
        ("mutate", two, "-o", mutants, "--sample", 1),
        ("generate", two, "-o", suite),
        ("score", two, "--suite", suite, "--mutants", mutants),
        ("compare", one, two),
    ]
    for words in commands:
        ended = fullproof(*words)
        text = (ended.out + ended.err).replace(str(tmp_path), "")
        assert ended.code in (0, 1), (words, text)
        assert not WRONG.search(text), (words, text)
    assert "1 state, 1 transition" in (tmp_path / "one.svg").read_text(encoding="utf-8")


def test_counted() -> None:
    assert [counted(n, "query", "queries") for n in (0, 1, 2, 3410)] == [
        "0 queries",
        "1 query",
        "2 queries",
        "3,410 queries",
    ]


def test_what_auto_tried_is_behind_verbose_and_in_json(one: Path, fullproof: Shell, tmp_path: Path) -> None:
    asked = ("generate", one, "-o", tmp_path / "s.jsonl")
    assert "cost in inputs" not in fullproof(*asked).out
    assert "note: cost in inputs plus resets: " in fullproof(*asked, "-v").out
    assert "note: cost in inputs plus resets: " in fullproof(*asked, "--verbose").out
    assert any(note.startswith("cost in inputs") for note in fullproof(*asked, "--json").json["notes"])
    run = ("run", one, "--sut", f"model:{one}")
    assert "cost in inputs" not in fullproof(*run).err
    assert "note: cost in inputs" in fullproof(*run, "-v").err


def test_what_changes_the_meaning_of_a_pass_is_always_printed(fullproof: Shell, tmp_path: Path) -> None:
    path = tmp_path / "partial.yaml"
    path.write_text(TWO.replace("when: a, then: y", "when: b, then: y"), encoding="utf-8")
    assert "note: the model is partial" in fullproof("generate", path, "-o", tmp_path / "s.jsonl").out
    kinds = (WarningNote("w"), MeaningNote("m"), "n")
    assert note_lines(kinds, verbose=False) == ["warning: w", "note: m"]
    assert note_lines(kinds, verbose=True) == ["warning: w", "note: m", "note: n"]
    again = recorded_notes(note_records(kinds))
    assert again == kinds and list(map(type, again)) == [WarningNote, MeaningNote, str]


def _stopping(done: int) -> Callable[[int, int | None], None]:
    def progress(number: int, _total: int | None, /, steps: int = 0) -> None:
        if number == done:
            raise KeyboardInterrupt

    return progress


def test_an_interruption_says_what_was_found_and_how_to_go_on(tmp_path: Path) -> None:
    two, suite, mutants = tmp_path / "two.yaml", tmp_path / "two.jsonl", tmp_path / "mutants"
    two.write_text(TWO, encoding="utf-8")
    pipeline.write_generated(pipeline.generate_for(two, SuiteRequest()), suite, to_stdout=False)
    with pytest.raises(Interrupted, match=r"^1 of 2 suites decided \(.*two\.jsonl is complete\); to go on, name the"):
        pipeline.certify_files(two, [suite, suite], CertifyRequest(), progress=_stopping(1))
    with pytest.raises(Interrupted, match=r"^2 of \d+ mutants written to .*; to go on, give the command again"):
        pipeline.write_mutants(two, MutateRequest(folder=mutants), progress=_stopping(2))
    write_model(read_model(two), mutants / "same.yaml")
    asked = ScoreRequest(mutants=mutants)
    with pytest.raises(Interrupted, match=r"^2 of 3 mutants scored, the first by name: 2 killed; to go on, put the"):
        pipeline.score_files(two, suite, asked, progress=_stopping(2))


def test_auto_says_what_it_has_tried_when_it_is_interrupted(
    one: Path, fullproof: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from fullproof.generate.finite import auto

    asked: list[object] = []

    def cost(words: object, *, reset_cost: float) -> float:
        asked.append(words)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return 4.0 + reset_cost

    monkeypatch.setattr(auto, "cost_of", cost)
    ended = fullproof("generate", one, "-o", tmp_path / "s.jsonl")
    assert ended.code == 2
    assert ended.err == (
        "fullproof: interrupted: cost in inputs plus resets: wp 5, hsi 5; "
        "to go on, name the cheapest of them by --method\n"
    )
    assert not (tmp_path / "s.jsonl").exists()


def test_generate_says_that_nothing_was_written(
    one: Path, fullproof: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "write_generated", interrupted)
    ended = fullproof("generate", one, "-o", tmp_path / "s.jsonl")
    assert ended.code == 2
    assert ended.err.startswith("fullproof: interrupted: no suite was written; to go on, give the command again; ")


def test_a_bar_says_what_is_done_with_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int | None]] = []

    class Bar:
        def add_task(self, what: str, *, total: int | None, rate: str) -> int:
            seen.append((what + rate, total))
            return 0

        def update(self, _task: int, *, description: str, completed: int, total: int | None, rate: str) -> None:
            seen.append((f"{description} {completed}{rate}", total))

    monkeypatch.setattr(printing, "_display", lambda *_: nullcontext(Bar()))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with printing.Output(as_json=False, quiet=False).progress("running", before="generating") as progress:
        progress(7, 7)
    with printing.Output(as_json=False, quiet=False).progress("scoring") as progress:
        progress(2, 2)
    assert seen == [("generating", None), ("running 7", 7), ("scoring", None), ("scoring 2", 2)]


OFFERING = """
machine: fsm
name: lamp
initial: dark
states:
  dark:
    - {when: press, then: on, to: lit}
  lit:
    - {when: press, then: off, to: dark}
    - {when: look, then: bright, to: lit}
"""


def test_an_input_that_the_model_does_not_have_is_named_as_the_cause(tmp_path, capsys):
    model, system = tmp_path / "lamp.yaml", tmp_path / "system.yaml"
    model.write_text(OFFERING)
    system.write_text(OFFERING + "    - {when: knock, then: bright, to: lit}\n")
    words = ("run", model, "--relation", "strong-reduction", "--sut", f"model:{system}")
    ended = Shell(capsys)(*words)
    assert ended.code == 1
    assert "offered knock, which the model does not allow here" in ended.out
    assert "diagnosis: behaves like the model with knock offered in lit: consistent with" in ended.out
    found = Shell(capsys)(*words, "--json").json
    assert {tuple(failure["cause"]["faults"]) for failure in found["failures"]} == {("knock offered in lit",)}
