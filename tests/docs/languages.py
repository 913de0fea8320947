"""What a test does with a block of each language; a block in a language that is not here cannot be in a document.

Text is for what cannot be executed, and says so. All else runs, compiles, or is read by what reads it in earnest.
"""

import configparser
import doctest
import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests.docs.fences import Fence
from tests.docs.transcripts import Desk, plain
from tests.shared import ROOT

from fullproof.artefacts.finding import Severity
from fullproof.check import check
from fullproof.execute.adapters.browser_mapping import read_browser_mapping
from fullproof.execute.adapters.fmu_sut import KEYS as FMU_KEYS
from fullproof.execute.adapters.http_mapping import read_http_mapping
from fullproof.execute.adapters.lib_signature import parse_signature
from fullproof.execute.adapters.protocol.mapping import ProtocolVocabulary, read_protocol_mapping
from fullproof.execute.recorded_log import read_log_mapping
from fullproof.formats import read_model
from fullproof.formats.document.keys import KEYS
from fullproof.formats.document.named_faults import read_faults_file
from fullproof.language.durations import duration_of
from fullproof.language.parser import parse_formula
from fullproof.model import Fsm
from fullproof.model.fsm import FsmTransition

Names = dict[str, Any]
"""What the Python blocks of a page have defined so far."""


def execute(fence: Fence, desk: Desk, names: Names) -> None:
    """Do with a block what its language asks for; an AssertionError where it does not do what it should."""
    desk.put(fence)
    LANGUAGES[fence.language](fence, desk, names)


def _file(fence: Fence, desk: Desk, ending: str) -> Path:
    """The file that a block is, or one for a block that is none."""
    path = desk.folder / (fence.title or f"block{ending}")
    if fence.title is None:
        path.write_text(fence.text, encoding="utf-8")
    return path


def _console(fence: Fence, desk: Desk, names: Names) -> None:
    for command, expected, seen in desk.executed(fence.text):
        assert plain(seen) == plain(expected), command


def _python(fence: Fence, desk: Desk, names: Names) -> None:
    """A file is for the commands that follow; other code runs, one block after the other."""
    code = compile(fence.text, fence.title or f"<line {fence.line}>", "exec")
    if fence.title is None:
        exec(code, names)


def _pycon(fence: Fence, desk: Desk, names: Names) -> None:
    told: list[str] = []
    session = doctest.DocTestParser().get_doctest(fence.text, names, "page", None, fence.line)
    assert session.examples
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    assert runner.run(session, out=told.append, clear_globs=False).failed == 0, "".join(told)
    names.update(session.globs)


def _shell(fence: Fence, desk: Desk, names: Names) -> None:
    """Commands whose output is of no interest: all succeed. What installs or builds is only looked at."""
    for line in fence.text.splitlines():
        words = shlex.split(line, comments=True)
        if not words or words[:2] == ["pip", "install"]:
            continue
        if words[0] == "make":
            targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert set(words[1:]) <= set(targets), line
            continue
        done = desk.run(words)
        assert done.returncode == 0, f"{line}: {done.stderr}{done.stdout}"


def _yaml(fence: Fence, desk: Desk, names: Names) -> None:
    from ruamel.yaml import YAML

    tree = YAML(typ="safe", pure=True).load(fence.text)
    assert isinstance(tree, dict)
    path = _file(fence, desk, ".yaml")
    if "machine" in tree:
        _model(path)
    elif "jobs" in tree or any("script" in job for job in tree.values() if isinstance(job, dict)):
        _workflow(tree, desk)
    elif "start" in tree or "address" in tree or "device" in tree:
        _protocol(path, tree)
    elif "functions" in tree:
        assert [parse_signature(text, handles=True) for text in tree["functions"]]
    elif "library" in tree:
        assert parse_signature(str(tree["reset"])) and parse_signature(str(tree["step"]))
    elif "fmu" in tree:
        assert set(tree) <= set(FMU_KEYS) and duration_of(tree["step"], {})
    elif "page" in tree or "url" in tree:
        _mapping(path, tree)
    elif "input" in tree and "output" in tree:
        assert read_log_mapping(path).input
    elif "faults" in tree:
        assert read_faults_file(path).names
    else:
        _part_of_a_model(tree)


def _json(fence: Fence, desk: Desk, names: Names) -> None:
    tree = json.loads(fence.text)
    if "machine" in tree:
        _model(_file(fence, desk, ".json"))


def _in_another_format(ending: str) -> Callable[[Fence, Desk, Names], None]:
    def read(fence: Fence, desk: Desk, names: Names) -> None:
        _model(_file(fence, desk, ending))

    return read


def _protocol(path: Path, tree: Names) -> None:
    """A mapping file of tcp:, exec: or serial:, for a machine with the inputs that it names."""
    scheme = "tcp" if "address" in tree else "serial" if "device" in tree else "exec"
    sessions = [f"{session}." for session in tree.get("sessions", [])] or [""]
    inputs = tuple(f"{sessions[0]}{symbol}" for symbol in tree.get("inputs", {}))
    assert read_protocol_mapping(path, scheme, ProtocolVocabulary(inputs or None, ("x",))).moves or not inputs


def _model(path: Path) -> None:
    """What stands in a document as a model is one, without errors."""
    errors = [finding for finding in check(read_model(path)).findings if finding.severity is Severity.ERROR]
    assert not errors


def _workflow(tree: dict[str, Any], desk: Desk) -> None:
    """A CI server's file: the commands in it that are not about setting up succeed here, too."""
    jobs = tree.get("jobs", tree).values()
    lines = [line for job in jobs for step in job.get("steps", ()) for line in step.get("run", "").splitlines()]
    lines += [line for job in jobs for line in job.get("script", ())]
    ours = [line for line in lines if line.startswith(("fullproof ", "cmp ", "pytest"))]
    assert ours
    for line in ours:
        done = desk.run(shlex.split(line))
        assert done.returncode == 0, f"{line}: {done.stderr}{done.stdout}"


def _mapping(path: Path, tree: dict[str, Any]) -> None:
    """How a page or a server is used; the model is what the mapping itself speaks of."""
    symbols = (*tree.get("inputs", {}), "other")
    loops = tuple(FsmTransition("s", symbol, "ok", "s") for symbol in symbols)
    model = Fsm(name="m", initial="s", states=("s",), inputs=symbols, outputs=("ok",), transitions=loops)
    if "page" in tree:
        (path.parent / str(tree["page"])).touch()
        assert read_browser_mapping(path, model.interface).inputs
    else:
        assert read_http_mapping(path, model.interface).url


def _part_of_a_model(tree: dict[str, Any]) -> None:
    known = {key for keys in KEYS.values() for key in keys}
    assert tree and set(tree) <= known
    for formula in tree.get("properties", {}).values():
        parse_formula(str(formula))
    assert set(tree.get("fault_domain", {})) <= {"extra_states", "guards", "outputs", "degree", "paving"}


def _toml(fence: Fence, desk: Desk, names: Names) -> None:
    assert tomllib.loads(fence.text)


def _ini(fence: Fence, desk: Desk, names: Names) -> None:
    reader = configparser.ConfigParser()
    reader.read_string(fence.text)
    assert reader.sections()


def _c(fence: Fence, desk: Desk, names: Names) -> None:
    path = _file(fence, desk, ".c")
    done = desk.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(path)])
    assert done.returncode == 0, done.stderr


def _js(fence: Fence, desk: Desk, names: Names) -> None:
    path = _file(fence, desk, ".js")
    if shutil.which("node") is not None:
        done = desk.run(["node", "--check", str(path)])
        assert done.returncode == 0, done.stderr


def _html(fence: Fence, desk: Desk, names: Names) -> None:
    """Every element that is opened is closed, in the right order."""
    stack: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag not in ("meta", "link", "input", "br", "img", "hr"):
                stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert stack.pop() == tag

    Reader().feed(fence.text)
    assert not stack


def _text(fence: Fence, desk: Desk, names: Names) -> None:
    """Not executed, on purpose."""


LANGUAGES: dict[str, Callable[[Fence, Desk, Names], None]] = {
    "console": _console,
    "python": _python,
    "pycon": _pycon,
    "sh": _shell,
    "yaml": _yaml,
    "json": _json,
    "toml": _toml,
    "ini": _ini,
    "c": _c,
    "js": _js,
    "html": _html,
    "xml": _in_another_format(".scxml"),
    "mermaid": _in_another_format(".mmd"),
    "text": _text,
}
