"""Pages that are tested in one browser."""

from pathlib import Path

from tests.execute.lamp import LAMP, word

from fullproof.artefacts.execution import Execution
from fullproof.execute import Enabled, Options, execute
from fullproof.execute.adapters.browser_mapping import read_browser_mapping
from fullproof.execute.adapters.browser_process import Chromium
from fullproof.execute.adapters.browser_sut import BrowserSut
from fullproof.model import Model

PATIENT = Options(step_timeout=20.0)
GREY = Options(step_timeout=20.0, enabled=Enabled.REQUIRED)


class Site:
    """Pages in a folder, and systems made of them, all in one browser; one system for each mapping."""

    def __init__(self, chromium: Chromium, folder: Path) -> None:
        self.chromium = chromium
        self.folder = folder
        self._systems: dict[tuple[str, float], BrowserSut] = {}

    def system(self, page: str, mapping: str, *, model: Model = LAMP, step_timeout: float = 20.0) -> BrowserSut:
        (self.folder / "page.html").write_text(page.replace("FAULT", ""))
        (self.folder / "map.yaml").write_text(mapping if "page:" in mapping else f"page: page.html\n{mapping}")
        described = read_browser_mapping(self.folder / "map.yaml", model.interface)
        return BrowserSut(self.chromium, described, model.interface, step_timeout=step_timeout)

    def run(self, page: str, mapping: str, *words: str, options: Options = PATIENT) -> list[Execution]:
        assert options.step_timeout is not None
        key = (mapping, options.step_timeout)
        if key not in self._systems:
            self._systems[key] = self.system(page, mapping, step_timeout=options.step_timeout)
        (self.folder / "page.html").write_text(page.replace("FAULT", ""))
        return list(execute(self._systems[key], map(word, words), options=options))
