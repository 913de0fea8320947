"""Cost (inputs plus resets) and time of suites against the number of regions: the product beside the sum.

    python -m benchmarks.regions [MOST_REGIONS]

Regions count in a circle of five states, each by two signals of its own.
"""

from __future__ import annotations

import sys
import time

from tests.strategies.regions import counting_regions

from fullproof.artefacts.request import SuiteRequest
from fullproof.core.errors import NOWHERE
from fullproof.formats import read_model_text
from fullproof.kinds.statemachine.suite import suite_for
from fullproof.model import StateMachine

PRODUCT, PAIRS = 4, 4
"""The most regions for which the product, and all pairs, are built here."""


def measured(count: int, regions: str) -> str:
    """Cost and seconds of one suite."""
    model = read_model_text(counting_regions(count), "regions.yaml")
    assert isinstance(model, StateMachine)
    begin = time.process_time()
    tests, inputs = suite_for(model, SuiteRequest(regions=regions), "", NOWHERE).size()
    return f"{tests + inputs:,} ({time.process_time() - begin:.1f} s)"


def main() -> None:
    """Print one row for each number of regions."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    print("| regions of 5 states | product states | all together | pairs (T = 2) | single (T = 1) |")
    print("|---|---|---|---|---|")
    for count in range(2, most + 1):
        whole = measured(count, "all") if count <= PRODUCT else "-"
        pairs = measured(count, "2") if 2 < count <= PAIRS else "-"
        print(f"| {count} | {5**count:,} | {whole} | {pairs} | {measured(count, '1')} |", flush=True)


if __name__ == "__main__":
    main()
