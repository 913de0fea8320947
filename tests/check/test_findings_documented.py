"""Every rule has its line in docs/findings.md, and no line is left over."""

import re

from tests.shared import ROOT

RULE = re.compile(r'(?:(?:error|warning|note|unused)\(|rule=)\s*"([a-z]+(?:-[a-z]+)*)"')


def test_every_rule_is_documented():
    sources = (ROOT / "src" / "fullproof" / "check").rglob("*.py")
    rules = {rule for path in sources for rule in RULE.findall(path.read_text(encoding="utf-8"))}
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    documented = {rule for row in rows for rule in re.findall(r"`([a-z-]+)`", row)}
    fields = {"deterministic", "complete", "observable", "minimal", "connected"}
    assert len(rules) > 25
    assert documented - fields == rules
