"""What was typed is not lost: closed tabs, texts that another page hands over, and saves that fail."""

from pathlib import Path

from tests.browser import needs_browser
from tests.serve.test_editing import bench, field, folder, typed, visit
from tests.serve.test_pages import Visit, browser

__all__ = ["bench", "browser", "folder", "visit"]
pytestmark = needs_browser


def test_a_draft_outlives_its_tab(visit: Visit) -> None:
    """A closed tab, or a workbench that was started again: what was typed and saved nowhere is offered."""
    page = visit.ready("model")
    page.click(field(page))
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine\n")
    page.wait_for_selector("#unsaved")
    page.close()
    page = visit.page = visit.context.new_page()
    page.goto(f"{visit.bench.origin}/model")
    page.wait_for_selector("body[data-ready]")
    assert not typed(page).startswith("# mine")
    page.select_option("#drafts", index=1)
    page.wait_for_selector("#facts :text('2 states')")
    assert typed(page).startswith("# mine\n") and page.input_value("#name") == "m.yaml" and page.is_visible("#unsaved")
    with page.expect_download():
        page.select_option("#save", "as-is")
    page.close()
    page = visit.page = visit.context.new_page()
    page.goto(f"{visit.bench.origin}/model")
    page.wait_for_selector("body[data-ready]")
    assert page.is_hidden("#drafts-box"), "what was downloaded is no draft"


def test_what_was_typed_in_compare_and_certify_comes_back(visit: Visit) -> None:
    """A survivor and a suite that another page hands over replace it by a change that undo takes back."""
    page = visit.ready("compare")
    box = "#other .cm-content, #other textarea"
    page.click(box)
    page.keyboard.type("# my other model")
    page = visit.ready("certify")
    page.click("#suite .cm-content, #suite textarea")
    page.keyboard.type("coin push")
    page.click("form button[type=submit]")
    page.click("button:text('Compare it')")
    page.wait_for_selector("body[data-page=compare][data-ready]")
    while page.input_value("#name") != "survivor.yaml":
        page.wait_for_timeout(50)
    page.click(box)
    page.keyboard.press("Control+z")
    kept = "JSON.parse(sessionStorage.getItem('fullproof.other')).text"
    assert page.evaluate(kept) == "# my other model"
    page = visit.ready("methods")
    page.wait_for_selector("tr.working", state="detached", timeout=60_000)
    with page.expect_download():
        page.click("tr[data-method=w] button:text('Download')")
    page = visit.ready("certify")
    page.wait_for_function("JSON.parse(sessionStorage.getItem('fullproof.suite')).includes('suite/1')")
    page.click("#suite .cm-content, #suite textarea")
    page.keyboard.press("Control+z")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('fullproof.suite'))") == "coin push"


def test_a_question_that_takes_long_can_be_stopped(visit: Visit) -> None:
    page = visit.ready("certify")
    page.click("#suite .cm-content, #suite textarea")
    page.keyboard.type("coin push")
    page.route("**/api/certify", lambda _: None)  # no answer ever comes
    page.click("form button[type=submit]")
    page.click("#answer button:text('Stop')")
    page.wait_for_selector("#answer:has-text('Stopped.')")
    assert page.locator("#answer .badge").count() == 0
    page.unroute_all(behavior="ignoreErrors")


def test_a_save_that_fails_is_not_silent(visit: Visit, folder: Path) -> None:
    """The look at the text that follows a new name does not take the message away."""
    page = visit.ready("model")
    page.fill("#name", "../outside.yaml")
    page.click("#write")
    page.wait_for_selector("#alert:has-text('not saved')")
    with page.expect_response("**/api/check"):
        page.fill("#name", "../outside2.yaml")
    page.wait_for_timeout(200)
    assert page.is_visible("#alert") and not (folder.parent / "outside.yaml").exists()
    (folder / "inside.yaml").unlink(missing_ok=True)
    page.fill("#name", "inside.yaml")
    page.click("#write")
    page.wait_for_selector("#alert", state="hidden")
    assert (folder / "inside.yaml").is_file()
