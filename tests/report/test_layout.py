"""Where things stand: nothing hides anything, arrows end at their states, time is limited."""

import os
import signal
import subprocess
import sys
import time
from itertools import combinations

import pytest
from tests.report.machines import chain, machine, odd_machine, web
from tests.shared import REFERENCE, SHARED, needs_shared_models

from fullproof.core.errors import UserError
from fullproof.formats import read_model
from fullproof.report.drawing import arrange
from fullproof.report.drawing.arrange import Arrangement, arranged
from fullproof.report.drawing.curves import Rectangle
from fullproof.report.drawing.graphviz import TooSlow, drawn, placed
from fullproof.report.drawing.picture import Highlight

SLOW_GRAPH = "digraph {" + " ".join(f"{n} -> {(n * k * 7 + k) % 400};" for n in range(400) for k in range(9)) + "}"


def overlaps(a: Rectangle, b: Rectangle) -> bool:
    return abs(a.x - b.x) < (a.width + b.width) / 2 - 1 and abs(a.y - b.y) < (a.height + b.height) / 2 - 1


def check_sound(arrangement: Arrangement) -> None:
    picture, layout = arrangement.picture, arrangement.layout
    boxes = [*layout.nodes, *(label for label in layout.labels if label)]
    assert not [pair for pair in combinations(boxes, 2) if overlaps(*pair)]
    for box in boxes:
        assert box.x - box.width / 2 >= 0 and box.x + box.width / 2 <= layout.width
        assert box.y - box.height / 2 >= 0 and box.y + box.height / 2 <= layout.height
    for arrow, curve in zip(picture.arrows, layout.curves, strict=True):
        assert len(curve.points) % 3 == 1
        for (x, y), box in ((curve.points[0], layout.nodes[arrow.source]), (curve.tip, layout.nodes[arrow.target])):
            assert abs(x - box.x) <= box.width / 2 + 3 and abs(y - box.y) <= box.height / 2 + 3
            assert not Rectangle(box.x, box.y, box.width / 2, box.height / 2).holds((x, y))


@pytest.mark.parametrize(
    "file",
    [
        "brake/brake.yaml",
        "alarm/alarm.yaml",
        "state-machine/figure1.yaml",
        "brp/brp.yaml",
        "card-reader/card-reader.yaml",
        "m-ex/m-ex.yaml",
        "sts-example/example.yaml",
    ],
)
def test_in_the_models_of_the_papers_nothing_hides_anything(file: str) -> None:
    arrangement = arranged(read_model(REFERENCE / file), Highlight())
    assert arrangement.method == "dot, splines" and not arrangement.note
    check_sound(arrangement)


def test_arrows_in_lanes_keep_their_labels_and_hide_nothing() -> None:
    arrangement = arranged(web(34, 4), Highlight())
    assert arrangement.method == "dot, lanes"
    assert all(arrangement.layout.labels)
    check_sound(arrangement)


def test_large_machines_are_scattered_without_labels_and_say_so() -> None:
    arrangement = arranged(web(300, 3), Highlight())
    assert arrangement.method == "sfdp" and "300 states" in arrangement.note
    assert not any(arrangement.layout.labels)
    check_sound(arrangement)


@needs_shared_models
@pytest.mark.parametrize(
    ("file", "method"),
    [
        ("TLS/OpenSSL_1.0.1l_server_regular.dot", "dot, splines"),
        ("TCP/TCP_Linux_Client.dot", "dot, splines"),
        ("TCP/TCP_Windows8_Server.dot", "dot, lanes"),
        ("ASMLRERS2019/m106.dot", "dot, lanes"),
    ],
)
def test_learned_machines_are_drawn_with_all_their_labels(file: str, method: str) -> None:
    arrangement = arranged(read_model(SHARED / "models/automata-wiki" / file), Highlight())
    assert arrangement.method == method and all(arrangement.layout.labels)
    check_sound(arrangement)


@pytest.mark.parametrize("model", [machine(["alone"], []), machine("abcdef", []), chain(95), odd_machine()])
def test_odd_shapes_can_be_laid_out(model: object) -> None:
    check_sound(arranged(model, Highlight()))  # type: ignore[arg-type]


def test_a_wide_fan_is_not_squeezed_into_rows() -> None:
    fan = machine([f"s{n}" for n in range(200)], [("s0", f"i{n}", "0", f"s{n}") for n in range(1, 200)])
    assert arranged(fan, Highlight()).method == "sfdp"


@pytest.mark.parametrize(("states", "inputs"), [(1300, 1), (900, 8)])
def test_too_large_a_machine_is_refused_at_once_with_advice(states: int, inputs: int) -> None:
    started = time.monotonic()
    with pytest.raises(UserError, match=rf"{states} states .* too many .*\.dot"):
        arranged(web(states, inputs), Highlight())
    assert time.monotonic() - started < 2


def test_a_slow_layout_ends_at_its_time_limit() -> None:
    started = time.monotonic()
    with pytest.raises(TooSlow):
        placed([SLOW_GRAPH], engine="dot", seconds=0.5)
    assert time.monotonic() - started < 5


def test_where_one_way_is_too_slow_a_plainer_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_slow(*_: object, **__: object) -> None:
        raise TooSlow

    monkeypatch.setattr(arrange, "routed", too_slow)
    assert arranged(chain(4), Highlight()).method == "dot, lanes"
    monkeypatch.setattr(arrange, "in_lanes", too_slow)
    assert arranged(chain(4), Highlight()).method == "sfdp"
    monkeypatch.setattr(arrange, "scattered", too_slow)
    with pytest.raises(UserError, match=r"no picture within .* \.dot"):
        arranged(chain(4), Highlight())


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupting_ends_a_layout_at_once() -> None:
    script = (
        "import sys; from fullproof.report.drawing.graphviz import placed; print('ready', flush=True);"
        "placed([sys.stdin.read()], engine='dot', seconds=60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "ready\n"
        process.stdin.write(SLOW_GRAPH)
        process.stdin.close()
        time.sleep(0.5)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) != 0
        assert time.monotonic() - started < 5


def test_a_module_in_the_current_folder_is_never_imported(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('hijacked')")  # type: ignore[operator]
    monkeypatch.chdir(tmp_path)  # type: ignore[arg-type]
    assert drawn(["digraph { a }"], engine="dot", form="json0", seconds=20)[0].startswith(b"{")
