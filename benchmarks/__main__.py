"""Run every benchmark, or those named on the command line."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks


def main() -> None:
    """Run the benchmark modules in alphabetical order."""
    names = sys.argv[1:] or sorted(m.name for m in pkgutil.iter_modules(benchmarks.__path__) if m.name[0] != "_")
    for name in names:
        module = importlib.import_module(f"benchmarks.{name}")
        if hasattr(module, "main"):
            print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
            module.main()


main()
