"""``python -m fullproof``: the same as the command."""

from __future__ import annotations

from fullproof.cli import main

main()
