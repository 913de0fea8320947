"""Every kernel twice: as installed (compiled where a C compiler was there) and from its source."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest
from tests.oracles.all_kernels import KERNELS, FromSource

WAYS = ("compiled", "source")


def kernel(name: str, way: str, *, room: str = "analysis") -> ModuleType:
    """Load ``fullproof.<room>.kernels.<name>``; skips the test where nothing is compiled."""
    module = f"fullproof.{room}.kernels.{name}"
    installed = importlib.import_module(module)
    compiled = any(Path(str(installed.__file__)).name.endswith(suffix) for suffix in EXTENSION_SUFFIXES)
    if way == "compiled":
        if not compiled:
            pytest.skip(f"kernel {name} is not compiled here")
        return installed
    with kernels_from_source():
        return importlib.import_module(module)


@contextmanager
def kernels_from_source() -> Iterator[None]:
    """Kernels that are imported meanwhile, and those that they extend, come from their sources."""
    finder = FromSource()
    before = {name: sys.modules.pop(name) for name in KERNELS if name in sys.modules}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in KERNELS:
            sys.modules.pop(name, None)
        sys.modules.update(before)
