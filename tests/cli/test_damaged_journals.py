"""Journals that lack rows or answers, or were changed: never a pass with a guarantee, never a traceback."""

import functools
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.harness import Ended, Shell
from tests.journals import cut, execute, forge
from tests.shared import ROOT

EXAMPLES = ROOT / "examples"
SHARING = """
class Turnstile:
    def reset(self): self.open = False
    def snapshot(self): return self.open
    def restore(self, state): self.open = state
    def step(self, symbol):
        if symbol == "coin":
            said, self.open = ("thanks" if self.open else "unlock"), True
        else:
            said, self.open = ("lock" if self.open else "beep"), False
        return said
"""
RUNS = {
    "fsm": (EXAMPLES / "turnstile" / "turnstile.yaml", "--method", "w", "--extra-states", 1),
    "jobs": (EXAMPLES / "turnstile" / "turnstile.yaml", "--method", "w", "--extra-states", 2, "--jobs", 2),
    "shared": (EXAMPLES / "turnstile" / "turnstile.yaml", "--method", "w", "--share-prefixes"),
    "sfsm": (EXAMPLES / "temperature-alarm" / "careful.yaml", "--repeat", 3),
    "until-seen": (EXAMPLES / "temperature-alarm" / "careful.yaml", "--repeat", 3, "--until-seen"),
    "statemachine": (EXAMPLES / "statemachines" / "cruise-control.yaml",),
    "sts": (EXAMPLES / "protocols" / "login" / "model.yaml", "--timeout", 0.1, "--steps", 300),
}
CONVERSATIONS = ("sts",)
SLOW = ("sfsm", "until-seen", "statemachine", "jobs")


def kinds(*names: str) -> list[object]:
    """Ways to run; what takes seconds to generate is for long runs of the tests."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names]


def system(name: str, journal: Path) -> str:
    """A system that passes."""
    if name != "shared":
        return f"model:{RUNS[name][0]}"
    file = journal.parent.parent / "turnstile_that_goes_back.py"
    file.write_text(SHARING)
    return f"python:{file}:Turnstile"


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A journal of a whole run for each way to run, all of which pass."""
    from fullproof.cli.entry import run

    folder = tmp_path_factory.mktemp("journals")

    @functools.cache
    def made(name: str) -> Path:
        model, *options = RUNS[name]
        words = ["run", model, "--sut", system(name, folder / name), "--journal", folder / name, "--quiet", *options]
        assert run([str(word) for word in words]) == 0, name
        return folder / name

    return made


@pytest.fixture
def copied(journals: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: Path(shutil.copy(journals(name), tmp_path / "run.sqlite"))


def table(name: str) -> str:
    return "execution"


def resumed(fullproof: Shell, name: str, journal: Path) -> Ended:
    model, *options = RUNS[name]
    return fullproof("run", model, "--sut", system(name, journal), "--journal", journal, "--resume", *options)


def one_line(ended: Ended, *, code: int = 4) -> None:
    assert ended.code == code, ended
    assert "Traceback" not in ended.err
    if code == 4:
        assert (ended.out, ended.err.count("\n")) == ("", 1), ended


EDITS = {
    "first row": "delete from {t} where number = 1",
    "middle row": "delete from {t} where number = 2",
    "last row": "delete from {t} where number = (select max(number) from {t})",
    "all rows": "delete from {t}",
    "answers": "update {t} set {seen} = '[]'",
    "an answer": "update {t} set {seen} = replace({seen}, 'o', 'a') where number = 2",
    "no answers": "update {t} set {seen} = '' where number = 2",
    "no JSON": "update {t} set {seen} = '[[' where number = 2",
    "bytes": "update {t} set {seen} = x'ff00' where number = 2",
    "null": "update {t} set error = 'x' where number = 2",
    "id": "update {t} set test = 't-000000000000' where number = 2",
    "id as a number": "update {t} set test = 5 where number = 2",
    "inputs": "update {t} set inputs = '[]' where number = 2",
    "evidence": "update {t} set evidence = 'x' where number = 2",
    "order": "update {t} set number = number + 1000 where number = 2",
    "negative": "update {t} set number = -number where number = 1",
    "a hash": "update {t} set hash = x'00' where number = 2",
    "hash as text": "update {t} set hash = 'x'",
    "no hashes": "alter table {t} drop column hash",
    "no rows": "drop table {t}",
    "no about": "drop table about",
    "header": "update about set value = replace(value, '\"repeat\": ', '\"repeat\": 1') where key = 'header'",
    "model": "update about set value = replace(value, 'initial', 'initiaI') where key = 'header'",
    "told": "update about set value = replace(value, 'guarantee\": \"', 'guarantee\": \"Surely: ') where key = 'told'",
    "unsealed": "update about set value = 'null' where key = 'seal'",
    "no seal": "delete from about where key = 'seal'",
    "no told": "delete from about where key = 'told'",
    "seconds": "update about set value = '\"x\"' where key = 'seconds'",
    "parts": "update about set value = '[]' where key = 'parts'",
    "format": "update about set value = '\"journal/1\"' where key = 'format'",
    "no format": "delete from about where key = 'format'",
    "format as a list": "update about set value = '[' where key = 'format'",
    "bytes about": "update about set value = x'ff' where key = 'header'",
}


@pytest.mark.requirement("JUDGE-4")
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", kinds("fsm", "sfsm", "sts"))
def test_an_edit_is_one_line(fullproof: Shell, copied: Callable[[str], Path], name: str, edit: str) -> None:
    journal = copied(name)
    seen = "events" if name in CONVERSATIONS else "outputs"
    execute(journal, EDITS[edit].format(t=table(name), seen=seen))
    for ended in (fullproof("judge", journal), resumed(fullproof, name, journal)):
        one_line(ended)


@pytest.mark.requirement("JUDGE-5")
@pytest.mark.parametrize("name", kinds(*RUNS))
def test_a_part_of_a_run_is_inconclusive_and_goes_on_to_the_same_answer(
    fullproof: Shell, copied: Callable[[str], Path], name: str
) -> None:
    journal = copied(name)
    whole = fullproof("judge", journal, "--json")
    assert (whole.code, whole.json["verdict"]) == (0, "pass")
    assert not whole.json["guarantee"].startswith("No guarantee") or name in CONVERSATIONS
    for rows in (0, 1, whole.json["resets"] - 1):
        cut(journal, rows)
        part = fullproof("judge", journal, "--json")
        assert (part.code, part.json["verdict"]) == (6, "inconclusive"), rows
        assert part.json["guarantee"].startswith("No guarantee: ")
        ended = resumed(fullproof, name, journal)
        assert ended.code == 0, ended
        again = fullproof("judge", journal, "--json")
        assert {**again.json, "seconds": 0} == {**whole.json, "seconds": 0}


@pytest.mark.requirement("JUDGE-5")
@pytest.mark.parametrize("name", kinds("fsm", "sfsm", "statemachine", "jobs", "shared"))
def test_hashes_that_fit_do_not_make_a_pass_of_what_is_missing(
    fullproof: Shell, copied: Callable[[str], Path], name: str
) -> None:
    """Somebody who computes the hashes anew still has to account for every test, repetition and answer."""
    last = "(select max(number) from execution)"
    for statement, code in (
        ("delete from execution where number = 2", 4),
        (f"delete from execution where number = {last}", 6),
        (f"update execution set outputs = '[]' where number = {last}", 6),
        ("update execution set outputs = '[]'", 6),
        (f"update execution set number = number + 1 where number = {last}", 4),
        (f"update execution set repetition = 7 where number = {last}", 4),
        (f"update execution set outputs = inputs where number = {last}", 1),
        (f"update execution set outputs = '[[[1,0]]]' where number = {last}", 1),
        (f"update execution set outputs = '5' where number = {last}", 4),
        (f"update execution set inputs = '[]', outputs = '[]' where number = {last}", 0),
    ):
        journal = copied(name)
        execute(journal, statement)
        forge(journal)
        ended = fullproof("judge", journal, "--json")
        if code == 1:
            assert ended.code in (1, 4), (statement, ended)
        else:
            assert ended.code == code, (statement, ended)
        assert "Traceback" not in ended.err
        if code != 4 and ended.out:
            assert ended.json["verdict"] != "pass" or ended.json["guarantee"].startswith("No guarantee: "), statement
        if statement.startswith("delete") or "inputs = '[]'" in statement:
            again = resumed(fullproof, name, journal)
            assert again.code == (0 if code == 6 else 4), (statement, again)


def flips(path: Path, count: int, seed: int) -> list[tuple[int, int]]:
    dice, size = random.Random(seed), path.stat().st_size
    return [(dice.randrange(size), dice.randrange(8)) for _ in range(count)]


def _flipped(fullproof: Shell, copied: Callable[[str], Path], name: str, count: int) -> None:
    journal = copied(name)
    whole, said = journal.read_bytes(), {**fullproof("judge", journal, "--json").json, "seconds": 0}
    noticed = 0
    for place, bit in flips(journal, count, seed=len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << bit
        journal.write_bytes(changed)
        ended = fullproof("judge", journal, "--json")
        assert "Traceback" not in ended.err, (place, bit)
        if ended.code == 0:
            assert {**ended.json, "seconds": 0} == said, (place, bit)
            continue
        noticed += 1
        one_line(ended) if ended.code == 4 else one_line(ended, code=6)
    assert noticed


@pytest.mark.requirement("JUDGE-4")
@pytest.mark.parametrize("name", ["fsm", "sts"])
def test_no_flipped_bit_changes_what_is_said(fullproof: Shell, copied: Callable[[str], Path], name: str) -> None:
    _flipped(fullproof, copied, name, 60)


@pytest.mark.requirement("JUDGE-4")
@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_no_flipped_bit_changes_what_is_said_at_length(
    fullproof: Shell, copied: Callable[[str], Path], name: str
) -> None:
    _flipped(fullproof, copied, name, 400)


@pytest.mark.requirement("JUDGE-4")
@pytest.mark.parametrize("name", ["fsm", "sts"])
def test_a_file_that_was_cut_off_is_one_line(fullproof: Shell, copied: Callable[[str], Path], name: str) -> None:
    journal = copied(name)
    whole = journal.read_bytes()
    for share in (0, 0.1, 0.3, 0.5):
        journal.write_bytes(whole[: int(len(whole) * share)])
        one_line(fullproof("judge", journal))
        if share:  # a run that was killed before its first row begins anew, see test_journals.py
            one_line(resumed(fullproof, name, journal))


@pytest.mark.requirement("JUDGE-4")
def test_a_failing_row_cannot_be_taken_away(fullproof: Shell, tmp_path: Path) -> None:
    model, journal = EXAMPLES / "turnstile" / "turnstile.yaml", tmp_path / "j"
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(model.read_text().replace("then: thanks", "then: lock"))
    words = ("run", model, "--sut", f"model:{wrong}", "--method", "w", "--extra-states", 2, "--journal", journal)
    failed = fullproof(*words, "--json").json
    assert failed["verdict"] == "fail" and 0 < failed["failed"] < failed["tests"]
    bad = ", ".join(repr(failure["test"]) for failure in failed["failures"])
    execute(journal, f"delete from execution where test in ({bad})")
    one_line(fullproof("judge", journal))
    one_line(fullproof(*words, "--resume"))


def test_a_damaged_name_of_a_column_is_one_line(fullproof: Shell, copied: Callable[[str], Path]) -> None:
    journal = copied("fsm")
    whole = journal.read_bytes()
    assert b"evidence text" in whole
    journal.write_bytes(whole.replace(b"evidence text", b"evid\xe5nce text"))
    one_line(fullproof("judge", journal))
