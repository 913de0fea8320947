"""Forms and gestures in a real browser."""

from fractions import Fraction

import pytest
from tests.browser import needs_browser
from tests.execute.browser_site import PATIENT, Site
from tests.execute.lamp import outputs

from fullproof.artefacts.suite import make_test
from fullproof.execute import execute
from fullproof.language.syntax import Boolean
from fullproof.language.types import BoolType, EnumType, IntType, RealType, Variable
from fullproof.model import Fsm, Sfsm
from fullproof.model.fsm import FsmTransition
from fullproof.model.sfsm import SfsmTransition

pytestmark = needs_browser

FORM = """<input id="x" type="number" step="any"><input id="n" type="range" min="0" max="10">
<select id="mode"><option value="slow">Slow</option><option>fast</option></select><input id="b" type="checkbox">
<button id="go">go</button><p id="y">-</p><p id="k"></p><p id="m" data-mode="slow"></p><input id="c" type="checkbox">
<script>go.onclick = () => {
  y.textContent = (x.value * 2) + " N"; k.textContent = n.value; m.dataset.mode = mode.value; c.checked = b.checked;
}</script>"""
FORM_STEP = """step:
  - fill '#x' with {x}
  - fill '#n' with {n}
  - select '#mode' with {mode}
  - check '#b' with {b}
  - click '#go'
"""
FORM_OUTPUT = "output: {y: number '#y', k: text '#k', m: attribute data-mode of '#m', c: checked '#c'}\n"
MODE = EnumType(("slow", "fast"))
FORM_MODEL = Sfsm(
    name="form",
    inputs=(
        Variable(name="x", type=RealType()),
        Variable(name="n", type=IntType(0, 10)),
        Variable(name="mode", type=MODE),
        Variable(name="b", type=BoolType()),
    ),
    outputs=(
        Variable(name="y", type=RealType()),
        Variable(name="k", type=IntType()),
        Variable(name="m", type=MODE),
        Variable(name="c", type=BoolType()),
    ),
    initial="s",
    states=("s",),
    transitions=(SfsmTransition(source="s", guard=Boolean(True), output=Boolean(True), target="s"),),
)


@pytest.mark.parametrize("events", ["script", "real"])
def test_a_form_takes_and_gives_typed_values(site: Site, events: str):
    system = site.system(FORM, FORM_STEP + FORM_OUTPUT + f"events: {events}\n", model=FORM_MODEL)
    given = [
        {"x": Fraction(5, 4), "n": 3, "mode": "fast", "b": True},
        {"x": Fraction(-200), "n": 10, "mode": "slow", "b": False},
    ]
    (trace,) = execute(system, [make_test(given)])
    assert trace.error is None
    assert outputs(trace) == [
        {"y": Fraction(5, 2), "k": 3, "m": "fast", "c": True},
        {"y": Fraction(-400), "k": 10, "m": "slow", "c": False},
    ]
    assert not system.grey_box
    broken, good = execute(system, [make_test([given[0] | {"n": 11}]), make_test([given[0]])])
    assert broken.error == "#n does not take the value"
    assert good.error is None


GESTURES = """<!doctype html><meta charset="utf-8"><title>Gestures</title><style>#tip:not(.on) {display: none}</style>
<div id="box" style="width: 90px; height: 40px">box</div><p id="tip">tip</p><input id="field" size="5">
<ul id="list"></ul><p id="out"></p>
<script>
const say = (text) => { out.textContent = text + " of " + (localStorage.loads ?? 0) + " loads, hash " + location.hash };
localStorage.loads = Number(localStorage.loads ?? 0) + 1;
say("start");
box.ondblclick = () => { list.append(document.createElement("li")); list.lastChild.textContent = "x"; say("double") };
box.onmouseenter = () => { tip.className = "on" };
window.onhashchange = () => say("hash");
field.onkeydown = (event) => { if (event.key === "Enter") say("entered " + field.value) };
document.onkeydown = (event) => { if (event.key === "Escape") { tip.className = ""; say("escape") } };
</script>"""
GESTURE_MAPPING = """
inputs:
  double: double click '#box'
  hover: hover '#box'
  type: ["type '#field' with ab", "press Enter on '#field'"]
  escape: press Escape
  go: [fill '#field' with '', click '#link']
  reload: reload
  back: back
output:
  all: ["text '#out' matching ([a-z]+)( ab)? of", "count 'li'", "visible '#tip'", "text '#out' matching '#[a-z]+'"]
  join: /
"""


def test_gestures_buttons_of_the_browser_and_several_readings(site: Site) -> None:
    symbols = ("double", "hover", "type", "escape", "go", "reload", "back")
    page = GESTURES.replace('<p id="out">', '<a id="link" href="#there">there</a><p id="out">')
    loops = tuple(FsmTransition("s", symbol, "x", "s") for symbol in symbols)
    model = Fsm(name="g", initial="s", states=("s",), inputs=symbols, outputs=("x",), transitions=loops)
    sut = site.system(page, GESTURE_MAPPING, model=model)
    words = ("double double hover escape", "type go back", "go reload")
    found = [outputs(run) for run in execute(sut, [make_test(word.split()) for word in words], options=PATIENT)]
    assert found == [
        ["double/1/true", "double/2/true", "double/2/true", "escape/2/false"],
        ["entered/0/false", "hash/0/false/#there", "hash/0/false"],
        ["hash/0/false/#there", "start/0/false/#there"],
    ]
