"""``fullproof draw``: files in four formats, with any name in them, the same every time."""

import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from dataclasses import asdict, replace
from html import escape
from pathlib import Path

import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.machines import ODD_NAMES, machine, odd_machine, web
from tests.shared import REFERENCE

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.report.diagram import ENDINGS, Highlight, draw, svg
from fullproof.report.drawing.palette import DARK, LIGHT, Palette
from fullproof.report.drawing.text_width import visible

SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "style", "rect", "g", "title", "path", "polygon", "circle", "text", "tspan"}
CARD_READER = REFERENCE / "card-reader/card-reader.yaml"


def parsed(text: str) -> ET.Element:
    root = ET.fromstring(text)
    assert {element.tag for element in root.iter()} <= {SVG + name for name in ELEMENTS}
    return root


def groups(root: ET.Element, kind: str) -> list[ET.Element]:
    return [g for g in root.iter(f"{SVG}g") if kind in (g.get("class") or "").split()]


def titles(root: ET.Element, kind: str) -> list[str]:
    return [group.findtext(f"{SVG}title") or "" for group in groups(root, kind)]


@pytest.mark.parametrize("path", sorted(REFERENCE.rglob("*.yaml")), ids=lambda path: path.stem)
def test_the_picture_of_a_model_shows_every_state_and_where_it_starts(path: Path) -> None:
    model = read_model(path)
    text = svg(model)
    root = parsed(text)
    names = [title.split("\n")[0] for title in titles(root, "fp-state") + titles(root, "fp-choice")]
    assert sorted(names) == sorted(model.states)
    assert all(f">{escape(name)}<" in text for name in model.states)
    assert len(groups(root, "fp-entry")) == 1
    different = {(t.source, t.target) for t in model.transitions if t.source != t.target}
    assert len(groups(root, "fp-arrow")) == len(different)


def test_several_pictures_live_in_one_page_and_need_nothing_else() -> None:
    text = svg(read_model(CARD_READER))
    assert text.startswith("<svg ") and text.endswith("</svg>\n")
    for word in (" id=", "href", "url(", "@import", "<script", "<image", "<use", "xlink", "<?xml", "<!DOCTYPE"):
        assert word not in text
    assert re.findall(r"https?://[^\"\s]*", text) == ["http://www.w3.org/2000/svg"]


def test_every_colour_has_a_light_and_a_dark_side() -> None:
    style = parsed(svg(read_model(CARD_READER))).findtext(f"{SVG}style") or ""
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    used = set(re.findall(r"var\((--fp-[a-z-]+)\)", style))
    assert used
    assert used <= set(re.findall(r"(--fp-[a-z-]+):", light))
    assert used <= set(re.findall(r"(--fp-[a-z-]+):", dark))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_and_lines_stand_out_from_their_ground(palette: Palette) -> None:
    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        high, low = sorted((luminance(one), luminance(other)), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for text in (palette.ink, palette.output, palette.accent):
        for ground in (palette.paper, palette.state):
            assert contrast(text, ground) >= 4.5
    assert contrast(palette.ink, palette.choice) >= 4.5 and contrast(palette.accent, palette.glow) >= 4.5
    assert contrast(palette.line, palette.paper) >= 4.5
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in asdict(palette).values())


def test_a_name_is_never_markup() -> None:
    root = parsed(svg(odd_machine()))
    shown = [title.split("\n")[0] for title in titles(root, "fp-state")]
    assert sorted(shown) == sorted(map(visible, ODD_NAMES))
    allowed = {
        "class",
        "x",
        "y",
        "width",
        "height",
        "rx",
        "fill",
        "stroke",
        "stroke-width",
        "d",
        "points",
        "cx",
        "cy",
        "r",
    }
    allowed |= {"viewBox", "role", "aria-label", "font-family", "font-size", "font-weight", "text-anchor"}
    allowed |= {"textLength", "lengthAdjust", "data-of"}
    assert {name for element in root.iter() for name in element.attrib} <= allowed


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.text(alphabet=st.characters(), max_size=30), min_size=2, max_size=2, unique=True), st.text(max_size=9)
)
def test_any_text_may_be_a_name(names: list[str], symbol: str) -> None:
    model = replace(machine(names, [(names[0], symbol, symbol, names[1])]), name=symbol)
    root = parsed(svg(model))
    assert [title.split("\n")[0] for title in titles(root, "fp-state")] == [visible(name) for name in names]


def test_what_is_highlighted_is_marked() -> None:
    model = read_model(REFERENCE / "brake/brake.yaml")
    root = parsed(svg(model, highlight=Highlight(states={"s2"}, transitions={2})))
    assert titles(root, ["fp-state", "fp-marked"][1]) == ["s0 → s2\nx > vmax / y == B2 + (x - vmax) / c"] + [
        t for t in titles(root, "fp-state") if t.startswith("s2")
    ]
    assert not groups(parsed(svg(model)), "fp-marked")


def test_choice_points_and_states_look_different() -> None:
    root = parsed(svg(read_model(REFERENCE / "state-machine/figure1.yaml")))
    (choice,) = groups(root, "fp-choice")
    assert choice.find(f"{SVG}polygon") is not None and choice.find(f"{SVG}rect") is None
    assert all(state.find(f"{SVG}rect") is not None for state in groups(root, "fp-state"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_model_gives_the_same_bytes_in_every_process(ending: str, tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from fullproof.formats import read_model; from fullproof.report.diagram import *;"
        "draw(read_model(pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]),"
        " highlight=Highlight(states={'PIN0', 'auth0', 'init'}, transitions={0, 3, 4, 8}))"
    )
    contents = []
    for seed in ("1", "2"):
        target = tmp_path / f"{seed}{ending}"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", script, str(CARD_READER), str(target)], check=True, env=environment)
        contents.append(target.read_bytes())
    assert contents[0] == contents[1] and contents[0]


def test_png_is_an_opaque_image_of_reasonable_size(tmp_path: Path) -> None:
    try:
        draw(odd_machine(), tmp_path / "odd.png")
    except UserError as error:
        if "no font is installed" in error.message:
            pytest.skip("no font is installed on this machine")
        raise
    data = (tmp_path / "odd.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    assert 100 < width < 16_001 and 100 < height < 16_001 and width * height < 25e6
    assert (depth, colour) in {(8, 2), (8, 6)}
    chunks, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunks += data[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    # In the first row every filter leaves the first pixel as it is.
    assert set(zlib.decompress(chunks)[1 : 4 if colour == 2 else 5]) == {255}


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig")
def test_without_any_font_a_png_is_refused_and_an_svg_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig><dir>/nowhere</dir></fontconfig>")
    expected = svg(read_model(CARD_READER))
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    with pytest.raises(UserError, match=r"no font is installed.*\.svg"):
        draw(read_model(CARD_READER), tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()
    assert svg(read_model(CARD_READER)) == expected


def test_dot_is_read_by_graphviz_with_every_name_as_it_is(tmp_path: Path) -> None:
    draw(odd_machine(), tmp_path / "odd.dot")
    graph = pygraphviz.AGraph(str(tmp_path / "odd.dot"))
    assert graph.number_of_nodes() == len(ODD_NAMES) + 1
    assert graph.number_of_edges() == len(ODD_NAMES) + 1
    assert graph.successors("__start0") == ["n0"]
    assert graph.get_node("n0").attr["label"] == "<script>alert(1)</script>"
    assert graph.get_node("n1").attr["label"] == '"quo\\\\te"'
    assert graph.get_node("n9").attr["label"] == "&amp;amp; \\\\N \\\\l \\\\"


def test_dot_merges_parallel_transitions_and_marks_the_start(tmp_path: Path) -> None:
    steps = [("p", "a", "0", "q"), ("p", "b", "0", "q"), ("p", "c", "1", "q"), ("q", "a", "0", "q")]
    draw(machine(["p", "q"], steps), tmp_path / "m.dot", highlight=Highlight(states={"q"}, transitions={2}))
    graph = pygraphviz.AGraph(str(tmp_path / "m.dot"))
    assert sorted(graph.edges()) == [("__start0", "n0"), ("n0", "n1"), ("n1", "n1")]
    assert graph.get_edge("n0", "n1").attr["label"] == "c / 1\\la, b / 0\\l"
    assert graph.get_edge("n1", "n1").attr["label"] == "↻ a / 0\\l"
    assert graph.get_node("n1").attr["color"] == LIGHT.accent == graph.get_edge("n0", "n1").attr["color"]


def test_mermaid_is_the_one_of_the_formats(tmp_path: Path) -> None:
    draw(read_model(CARD_READER), tmp_path / "m.mmd")
    text = (tmp_path / "m.mmd").read_text(encoding="utf-8")
    assert "stateDiagram-v2" in text and "[*] --> init" in text


def test_sources_know_no_size_where_pictures_do(tmp_path: Path) -> None:
    huge = web(1300, 1)
    for ending in (".svg", ".png"):
        with pytest.raises(UserError, match=r"1300 states .* too many .*\.dot") as error:
            draw(huge, tmp_path / f"huge{ending}")
        assert error.value.at.file == str(tmp_path / f"huge{ending}")
    for ending in (".dot", ".mmd"):
        draw(huge, tmp_path / f"huge{ending}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["huge.dot", "huge.mmd"]


@pytest.mark.parametrize(("name", "message"), [("a.gif", "unknown ending '.gif'.*expected one of"), ("a", "ending ''")])
def test_an_unknown_ending_is_the_users_mistake(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        draw(machine(["s"], []), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        draw(machine(["s"], []), tmp_path / "nowhere" / "a.svg")


def test_the_ending_may_be_in_capitals(tmp_path: Path) -> None:
    draw(machine(["s"], []), tmp_path / "A.SVG")
    assert titles(parsed((tmp_path / "A.SVG").read_text(encoding="utf-8")), "fp-state") == ["s"]
