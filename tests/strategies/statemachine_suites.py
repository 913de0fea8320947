"""Random words as a suite file, for tests that must not depend on how suites are generated."""

import json
import random
from pathlib import Path

from fullproof.analysis.machine_pairs.random_words import walks
from fullproof.artefacts.suite import json_input, make_test
from fullproof.formats import model_sha256, read_model


def write_suite(path: Path, model: Path, *, count: int = 60) -> Path:
    """Write words that take a model everywhere, the same ones each time."""
    words = walks(read_model(model), random.Random(7))[:count]
    tests = [make_test(word) for word in words]
    header = {
        "fullproof": "suite/1", "model": model.stem, "model_sha256": model_sha256(model), "kind": "statemachine",
        "relation": "equivalence", "method": "random", "extra_states": 0, "tool": "0", "guarantee": "None.",
    }  # fmt: skip
    lines = [{"id": t.id, "inputs": [json_input(i) for i in t.inputs], "covers": []} for t in tests]
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)))
    return path
