"""Mapping files of pages: what they mean, and what is said of wrong ones. No browser is needed for that."""

import sys
from pathlib import Path

import pytest
from tests.execute.lamp import LAMP
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_mapping import (
    Action,
    Dialogs,
    ElementReading,
    Reset,
    filled,
    parse_action,
    parse_reading,
    read_browser_mapping,
)
from fullproof.formats import read_model
from fullproof.kinds.systems import open_sut

STEP = "step: click '#{input}'\n"
OUTPUT = "output: text '#out'\n"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click '#a b > c'", Action(verb="click", selector="#a b > c")),
        ("click button[name=x]", Action(verb="click", selector="button[name=x]")),
        ("fill '#pin' with 12 34", Action(verb="fill", selector="#pin", value="12 34")),
        ("fill '#pin' with ' '", Action(verb="fill", selector="#pin", value=" ")),
        ("fill '#with' with with", Action(verb="fill", selector="#with", value="with")),
        ("select .m with {mode}", Action(verb="select", selector=".m", value="{mode}")),
        ("check '#b'", Action(verb="check", selector="#b")),
        ("check '#b' with {b}", Action(verb="check", selector="#b", value="{b}")),
        ("uncheck '#b'", Action(verb="uncheck", selector="#b")),
        ("press Enter on 'input[name=\"on\"]'", Action(verb="press", selector='input[name="on"]', value="Enter")),
    ],
)
def test_actions(text: str, action: Action):
    assert parse_action(text) == action


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("text '#a'", ElementReading(kind="text", selector="#a")),
        ("new ol > li", ElementReading(kind="new", selector="ol > li")),
        ("attribute data-x of '#a'", ElementReading(kind="attribute", selector="#a", name="data-x")),
        ("dialog", ElementReading(kind="dialog")),
    ],
)
def test_readings(text: str, reading: ElementReading):
    assert parse_reading(text) == reading


def test_a_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "s3cret")
    (tmp_path / "page.html").write_text("")
    (tmp_path / "map.yaml").write_text(
        "page: page.html?a=1#b\nheaders: {Authorization: 'Bearer ${SECRET}'}\nreset: document\n"
        "inputs:\n  press: {do: [\"fill '#pin' with ${SECRET}\", click '#ok'], enabled: '#ok'}\n"
        f"{STEP}output: [dialog, text '#out']\nsymbols: {{Hello: hi}}\nsilent: 'null'\ndialogs: accept\n"
        "settle: 0.05\nready: '#app'\n"
    )
    mapping = read_browser_mapping(tmp_path / "map.yaml", LAMP.interface)
    assert mapping.page == (tmp_path / "page.html").resolve().as_uri() + "?a=1#b"
    assert mapping.headers == {"Authorization": "Bearer s3cret"}
    assert [action.value for action in mapping.inputs["press"].actions] == ["s3cret", ""]
    assert mapping.inputs["press"].offered.selector == "#ok"
    assert mapping.inputs["look"].actions == (Action(verb="click", selector="#look"),)
    assert [reading.kind for reading in mapping.outputs[""]] == ["dialog", "text"]
    assert (mapping.reset, mapping.dialogs, mapping.settle) == (Reset.DOCUMENT, Dialogs.ACCEPT, 0.05)
    assert (mapping.symbols, mapping.silent, mapping.ready) == ({"Hello": "hi"}, "null", "#app")
    assert [selector for selector, _ in mapping.selectors()] == [
        "#pin", "#ok", "#ok", "#look", "#look", "#out", "#app",
    ]  # fmt: skip


def test_values_are_filled_in(tmp_path: Path):
    (tmp_path / "map.yaml").write_text(
        "page: http://h/\nstep:\n  - fill '#x' with {x} km/h\n  - click '#go'\n" + OUTPUT
    )
    mapping = read_browser_mapping(tmp_path / "map.yaml", read_model(REFERENCE / "brake/brake.yaml").interface)
    assert mapping.step is not None
    assert [action.value for action in filled(mapping.step, {"x": "200"}).actions] == ["200 km/h", ""]
    assert list(mapping.outputs) == ["y"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (STEP + OUTPUT, "expected a key 'page'"),
        (f"page: none.html\n{STEP}{OUTPUT}", "line 1, column 7: there is no page 'none.html' beside the mapping file"),
        (f"page: http://h/${{NO_SUCH_NAME}}\n{STEP}{OUTPUT}", "the environment has no variable NO_SUCH_NAME"),
        (f"page: http://h/\n{STEP}", "expected a key 'output'"),
        (f"page: http://h/\n{OUTPUT}", "does not say what to do for the input 'press'"),
        (
            f"page: http://h/\n{OUTPUT}inputs: {{pres: click a}}\n",
            "line 3, column 16: 'pres' is not an input of the model",
        ),
        (f"page: http://h/\n{OUTPUT}step: klick a\n", "line 3, column 7: 'klick a' is not an action, expected click S"),
        (f"page: http://h/\n{OUTPUT}step: []\n", "expected an action"),
        (f"page: http://h/\n{OUTPUT}step: fill '#a'\n", "is not an action"),
        (f"page: http://h/\n{STEP}output: txt a\n", "line 3, column 9: 'txt a' does not say what to read"),
        (f"page: http://h/\n{STEP}{OUTPUT}reset: page\n", "'page' is not known here, expected context or document"),
        (f"page: http://h/\n{STEP}{OUTPUT}settle: soon\n", "expected seconds"),
        (f"page: http://h/\n{STEP}{OUTPUT}reddy: a\n", "unknown key 'reddy'"),
    ],
)
def test_complaints(tmp_path: Path, text: str, complaint: str):
    (tmp_path / "map.yaml").write_text(text)
    with pytest.raises(UserError) as raised:
        read_browser_mapping(tmp_path / "map.yaml", LAMP.interface)
    assert complaint in str(raised.value)
    assert raised.value.at.file.endswith("map.yaml")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{OUTPUT}inputs: {{x: click a}}\n", "'inputs' are the symbols of an fsm"),
        (OUTPUT, "expected a key 'step'"),
        (f"{OUTPUT}{STEP}silent: x\n", "'silent' is a symbol of an fsm"),
        (f"{STEP}output: {{z: text a}}\n", "unknown key 'z'"),
    ],
)
def test_complaints_for_symbolic_machines(tmp_path: Path, text: str, complaint: str):
    (tmp_path / "map.yaml").write_text("page: http://h/\n" + text)
    with pytest.raises(UserError, match=complaint):
        read_browser_mapping(tmp_path / "map.yaml", read_model(REFERENCE / "brake/brake.yaml").interface)


@pytest.fixture
def mapped(tmp_path: Path) -> str:
    (tmp_path / "map.yaml").write_text(f"page: http://127.0.0.1:9/\n{STEP}{OUTPUT}")
    return f"browser:{tmp_path / 'map.yaml'}"


def test_without_a_browser_one_line_says_where_it_was_looked_for(mapped: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("FULLPROOF_BROWSER", raising=False)
    with pytest.raises(
        UserError, match="there is no Chromium: looked for chromium, chromium-browser, google-chrome in"
    ):
        open_sut(mapped, LAMP)
    monkeypatch.setenv("FULLPROOF_BROWSER", "/nowhere/chrome")
    with pytest.raises(UserError, match="FULLPROOF_BROWSER names /nowhere/chrome, which is not a program"):
        open_sut(mapped, LAMP)


def test_without_playwright_one_line_says_how_to_install_it(mapped: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FULLPROOF_BROWSER", sys.executable)
    for name in [name for name in sys.modules if name.split(".")[0] == "playwright"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(UserError, match=r"need the package playwright: pip install 'fullproof\[browser\]'"):
        open_sut(mapped, LAMP)


def test_what_is_no_browser_does_not_start(mapped: str, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("playwright", reason="the package playwright is not installed")
    monkeypatch.setenv("FULLPROOF_BROWSER", "false")
    with pytest.raises(UserError, match=r"cannot start .*false: "):
        open_sut(mapped, LAMP)
    with pytest.raises(UserError, match="needs a mapping file"):
        open_sut("browser:", LAMP)
