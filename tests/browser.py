"""Whether there is a browser to run tests in, and why not."""

import importlib.util

import pytest

from fullproof.core.errors import UserError
from fullproof.execute.adapters.browser_process import find_browser


def _reason() -> str:
    if importlib.util.find_spec("playwright") is None:
        return "the package playwright is not installed"
    try:
        find_browser()
    except UserError as error:
        return error.message
    return ""


needs_browser = pytest.mark.skipif(bool(_reason()), reason=_reason() or "there is a browser")
