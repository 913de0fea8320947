"""Run every benchmark, or those named on the command line, with the words after the names as their arguments."""

from __future__ import annotations

import ast
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """The modules that are run by themselves, in alphabetical order, with what they say of themselves."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("[a-z]*.py"))}
    return {
        name: (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
        for name, text in texts.items()
        if '__name__ == "__main__"' in text
    }


def main(words: list[str]) -> int:
    """Run each as ``python -m benchmarks.NAME``, in a process of its own, so that none sees what another one left."""
    known = benchmarks()
    names = list(takewhile(known.__contains__, words))
    given = words[len(names) :]
    if given and not names:
        print(f"no benchmark is called {given[0]}; there are {', '.join(known)}", file=sys.stderr)
        return 4
    failed = []
    for name in names or known:
        print(f"\n== {name}: {known[name]}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *given], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
