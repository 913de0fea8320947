"""A cause is confirmed where a second fault would have been seen, deep in a state machine, too."""

import pytest

from fullproof.artefacts.progress import unheard
from fullproof.artefacts.request import RunRequest
from fullproof.pipeline.runs import run_suite

CODE = "abbabaabab"


def combination(*, silent: str = "", after: str = "open") -> str:
    """A lock that opens after ``CODE``; ``silent``: a wrong key at the beginning says nothing."""
    lines = ["machine: statemachine", "name: combination", "signals: {in: [a, b], out: [opened, wrong]}"]
    lines += ["outputs: {bolt: bool = false}", "initial: s0", "states:"]
    for k, key in enumerate(CODE):
        is_last = k == len(CODE) - 1
        right = "send: [opened], to: open" if is_last else f"to: s{k + 1}"
        wrong = silent if k == 0 and silent else "send: [wrong], to: s0"
        lines += [f"  s{k}:", f"    - {{trigger: {key}, {right}}}"]
        lines += [f"    - {{trigger: {'ab'[key == 'a']}, {wrong}}}"]
    return "\n".join([*lines, "  open:", "    - {trigger: a, to: s0}", f"    - {{trigger: b, to: {after}}}", ""])


@pytest.mark.parametrize(("after", "explanations"), [("open", ("signal wrong not sent on s0 --b--> s0",)), ("s3", ())])
def test_walks_alone_confirm_nothing(tmp_path, after, explanations):
    (tmp_path / "model.yaml").write_text(combination())
    (tmp_path / "system.yaml").write_text(combination(silent="to: s0", after=after))
    request = RunRequest(sut=f"model:{tmp_path / 'system.yaml'}", stop_on_failure=True, shrink_failures=200.0)
    found = run_suite(tmp_path / "model.yaml", request, progress=unheard).record.diagnosis
    assert found.explanations == explanations
    assert found.is_confirmed == bool(explanations)
