"""Every kernel twice: as installed (compiled where a C compiler was there) and from its source."""

import importlib
import importlib.util
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

WAYS = ("compiled", "source")


def kernel(name: str, way: str, *, room: str = "analysis") -> ModuleType:
    """Load ``fullproof.<room>.kernels.<name>``; skips the test where nothing is compiled."""
    installed = importlib.import_module(f"fullproof.{room}.kernels.{name}")
    path = Path(str(installed.__file__))
    compiled = any(path.name.endswith(suffix) for suffix in EXTENSION_SUFFIXES)
    if way == "compiled":
        if not compiled:
            pytest.skip(f"kernel {name} is not compiled here")
        return installed
    source = path.parent / f"{name.rpartition('.')[2]}.py"
    spec = importlib.util.spec_from_file_location(f"uncompiled_{name}", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
