"""``python -m fullproof``: the same as the command, which does not look for modules in the working directory."""

from __future__ import annotations

import os
import sys

if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109 - pathlib is heavy
    del sys.path[0]

from fullproof.cli import main

main()
