"""The program as a process: streams that are closed, full or left, signals, threads that never end."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.processes import PATIENCE, eventually, is_alive
from tests.shared import REFERENCE, ROOT

CARD = REFERENCE / "card-reader" / "card-reader.yaml"
DOOR = ROOT / "src/fullproof/cli/demo_data/model.yaml"
PROGRAM = [sys.executable, "-c", "from fullproof.cli import main; main()"]

TURN = """machine: fsm
name: Drehkreuz ⟳
initial: zu
states:
  zu:
    - {when: münze, then: auf, to: zu}
"""


def shell(line: str, *words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run through a shell, which can close streams; ``"$@"`` stands for the program and its words."""
    command = ["sh", "-c", line, "sh", *PROGRAM, *(str(word) for word in words)]
    return subprocess.run(
        command, capture_output=True, env={**os.environ, **environment}, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_exit_code(closed: str) -> None:
    assert shell(f'"$@" {closed}', "check", DOOR).returncode == 0
    assert shell(f'"$@" {closed}', "check", "missing.yaml").returncode == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [("check", DOOR), ("check", DOOR, "--json"), ("generate", DOOR), ("--help",)])
def test_a_full_disk_behind_standard_output_is_one_line(words: tuple[object, ...]) -> None:
    done = shell('"$@" > /dev/full', *words)
    assert done.returncode == 4
    assert done.stderr.decode().splitlines()[-1] == "fullproof: cannot write: No space left on device"
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_full_disk_is_one_line_after_a_system_was_kept_off_standard_output(form: tuple[str, ...]) -> None:
    done = shell('"$@" > /dev/full', "run", DOOR, "--sut", f"model:{DOOR}", *form)
    assert done.returncode == 4
    assert done.stderr.decode().splitlines()[-1] == "fullproof: cannot write: No space left on device"


def test_a_reader_that_leaves_is_an_interruption_without_words() -> None:
    done = shell('{ "$@"; echo "code $?" >&2; } | head -n 1 > /dev/null', "generate", DOOR, "--method", "w")
    assert done.stderr.decode().splitlines()[-1] in ("code 2", "code 0")  # 0 where all of it fitted into the pipe
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_names_beyond_the_encoding_of_the_terminal(tmp_path: Path) -> None:
    model = tmp_path / "turn.yaml"
    model.write_text(TURN, encoding="utf-8")
    plain = shell('"$@"', "check", model, PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert b"Drehkreuz" in plain.stdout
    fields = json.loads(shell('"$@"', "check", model, "--json", PYTHONIOENCODING="ascii").stdout)
    assert fields["name"] == "Drehkreuz ⟳"
    suite = shell('"$@"', "generate", model, PYTHONIOENCODING="ascii").stdout.decode("utf-8")
    assert "münze" in suite


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_an_interruption(number: signal.Signals) -> None:
    with subprocess.Popen([*PROGRAM, "simulate", str(CARD)], stdin=-1, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"reset": true}\n')
        process.stdin.flush()
        assert '"ready"' in process.stdout.readline()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert errors == "fullproof: interrupted\n"


def test_an_ignored_signal_stays_ignored() -> None:
    done = shell('trap "" HUP; "$@" & sleep 0.5; kill -HUP $!; wait $!', "simulate", CARD)
    assert done.returncode == 0


def test_the_process_of_a_system_dies_with_us(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    system = f"exec:sh -c 'trap \"\" TERM; echo $$ > {note}; while :; do sleep 0.1; done'"
    with subprocess.Popen([*PROGRAM, "run", str(DOOR), "--sut", system], stdout=-1, stderr=-1) as process:
        assert eventually(lambda: note.exists() and note.read_text().strip())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert eventually(lambda: not is_alive(int(note.read_text())))


def test_threads_that_a_system_leaves_behind_do_not_keep_us(tmp_path: Path) -> None:
    (tmp_path / "turn.yaml").write_text(TURN, encoding="utf-8")
    (tmp_path / "turn.py").write_text(
        "import threading, time\n"
        "class Turn:\n"
        "    def __init__(self):\n"
        "        threading.Thread(target=lambda: time.sleep(3600)).start()\n"
        "    def step(self, symbol):\n"
        "        return 'auf'\n"
    )
    done = shell('"$@"', "run", tmp_path / "turn.yaml", "--sut", f"python:{tmp_path}/turn.py:Turn", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["verdict"] == "pass"


def test_a_command_is_expected(fullproof: Shell) -> None:
    ended = fullproof()
    assert ended.code == 4
    assert ended.err == "fullproof: expected a command (see fullproof --help)\n"


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_is_no_model(fullproof: Shell, path: str) -> None:
    ended = fullproof("draw", path)
    assert ended.code == 4
    assert "the file name has no ending" in ended.err


def test_memory_that_is_not_there_is_no_bug(fullproof: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object, **__: object) -> object:
        raise MemoryError

    monkeypatch.setattr("fullproof.pipeline.check_file", greedy)
    ended = fullproof("check", DOOR)
    assert ended.code == 4
    assert ended.err == "fullproof: there is not enough memory for this\n"


@pytest.mark.parametrize("words", [("generate", "-o"), ("run", "--sut", f"model:{DOOR}", "--report")])
def test_what_cannot_be_written_is_said_before_the_work(
    fullproof: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("")
    ended = fullproof(words[0], DOOR, *words[1:], tmp_path / "file" / "below", "--extra-states", 2)
    assert ended.code == 4
    assert ended.err.count("\n") == 1
    assert "cannot" in ended.err


def test_a_system_that_goes_elsewhere_does_not_take_the_report_along(
    fullproof: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "turn.yaml").write_text(TURN, encoding="utf-8")
    (tmp_path / "turn.py").write_text(
        "import os\nclass Turn:\n    def step(self, symbol):\n        os.chdir('/')\n        return 'auf'\n"
    )
    monkeypatch.chdir(tmp_path)
    assert fullproof("run", "turn.yaml", "--sut", "python:turn.py:Turn", "--report", "out").code == 0
    assert (tmp_path / "out" / "report.html").exists()


RUDE = ROOT / "tests/execute/systems/rude.py"
LAMP = """machine: fsm
initial: a
states: {a: [{when: press, then: on, to: a}]}
"""


@pytest.mark.parametrize(
    ("name", "code", "reason"),
    [
        ("Polite", 0, None),
        ("ClosesStreams", 0, None),
        ("LosesStreams", 0, None),
        ("ClosesDescriptors", 0, None),
        ("Chatters", 0, None),
        ("InterruptsAtTheEnd", 0, None),
        ("Interrupts", 1, "raised KeyboardInterrupt"),
        ("Cancels", 1, "raised CancelledError"),
        ("AnswersObject", 1, "answered <object object> (object), expected an output symbol"),
    ],
)
def test_a_rude_system_spoils_nothing_but_its_verdict(tmp_path: Path, name: str, code: int, reason: str | None) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP)
    done = shell('"$@"', "run", tmp_path / "lamp.yaml", "--sut", f"python:{RUDE}:{name}", "--json")
    assert done.returncode == code
    assert done.stdout.count(b"\n") == 1
    failures = json.loads(done.stdout)["failures"]
    assert [failure["reason"].startswith(reason) for failure in failures] == ([] if reason is None else [True])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("InterruptsAtTheBeginning", "InterruptsAtTheBeginning() raised KeyboardInterrupt"),
        ("BrokenProperty", "BrokenProperty.step raised RuntimeError: no step today"),
        ("StepIsNumber", "StepIsNumber.step is not a method but 5"),
    ],
)
def test_a_system_that_cannot_be_opened_is_one_line(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP)
    done = shell('"$@"', "run", tmp_path / "lamp.yaml", "--sut", f"python:{RUDE}:{name}")
    assert done.returncode == 4
    assert done.stdout == b""
    assert done.stderr.decode().endswith(f"{complaint}\n")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("seconds", ["inf", "1e300"])
def test_any_time_limit_will_do(tmp_path: Path, seconds: str) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP)
    script = tmp_path / "play.py"
    script.write_text("from fullproof.cli import main\nmain()\n")
    system = f"exec:{sys.executable} {script} simulate {tmp_path}/lamp.yaml"
    done = shell('"$@"', "run", tmp_path / "lamp.yaml", "--sut", system, "--step-timeout", seconds, "--quiet")
    assert done.returncode == 0


def test_control_characters_never_reach_the_terminal_and_reports_hold_any_answer(
    fullproof: Shell, tmp_path: Path
) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP)
    (tmp_path / "lamp.py").write_text(
        "class Lamp:\n    def step(self, symbol):\n        return '\\ud800\\x00\\x1b[31m' + 'x' * 10_000\n"
    )
    words = ("run", tmp_path / "lamp.yaml", "--sut", f"python:{tmp_path}/lamp.py:Lamp")
    ended = fullproof(*words, "--report", tmp_path / "out")
    assert ended.code == 1
    assert "\x1b" not in ended.out
    assert "\u241b[31m" in ended.out
    assert "(10,007 characters)" in ended.out
    written = {p.name for p in (tmp_path / "out").iterdir()}
    scripts = {name for name in written if name.startswith("reproduce-t-")}
    assert len(scripts) == 1
    assert written - scripts == {
        "failure-1.jsonl",
        "junit.xml",
        "report.html",
        "report.json",
        "run.sqlite",
        "tests.csv",
    }
    failure = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["failures"][0]
    assert failure["observed"].startswith("\ud800\x00\x1b[31m")
    ended = fullproof("check", "\x1b[31m.yaml")
    assert ended.err == "fullproof: \u241b[31m.yaml: no such file\n"


def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    line = f'mkdir "{tmp_path}/gone" && cd "{tmp_path}/gone" && rmdir "{tmp_path}/gone" && "$@"'
    assert shell(line, "run", DOOR, "--sut", f"model:{DOOR}", "--quiet").returncode == 0
    (tmp_path / "lamp.yaml").write_text(LAMP)
    line = line.replace("gone", "gone2")
    assert shell(line, "run", tmp_path / "lamp.yaml", "--sut", f"python:{RUDE}:Polite", "--quiet").returncode == 0
    done = shell(line.replace("gone2", "gone3"), "run", DOOR, "--sut", "python:no_such_module:Polite")
    assert done.returncode == 4
    assert done.stderr.count(b"\n") == 1


def test_a_server_says_where_it_listens() -> None:
    words = [*PROGRAM, "simulate", str(DOOR), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(words, stdout=-1, stderr=-1, text=True) as process:
        assert process.stderr is not None
        address = process.stderr.readline().removeprefix("listening on ").strip()
        done = shell('"$@"', "run", DOOR, "--sut", f"tcp:{address}", "--quiet")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert done.returncode == 0
    assert out == ""
    assert process.returncode == 2


@pytest.mark.parametrize("answer", ["on", "off"])
def test_modules_beside_a_system_hide_none_of_ours(tmp_path: Path, answer: str) -> None:
    (tmp_path / "lamp.yaml").write_text(LAMP)
    hidden = ("html", "csv", "xml", "jinja2", "rich", "textwrap", "base64", "unicodedata", "zlib", "report", "colorsys")
    for name in hidden:
        (tmp_path / f"{name}.py").write_text("mine = True\n")
    (tmp_path / "lamp.py").write_text(
        f"import html\nclass Lamp:\n    def step(self, symbol):\n        import colorsys\n        return {answer!r}\n"
    )
    words = ("run", tmp_path / "lamp.yaml", "--sut", f"python:{tmp_path}/lamp.py:Lamp", "--report", tmp_path / "out")
    done = shell('"$@"', *words)
    assert done.returncode == (0 if answer == "on" else 1), done.stderr.decode()
    assert (tmp_path / "out" / "report.html").exists()


def test_a_spinner_on_the_terminal_leaves_standard_output_alone(tmp_path: Path) -> None:
    import pty

    master, slave = pty.openpty()
    with (tmp_path / "suite.jsonl").open("wb") as out:
        code = subprocess.run([*PROGRAM, "generate", str(DOOR)], stdout=out, stderr=slave, check=False).returncode
    os.close(slave)
    assert code == 0
    shown = os.read(master, 100_000).decode()
    os.close(master)
    plain = shell('"$@" 2> /dev/null', "generate", DOOR)
    assert (tmp_path / "suite.jsonl").read_bytes() == plain.stdout
    assert plain.stdout.count(b"\n") > 3
    assert '"inputs"' not in shown
    assert "generating" in shown
