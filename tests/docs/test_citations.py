"""A paper is cited by the same authors everywhere."""

import re
from pathlib import Path

from fullproof.generate.symbolic.guarantee import ABSTRACTION

ROOT = Path(__file__).parents[2]
PLACES = ("src/fullproof", "docs", "examples", "README.md")
NAMES = re.compile(r"((?:\w+(?:,| and) )*)Krafczyk(?:,| and) Peleska")


def _texts() -> list[Path]:
    found = [ROOT / place for place in PLACES if (ROOT / place).is_file()]
    for place in PLACES:
        found += [path for path in (ROOT / place).rglob("*") if path.suffix in (".py", ".md", ".yaml")]
    return found


def test_the_papers_on_symbolic_machines_have_three_authors() -> None:
    texts = ((path, " ".join(path.read_text(encoding="utf-8").split())) for path in _texts())
    cited = [(path, match) for path, text in texts for match in NAMES.finditer(text)]
    assert len(cited) > 10
    wrong = [f"{path.relative_to(ROOT)}: {match[0]}" for path, match in cited if not match[1].endswith("Huang, ")]
    assert not wrong
    assert ABSTRACTION == "Huang, Krafczyk and Peleska 2021"
