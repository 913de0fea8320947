"""A failing test as a stand-alone script: it drives the system and shows where it fails."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fullproof.artefacts.guarantee import no_guarantee
from fullproof.artefacts.guarantee_json import guarantee_fields
from fullproof.artefacts.suite import TestInput, id_of, json_input

_OWN_ID = re.compile("t-[0-9a-f]{1,64}")
"""The ids that fullproof makes. Any other id is untrusted data: it may contain ``../``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The data of a script: the inputs up to the step that failed, and the allowed and observed outputs there."""

    test: str
    model: str
    model_file: str
    kind: str
    sut: str
    inputs: Sequence[TestInput]
    allowed: str
    observed: str
    reason: str


_HEAD = '''#!/usr/bin/env python3
"""{title}

Run it where the test was run: paths are as they were given there. Needs nothing but Python{needs}.
"""

{imports}

INPUTS = {inputs}
ALLOWED_AT_THE_END = {allowed}
OBSERVED_AT_THE_END = {observed}
'''

_TAIL = """
output = None
for number, symbol in enumerate(INPUTS, 1):
    output = step(symbol)
    print(f"{number:4}  {symbol}  ->  {output}")
print("allowed: ", ALLOWED_AT_THE_END)
print("observed:", OBSERVED_AT_THE_END, "(in the run that failed)")
"""

_LINES = '''

def ask(message):
    """One line of JSON for another."""
    writer.write(json.dumps(message) + "\\n")
    writer.flush()
    return json.loads(reader.readline())


ask({"reset": True})


def step(symbol):
    return ask({"input": symbol})["output"]

'''


def script_name(failure: Failure) -> str:
    """The file in the report folder: the id of the test where it is one of ours, else a hash of it."""
    name = failure.test if _OWN_ID.fullmatch(failure.test) else f"other{id_of(failure.test)[1:]}"
    return f"reproduce-{name}.{'sh' if _needs_us(failure) else 'py'}"


def script(failure: Failure) -> str:
    """The script: Python where the standard library suffices to reach the system, else a shell script that calls
    fullproof.
    """
    if _needs_us(failure):
        return _shell(failure)
    scheme, _, rest = failure.sut.partition(":")
    imports, body = {"python": _python, "exec": _exec, "tcp": _tcp}[scheme](rest, failure)
    head = _HEAD.format(
        title=_title(failure),
        needs=" and the system" if scheme != "python" else "",
        imports="\n".join(f"import {name}" for name in imports),
        inputs=_literal([json_input(symbol) for symbol in failure.inputs]),
        allowed=_literal(failure.allowed),
        observed=_literal(failure.observed),
    )
    return head + body + _TAIL


def _needs_us(failure: Failure) -> bool:
    scheme = failure.sut.partition(":")[0]
    return scheme not in ("python", "exec", "tcp") or failure.kind not in ("fsm", "sfsm")


def _title(failure: Failure) -> str:
    text = f"Test {failure.test} of {failure.model}: {failure.reason}"
    return " ".join(text.split()).replace("\\", "/").replace('"""', "'''")


def _literal(value: object) -> str:
    """A Python literal on one line: JSON without true, false and null, which these values do not need."""
    return repr(value)


def _python(rest: str, failure: Failure) -> tuple[tuple[str, ...], str]:
    source, _, name = rest.rpartition(":")
    call = "system.step(**numbers(symbol))" if failure.kind == "sfsm" else "system.step(symbol)"
    if source.endswith(".py") or "/" in source:
        load = (
            f"PATH = pathlib.Path({source!r})\n"
            "sys.path.insert(0, str(PATH.resolve().parent))\n"
            'spec = importlib.util.spec_from_file_location("system_under_test", PATH)\n'
            "module = importlib.util.module_from_spec(spec)\n"
            "sys.modules[spec.name] = module\n"
            "spec.loader.exec_module(module)\n"
        )
        imports: tuple[str, ...] = ("importlib.util", "pathlib", "sys")
    else:
        load = f'sys.path.insert(0, "")\nmodule = importlib.import_module({source!r})\n'
        imports = ("importlib", "sys")
    numbers = (
        '\n\ndef numbers(values):\n    """Fractions are written as texts such as 20/3."""\n'
        "    return {k: fractions.Fraction(v) if isinstance(v, str) and '/' in v else v for k, v in values.items()}\n"
    )
    body = f"\n{load}system = module.{name}()\nif hasattr(system, 'reset'):\n    system.reset()\n"
    if failure.kind == "sfsm":
        imports, body = ("fractions", *imports), body + numbers
    return imports, body + f"\n\ndef step(symbol):\n    return {call}\n\n"


def _exec(rest: str, _failure: Failure) -> tuple[tuple[str, ...], str]:
    start = (
        f"process = subprocess.Popen(shlex.split({rest!r}), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\n"
        "writer, reader = process.stdin, process.stdout\n"
    )
    return ("json", "shlex", "subprocess"), "\n" + start + _LINES


def _tcp(rest: str, _failure: Failure) -> tuple[tuple[str, ...], str]:
    host, _, port = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    start = (
        f"connection = socket.create_connection(({host!r}, {int(port)}))\n"
        'reader, writer = connection.makefile("r"), connection.makefile("w")\n'
    )
    return ("json", "socket"), "\n" + start + _LINES


def _shell(failure: Failure) -> str:
    header = {
        "fullproof": "suite/1", "model": failure.model, "model_sha256": "", "kind": failure.kind,
        "relation": "quasi-reduction", "method": "reproduction", "extra_states": 0, "tool": "",
        **guarantee_fields(no_guarantee("one test")),
    }  # fmt: skip
    test = {"id": failure.test, "inputs": [json_input(symbol) for symbol in failure.inputs]}
    lines = "\n".join(json.dumps(line) for line in (header, test))
    model, sut = shlex.quote(str(Path(failure.model_file))), shlex.quote(failure.sut)
    return (
        "#!/bin/sh\n"
        f"# {_title(failure)}\n"
        "# Run it where the test was run: paths are as they were given there.\n"
        "suite=$(mktemp) && trap 'rm -f \"$suite\"' EXIT\n"
        f"cat > \"$suite\" <<'END'\n{lines}\nEND\n"
        f'fullproof run {model} --sut {sut} --suite "$suite"\n'
    )
