"""`make kit`: execute the tests that name a requirement, and write the kit. Exit code 1 where one is not verified."""

import argparse
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from fullproof.core.files import write_text
from qualification.configuration import ROOT, read_configuration
from qualification.evidence import PASSED, read_results
from qualification.kit import GapError, assemble
from qualification.strictdoc import strictdoc_text

STYLE = ROOT / "src/fullproof/report/templates/style.css"
"""The kit looks like the reports."""
ABOUT = (
    "This is material for a qualification, not a qualification: no authority has accepted it. It lists what certify and"
    " judge must do so that a pass may be relied on, the tests that verify it with their results on this machine, what"
    " could make a wrong pass and what detects it, and what the tool cannot do. Who uses the tool argues from it for"
    " their own use, under the standard that binds them."
)


def main() -> int:
    """Write the kit into the folder."""
    parser = argparse.ArgumentParser(prog="python -m qualification", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--results", type=Path, help="take the results from this JUnit file, and execute no test")
    options = parser.parse_args()
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    junit = options.results or execute(folder / "results.xml")
    try:
        kit = assemble(read_results(junit))
    except GapError as gap:
        print(f"kit: {gap}", file=sys.stderr)
        return 1
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    environment.filters["marked_up"] = marked_up
    page = environment.get_template("kit.html.jinja").render(
        kit=kit,
        style=STYLE.read_text("utf-8"),
        about=ABOUT,
        configuration=read_configuration(),
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
    )
    write_text(folder / "kit.html", page)
    write_text(folder / "kit.sdoc", strictdoc_text(kit, ABOUT))
    print(kit.summary)
    print(f"kit: {folder / 'kit.html'}, {folder / 'kit.sdoc'}")
    return 0 if kit.result == PASSED else 1


def marked_up(text: str) -> Markup:
    """Code and emphasis of a text, as in Markdown."""
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", escaped))


def execute(junit: Path) -> Path:
    """Execute the tests that name a requirement; a failing one is a result, not the end."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "3", "-m", "requirement", f"--junitxml={junit}", "tests"]
    subprocess.run(command, cwd=ROOT, check=False)
    return junit


if __name__ == "__main__":
    sys.exit(main())
