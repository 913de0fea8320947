"""Blocks that are wrong are found out, in every language: what executes the documents can say no."""

import shutil
from pathlib import Path

import pytest
from tests.docs.fences import Fence, fences
from tests.docs.languages import LANGUAGES, execute
from tests.docs.transcripts import Desk, refreshed

WRONG = {
    "console": "$ echo hello\nbye\n",
    "python": "assert 1 + 1 == 3\n",
    "pycon": ">>> 1 + 1\n3\n",
    "sh": "false\n",
    "yaml": "machine: fsm\ninitial: a\nstates: {a: [{when: x, then: y, to: nowhere}]}\n",
    "json": '{"machine": "fsm"}',
    "toml": "a =\n",
    "ini": "a\n",
    "c": "int f(void) { return x; }\n",
    "js": "let = ;\n",
    "html": "<p><b></p>\n",
    "xml": '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a"></scxml>\n',
    "mermaid": "stateDiagram-v2\n    a -->\n",
}


def test_all_languages_that_are_executed_are_tried() -> None:
    assert {*WRONG, "text"} == set(LANGUAGES)


@pytest.mark.parametrize("language", WRONG)
def test_a_wrong_block_is_found_out(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (tool := {"c": "cc", "js": "node"}.get(language)) and shutil.which(tool) is None:
        pytest.skip(f"there is no {tool}")
    monkeypatch.chdir(tmp_path)
    with Desk(tmp_path) as desk, pytest.raises(Exception):  # noqa: B017 - each reader has its own
        execute(Fence(language=language, title=None, text=WRONG[language], line=1), desk, {})


@pytest.mark.parametrize(
    "text",
    [
        "machine: sfsm\ninputs: {x: int 0..5}\noutputs: {y: int}\ninitial: s\n"
        "states: {s: [{when: x > 9, then: y == 1, to: s}]}\n",
        "url: http://127.0.0.1\nstep: STEP /x\n",
        "library: ./a.so\nreset: void reset(void)\nstep: struct s step(double x)\n",
        "jobs: {a: {steps: [{run: fullproof check nothing.yaml}]}}\n",
        "properties: {R1: G(x >}\n",
        "inptus: [a]\n",
    ],
)
def test_wrong_models_mappings_and_workflows_are_found_out(text: str, tmp_path: Path) -> None:
    with Desk(tmp_path) as desk, pytest.raises(Exception):  # noqa: B017 - each reader has its own
        execute(Fence(language="yaml", title=None, text=text, line=1), desk, {})


def test_files_backgrounds_and_indentation(tmp_path: Path) -> None:
    """A page is refreshed as it is tested: files first, a process in the background, blocks inside of other things."""
    page = (
        '```python title="serve.py"\nimport time\nprint("ready", flush=True)\ntime.sleep(600)\n```\n'
        "- item\n\n    ```console\n    $ python3 serve.py &\n    ready\n    $ echo hello\n    bye\n    ```\n"
    )
    assert refreshed(page) == page.replace("bye", "hello")
    path = tmp_path / "page.md"
    path.write_text(page)
    assert [(fence.language, fence.title, fence.line) for fence in fences(path)] == [
        ("python", "serve.py", 1),
        ("console", None, 8),
    ]
