"""A browser for the tests of a file that ask for one."""

from collections.abc import Iterator

import pytest
from tests.execute.browser_site import Site

from fullproof.execute.adapters.browser_process import Chromium, find_browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    browser = Chromium(find_browser())
    browser.start()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def site(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return Site(chromium, tmp_path_factory.mktemp("site"))
