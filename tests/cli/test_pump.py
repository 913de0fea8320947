"""``--pump N``: a counter that no bound on states sees."""

import pytest

RECORDS = """
machine: fsm
name: records
initial: closed
states:
  closed:
    - {when: hello, then: open, to: open}
    - {when: empty, then: alert, to: closed}
  open:
    - {when: hello, then: alert, to: closed}
    - {when: empty, then: nothing, to: open}
"""

SYSTEM = """
class Records:
    def reset(self):
        self.open, self.empty = False, 0

    def step(self, event):
        if not self.open:
            self.open = event == "hello"
            self.empty = 0
            return "open" if self.open else "alert"
        self.empty += 1
        if event == "hello" or self.empty > 32:
            self.open = False
            return "alert"
        return "nothing"
"""


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records.yaml").write_text(RECORDS, encoding="utf-8")
    (tmp_path / "records.py").write_text(SYSTEM, encoding="utf-8")


@pytest.mark.usefixtures("records")
def test_the_thirty_third_repetition_is_found(fullproof):
    command = ("run", "records.yaml", "--sut", "python:records.py:Records", "--no-isolate", "--extra-states", 2)
    assert fullproof(*command).code == 0
    assert fullproof(*command, "--pump", 32).code == 0
    ended = fullproof(*command, "--pump", 33, "--json")
    assert (ended.code, ended.json["verdict"]) == (1, "fail")
    assert any("outside of the guarantee" in note for note in ended.json["notes"])


@pytest.mark.usefixtures("records")
def test_the_guarantee_stays_as_it_is(fullproof):
    plain, more = (
        fullproof("generate", "records.yaml", "--json", *o).json for o in (("-o", "a"), ("--pump", 9, "-o", "b"))
    )
    assert more["guarantee"] == plain["guarantee"]
    assert more["tests"] > plain["tests"]
    assert fullproof("certify", "records.yaml", "b").code == 0


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--pump", 0), "--pump must be >= 1"),
        (("--pump", 10**9), "is possible"),
        (("--pump", 2, "--shrink"), "not with --shrink"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(fullproof, options, message):
    ended = fullproof("generate", "records.yaml", *options)
    assert ended.code == 4
    assert message in ended.err
    assert ended.err.count("\n") == 1
