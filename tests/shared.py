"""Other people's machines, read from a folder beside the project where it is there."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "tests" / "data" / "reference"
SHARED = ROOT.parent / "shared"

CHARTS = SHARED / "charts" / "scion"
needs_shared_charts = pytest.mark.skipif(
    not CHARTS.is_dir(), reason="the published charts (../shared/charts) are not here"
)
needs_shared_models = pytest.mark.skipif(
    not (SHARED / "models").is_dir(), reason="the published machines (../shared/models) are not here"
)
