"""``run --adaptive``: the verdicts of ``compare``, fewer steps than the suite, and use where there is no suite."""

import pytest
from tests.shared import REFERENCE

from fullproof.formats import write_model
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

PLAYER = """machine: fsm
name: player
initial: stopped
states:
  stopped:
    - {when: play, then: sound, to: playing}
    - {when: play, then: ad, to: advert}
    - {when: stop, then: quiet, to: stopped}
  playing:
    - {when: pause, then: quiet, to: paused}
    - {when: stop, then: quiet, to: stopped}
    - {when: next, then: sound, to: playing}
    - {when: next, then: ad, to: advert}
    - {when: next, then: quiet, to: ended}
  advert:
    - {when: next, then: sound, to: playing}
    - {when: next, then: ad, to: advert}
    - {when: stop, then: quiet, to: stopped}
  paused:
    - {when: play, then: sound, to: playing}
    - {when: stop, then: quiet, to: stopped}
    - {when: next, then: quiet, to: paused}
  ended:
    - {when: play, then: sound, to: playing}
    - {when: play, then: ad, to: advert}
    - {when: stop, then: quiet, to: stopped}
    - {when: next, then: quiet, to: ended}
"""
SYSTEM = """
class Player:
    def reset(self):
        self.at = "stopped"

    def step(self, x):
        if x == "next":
            if self.at in ("playing", "advert"):
                self.at = "advert" if self.at == "playing" else "playing"
                return "sound" if self.at == "playing" else "ad"
            return "quiet"
        self.at = {"play": "playing", "pause": "paused", "stop": "stopped"}[x]
        return "sound" if x == "play" else "quiet"


class Forgetful(Player):
    def step(self, x):
        if x == "next" and self.at == "paused":
            self.at = "advert"
            return "quiet"
        return super().step(x)
"""
QUASI = ("--relation", "quasi-reduction", "--adaptive", "--json")


def test_a_player_that_has_no_suite_is_tested(fullproof, tmp_path):
    model = tmp_path / "player.yaml"
    model.write_text(PLAYER)
    (tmp_path / "player.py").write_text(SYSTEM)
    right = fullproof("run", model, *QUASI, "--sut", f"python:{tmp_path}/player.py:Player")
    assert (right.code, right.json["verdict"]) == (0, "pass")
    assert right.json["steps"] < 10_000
    assert "adaptive state counting" in right.json["guarantee"]
    wrong = fullproof("run", model, *QUASI, "--sut", f"python:{tmp_path}/player.py:Forgetful")
    assert (wrong.code, wrong.json["verdict"]) == (1, "fail")


@pytest.mark.parametrize(("name", "repeat"), [("card-reader", 4), ("m-ex", 6)])
def test_the_same_verdict_as_the_suite_in_fewer_steps(fullproof, name, repeat):
    model = REFERENCE / name / f"{name}.yaml"
    strong = ("--relation", "strong-reduction", "--sut", f"model:{model}", "--repeat", repeat, "--json")
    preset, adaptive = fullproof("run", model, *strong), fullproof("run", model, "--adaptive", *strong)
    assert preset.json["verdict"] == adaptive.json["verdict"] == "pass"
    assert adaptive.json["steps"] < preset.json["steps"]


@pytest.mark.parametrize("relation", ["strong-reduction", "quasi-reduction"])
def test_mutants_get_the_verdicts_of_compare(fullproof, tmp_path, relation):
    from fullproof.formats import read_model

    path = REFERENCE / "m-ex" / "m-ex.yaml"
    model = read_model(path)
    assert isinstance(model, Fsm)
    verdicts = set()
    for k, t in enumerate(model.transitions):
        changed = [t._replace(target=s) for s in model.states if s != t.target][k % 3 :][:1]
        changed += [t._replace(output=y) for y in model.outputs if y != t.output][:1]
        for number, new in enumerate([*changed, None]):
            kept = [u for u in model.transitions if u is not t]
            transitions = tuple(dict.fromkeys([*kept, *([new] if isinstance(new, FsmTransition) else [])]))
            mutant = Fsm(
                name="mutant",
                initial=model.initial,
                states=model.states,
                inputs=model.inputs,
                outputs=model.outputs,
                transitions=transitions,
            )
            file = tmp_path / f"m{k}-{number}.yaml"
            write_model(mutant, file)
            conforms = fullproof("compare", path, file, "--relation", relation, "--json").json["conforms"]
            ran = fullproof(
                *("run", path, "--relation", relation, "--adaptive", "--sut", f"model:{file}", "--repeat", 8, "--json")
            )
            assert (ran.json["verdict"] == "pass") is conforms, (file, ran)
            verdicts.add(conforms)
    assert verdicts == {True, False}


def test_a_run_leaves_a_report_and_a_journal_that_can_be_judged_again(fullproof, tmp_path):
    model = REFERENCE / "m-ex" / "m-ex.yaml"
    ran = fullproof(
        *("run", model, "--relation", "strong-reduction", "--adaptive", "--sut", f"model:{model}", "--repeat", 4),
        *("--report", tmp_path / "r", "--json"),
    )
    assert ran.json["verdict"] == "pass"
    assert (tmp_path / "r" / "report.html").exists()
    again = fullproof("judge", tmp_path / "r" / "run.sqlite", "--json")
    assert again.json["steps"] == ran.json["steps"]
    assert again.json["failed"] == 0


@pytest.mark.parametrize(
    "options",
    [("--relation", "equivalence"), ("--jobs", "2", "--relation", "quasi-reduction"), ("--suite", "s.jsonl")],
)
def test_what_cannot_be_adaptive_is_refused_in_one_line(fullproof, tmp_path, options):
    (tmp_path / "player.yaml").write_text(PLAYER)
    refused = fullproof("run", tmp_path / "player.yaml", "--adaptive", "--sut", "model:x.yaml", *options)
    assert refused.code == 4
    assert refused.err.count("\n") == 1
