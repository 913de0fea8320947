"""State machines under test: signals and values in, signals and output attributes out."""

import json

import pytest
from tests.shared import REFERENCE

from fullproof.artefacts.guarantee import stated
from fullproof.artefacts.progress import unheard
from fullproof.artefacts.questions import JudgeRequest
from fullproof.artefacts.request import RunRequest, SuiteRequest
from fullproof.artefacts.suite import SuiteHeader, make_test
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.formats import model_sha256
from fullproof.formats.suite import write_suite
from fullproof.pipeline.judgement import judge_journal
from fullproof.pipeline.runs import run_suite

FIGURE_1 = REFERENCE / "state-machine" / "figure1.yaml"
FIGURE_4 = REFERENCE / "state-machine" / "figure4.yaml"

LAMP = """\
machine: statemachine
name: lamp
signals: {in: [press], out: [click, warn]}
inputs: {light: real}
outputs: {power: int = 0, level: real = 0 ~ 0.01}
variables: {count: int = 0}
initial: off
states:
  off:
    - {trigger: press, when: light < 10, do: [power = 1, count = count + 1], send: [click], to: on}
  on:
    - {trigger: press, do: [power = 0], send: [click], to: off}
    - {when: light > 90, do: [power = 0, level = light / 3], send: [warn, click], to: off}
"""

SYSTEM = """
class Lamp:
    def reset(self):
        self.on, self.level = False, 0
    def step(self, trigger, light):
        sent = []
        if not self.on and trigger == "press" and light < 10:
            self.on = True
            sent.append("click")
        elif self.on and trigger == "press":
            self.on = False
            sent.append("click")
        if self.on and light > 90:
            self.on, self.level = False, round(light / 3, 3)
            sent += ["warn", "click"]
        return {"power": int(self.on), "level": self.level, "send": sent}

class Mute(Lamp):
    def step(self, trigger, light):
        answer = super().step(trigger, light)
        return {**answer, "send": answer["send"][:1]}
"""


def suite_of(path, target, *tests):
    sha = model_sha256(path)
    header = SuiteHeader(
        model="m", model_sha256=sha, kind="statemachine", relation="equivalence", method="hand", extra_states=0,
        tool="0", guarantee=stated("None."),
    )  # fmt: skip
    write_suite(target, header, [make_test(word) for word in tests])
    return target


def run(path, suite, sut, **more):
    request = RunRequest(suite=SuiteRequest(), suite_file=suite, sut=sut, **more)
    return run_suite(path, request, progress=unheard).record


@pytest.fixture
def trace_of_the_paper(tmp_path):
    word = [{"trigger": "start", "x": 9.998}, {"trigger": "a", "x": 9.998}, {"x": -0.1}]
    target = tmp_path / "suite.jsonl"
    suite_of(FIGURE_1, target, [])
    lines = target.read_text().splitlines()[:1]
    test = json.dumps({"id": "t", "inputs": [word[0], word[1], {"trigger": None, "x": -0.1}]})
    target.write_text("\n".join([*lines, test]) + "\n")
    return target


def test_the_faulty_figure_fails_where_the_paper_says(trace_of_the_paper):
    record = run(FIGURE_1, trace_of_the_paper, f"model:{FIGURE_4}")
    (failure,) = record.result.failures
    assert (failure.step, failure.observed, failure.allowed) == (3, {"y": 55.891}, ("y = 47.891",))
    assert record.result.verdict is Verdict.FAIL


def test_the_model_passes_its_own_trace(trace_of_the_paper):
    result = run(FIGURE_1, trace_of_the_paper, f"model:{FIGURE_1}").result
    assert result.verdict is Verdict.PASS
    assert (result.coverage.covered, result.coverage.total) == (7, 10)


WORDS = [
    [{"trigger": "press", "light": 5}, {"light": 100}, {"trigger": "press", "light": 5}, {"trigger": "press"}],
    [{"trigger": "press", "light": 50}, {"light": 91}],
]


@pytest.mark.parametrize(("name", "verdict"), [("Lamp", Verdict.PASS), ("Mute", Verdict.FAIL)])
def test_python_systems_answer_with_signals_and_values_within_tolerance(tmp_path, name, verdict):
    model, system = tmp_path / "lamp.yaml", tmp_path / "lamp.py"
    model.write_text(LAMP)
    system.write_text(SYSTEM)
    words = [[{"light": 50, **symbol} if "light" not in symbol else symbol for symbol in word] for word in WORDS]
    suite = suite_of(model, tmp_path / "s.jsonl", *words)
    journal = tmp_path / "run.sqlite"
    record = run(model, suite, f"python:{system}:{name}", journal=journal)
    assert record.result.verdict is verdict
    again = judge_journal(journal, JudgeRequest(), progress=unheard).record.result
    assert (again.verdict, again.failures) == (record.result.verdict, record.result.failures)
    if verdict is Verdict.FAIL:
        assert record.result.failures[0].allowed == ("power = 0, level = 100/3, send warn, click",)
        assert record.result.failures[0].observed["send"] == ["warn"]


def test_attributes_left_out_keep_their_values(tmp_path):
    model = tmp_path / "lamp.yaml"
    model.write_text(LAMP)
    suite = suite_of(model, tmp_path / "s.jsonl", *WORDS)
    assert run(model, suite, f"model:{model}").result.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ([{"trigger": "pres", "light": 1}], "did you mean 'press'"),
        ([{"trigger": "press", "lihgt": 1}], "lihgt"),
        ([{"trigger": "press"}], "gives no value to the input light"),
        (["press"], "an object of values by name"),
    ],
)
def test_a_test_of_another_model_is_refused(tmp_path, word, message):
    model = tmp_path / "lamp.yaml"
    model.write_text(LAMP)
    system = tmp_path / "lamp.py"
    system.write_text(SYSTEM.replace("trigger, light", "trigger, light=0"))
    with pytest.raises(UserError, match=message):
        run(model, suite_of(model, tmp_path / "s.jsonl", word), f"python:{system}:Lamp")
