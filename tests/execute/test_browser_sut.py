"""Real pages in a real browser, good and bad."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.browser import needs_browser
from tests.execute.browser_site import GREY, PATIENT, Site
from tests.execute.lamp import LAMP, outputs, word

from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.execute.adapters.browser_process import Chromium, find_browser
from fullproof.kinds.systems import open_sut

pytestmark = needs_browser
QUICK = Options(step_timeout=2.0)
LAMP_PAGE = """<!doctype html><meta charset="utf-8"><title>Lamp</title>
<button id="press">press</button> <button id="look">look</button> <output id="out"></output>
<script>
let bright = false, presses = 0;
const say = (text) => { out.textContent = text };
press.onclick = () => { bright = !bright; presses += 1; say(bright ? "on" : "off"); FAULT };
look.onclick = () => say(bright ? "on" : "off");
</script>"""
PLAIN = "step: click '#{input}'\noutput: text '#out'\n"
LAMP_MAPPING = f"{PLAIN}reset: document\n"  # the quicker of the two


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Be quiet."""

    def do_GET(self) -> None:
        if "slow" in self.path:
            time.sleep(0.3)
        super().do_GET()


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("events", ["script", "real"])
def test_a_page_is_clicked_and_read(site: Site, events: str):
    first, second = site.run(LAMP_PAGE, f"{PLAIN}events: {events}\n", "ppl", "plp")
    assert outputs(first) == ["on", "off", "off"]
    assert outputs(second) == ["on", "on", "off"]
    assert first.error is second.error is None


@pytest.mark.parametrize("reset", ["context", "document"])
def test_nothing_survives_a_reset(site: Site, reset: str):
    page = """<!doctype html><button id="press">p</button><button id="look">l</button><output id="out">-</output>
    <script>
    const find = () => [document.cookie, localStorage.a, sessionStorage.a, window.name].filter(Boolean).join("+");
    look.onclick = () => { out.textContent = find() || "nothing" };
    press.onclick = () => {
      document.cookie = "a=1"; localStorage.a = "2"; sessionStorage.a = "3"; window.name = "4";
      setInterval(() => { document.cookie = localStorage.a = sessionStorage.a = "late" }, 1); out.textContent = find();
    };
    </script>"""
    with serving(site.folder) as url:
        mapping = f"page: {url}/page.html\nreset: {reset}\n{PLAIN}"
        first, second = site.run(page, mapping, "p", "l")
        time.sleep(0.2)
        (third,) = site.run(page, mapping, "l")
    assert outputs(first) == ["a=1+2+3+4"]
    assert outputs(second) == outputs(third) == ["nothing"]


@pytest.mark.parametrize("reset", ["context", "document"])
def test_what_a_page_stores_for_the_next_one_within_a_test_stays(site: Site, reset: str):
    (site.folder / "next.html").write_text(
        "<button id='press'>p</button><output id='out'>-</output>"
        "<script>press.onclick = () => { out.textContent = sessionStorage.left }</script>"
    )
    page = "<script>sessionStorage.left = 'here'; location.replace('next.html')</script>"
    with serving(site.folder) as url:
        first, second = site.run(page, f"page: {url}/page.html\nreset: {reset}\nready: '#press'\n{PLAIN}", "p", "p")
    assert (first.error, second.error) == (None, None)
    assert outputs(first) == outputs(second) == ["here"]


@pytest.mark.parametrize(
    "trick",
    [
        "look.hidden = true",
        "look.disabled = true",
        "look.style.visibility = 'hidden'",
        "look.setAttribute('aria-disabled', 'true')",
        "look.inert = true",
        "look.style.pointerEvents = 'none'",
        "look.remove()",
        "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0\">wait</div>')",
        "document.body.append(document.createElement('dialog')); document.querySelector('dialog').showModal()",
    ],
)
def test_what_cannot_be_used_is_not_offered(site: Site, trick: str):
    (trace,) = site.run(LAMP_PAGE.replace("FAULT", trick), LAMP_MAPPING, "pl", options=GREY)
    assert trace.error is None
    assert trace.steps[0].enabled == {"press", "look"}
    assert len(trace.steps) == 1
    assert trace.enabled_at_end is not None
    assert "look" not in trace.enabled_at_end


@pytest.mark.parametrize("trick", ["look.disabled = bright", "look.hidden = bright"])
def test_what_is_not_offered_has_the_models_answer(site: Site, trick: str):
    shy = replace(LAMP, outputs=(*LAMP.outputs, "none"), unavailable="none")
    system = site.system(LAMP_PAGE.replace("FAULT", trick), LAMP_MAPPING, model=shy)
    (trace,) = execute(system, [word("lplpl")], options=PATIENT)
    assert (trace.error, outputs(trace)) == (None, ["off", "on", "none", "off", "off"])


def test_an_element_below_the_fold_is_offered_and_reached(site: Site):
    page = LAMP_PAGE.replace('<button id="look">', '<p style="height: 3000px"></p><button id="look">')
    for events in ("script", "real"):
        (trace,) = site.run(page, f"{LAMP_MAPPING}events: {events}\n", "plp", options=GREY)
        assert (trace.error, outputs(trace)) == (None, ["on", "on", "off"])


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("if (presses === 2) null.x", "uncaught TypeError: Cannot read properties of null (reading 'x')"),
        ("if (presses === 2) Promise.reject(new Error('lost'))", "uncaught Error: lost"),
        ("if (presses === 2) for (;;) {}", "no answer within 2 s"),
        ("if (presses === 2) setTimeout(() => { for (;;) {} }, 0)", "no answer within 2 s"),
        ("while (presses === 2) alert('again')", "no answer within 2 s"),
        ("if (presses === 2) location = 'https://example.invalid/'", "went away to https://example.invalid/"),
        ("if (presses === 2) location = 'none.html'", "went to a page that cannot be loaded"),
        ("if (presses === 2) window.open('about:blank')", "opened another window: about:blank"),
        ("if (presses === 2) press.remove()", "no visible element matches #press"),
        ("if (presses === 2) press.after(press.cloneNode())", "2 visible elements match #press, expected one"),
        ("if (presses === 2) out.remove()", "the page shows no output; 'silent' in the mapping file may give a symbol"),
    ],
)
def test_a_failure_costs_one_test(site: Site, fault: str, reason: str):
    options = QUICK if "no answer" in reason else PATIENT
    broken, good = site.run(LAMP_PAGE.replace("FAULT", fault), LAMP_MAPPING, "pppp", "pl", options=options)
    assert broken.error is not None
    assert broken.error.startswith(reason)
    assert outputs(broken) in (["on"], ["on", "off"])
    assert good.error is None
    assert outputs(good) == ["on", "on"]


def test_evidence_holds_the_stack_and_the_console(site: Site):
    (trace,) = site.run(LAMP_PAGE.replace("FAULT", "console.warn('hot'); null.x"), LAMP_MAPPING, "p")
    assert "press.onclick" in trace.evidence
    assert "warning: hot" in trace.evidence


def test_a_page_that_crashes_costs_one_test(site: Site):
    system = site.system(LAMP_PAGE, LAMP_MAPPING)

    async def crash() -> None:
        assert system._tab is not None
        session = await system._tab.context.new_cdp_session(system._tab.page)
        await session.send("Page.crash")

    step, steps = system.step, []

    def crashing(symbol: object) -> object:
        steps.append(symbol)
        if len(steps) == 2:
            with pytest.raises(Exception, match=r"crash|closed|^$"):  # or no answer at all
                site.chromium.call(crash(), limit=1)
        return step(symbol)  # type: ignore[arg-type]

    system.step = crashing  # type: ignore[method-assign]
    broken, good = execute(system, map(word, ["ppp", "pl"]), options=PATIENT)
    assert (broken.error, outputs(broken)) == ("died: the page crashed", ["on"])
    assert (good.error, outputs(good)) == (None, ["on", "on"])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_browser_that_is_killed_costs_one_test(tmp_path: Path):
    before = _children(os.getpid())
    chromium = Chromium(find_browser())
    chromium.start()
    drivers = _children(os.getpid()) - before
    system = Site(chromium, tmp_path).system(LAMP_PAGE, PLAIN)
    step, steps = system.step, []

    def killing(symbol: object) -> object:
        steps.append(symbol)
        if len(steps) == 2:
            for browser in set().union(*map(_children, drivers)):
                os.kill(browser, signal.SIGKILL)
        return step(symbol)  # type: ignore[arg-type]

    system.step = killing  # type: ignore[method-assign]
    broken, good = execute(system, map(word, ["ppp", "pl"]), options=PATIENT)
    system.close()
    system.close()
    assert broken.error is not None
    assert broken.error.startswith(("died", "no answer"))
    assert (good.error, outputs(good)) == (None, ["on", "on"])
    assert not chromium._thread.is_alive()


def _children(parent: int) -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            if int(text.rpartition(")")[2].split()[1]) == parent:
                found.add(int(entry.name))
    return found


def test_it_follows_a_page_that_goes_elsewhere_on_its_own_site(site: Site):
    (site.folder / "slow-lit.html").write_text(
        "<form action='page.html'><button id='press'>off</button></form><output id='out'>on</output>"
    )
    page = "<a id='press' href='slow-lit.html'>on</a><output id='out'>off</output>"
    with serving(site.folder) as url:
        (trace,) = site.run(page, f"page: {url}/page.html\n{LAMP_MAPPING}", "pppp")
    assert (trace.error, outputs(trace)) == (None, ["on", "off", "on", "off"])


@pytest.mark.parametrize(("answer", "second"), [("dismiss", "false"), ("accept", "true")])
def test_dialogs_are_answered_and_observed(site: Site, answer: str, second: str):
    page = LAMP_PAGE.replace("FAULT", "out.textContent = confirm('Sure?')")
    mapping = "inputs: {press: click '#press', look: click '#look'}\noutput: [dialog, text '#out']\n"
    (trace,) = site.run(page, f"{mapping}dialogs: {answer}\nsymbols: {{Sure?: asked}}\n", "plp")
    assert outputs(trace) == ["asked", "on", "asked"]
    (trace,) = site.run(page, f"{LAMP_MAPPING}dialogs: {answer}\n", "p")
    assert outputs(trace) == [second]


def test_it_waits_for_frames_and_for_what_the_mapping_says(site: Site):
    frames = LAMP_PAGE.replace("FAULT", "requestAnimationFrame(() => requestAnimationFrame(() => say('late')))")
    slow = LAMP_PAGE.replace("FAULT", "out.className = ''; setTimeout(() => { say('late'); out.className = 'r' }, 80)")
    slow = slow.replace('<output id="out">', '<output id="out" class="r">.')
    for page, waiting in ((frames, ""), (slow, "settle: 0.2\n"), (slow, "ready: output.r\n")):
        (trace,) = site.run(page, LAMP_MAPPING + waiting, "p")
        assert outputs(trace) == ["late"], waiting


def test_a_page_that_is_never_ready_is_an_error(site: Site):
    page = LAMP_PAGE.replace("FAULT", "press.className = 'never'")
    (trace,) = site.run(page, f"{LAMP_MAPPING}ready: '#press:not(.never)'\n", "p", options=QUICK)
    assert trace.error == "no answer within 2 s"


def test_a_real_click_can_be_trusted_and_a_key_submits(site: Site):
    page = """<form id="f"><input id="name"></form><button id="b">b</button><ol id="log"></ol><script>
    const log = (text) => log_.insertAdjacentHTML("beforeend", `<li>${text}</li>`), log_ = document.querySelector("ol");
    b.onclick = (e) => log(e.isTrusted);
    f.onsubmit = (e) => { e.preventDefault(); log("submit"); log(document.querySelector("#name").value) };
    </script>"""
    mapping = "output: new '#log li'\nsilent: nothing\ninputs:\n  press: click '#b'\n"
    (trace,) = site.run(page, mapping + "  look: [fill '#name' with Ada, press Enter on '#name']\n", "plp")
    assert outputs(trace) == ["false", "submit, Ada", "false"]
    (trace,) = site.run(page, mapping + "  look: fill '#name' with Ada\nevents: real\n", "pl")
    assert outputs(trace) == ["true", "nothing"]


def test_what_cannot_be_opened_is_the_users_error(site: Site):
    site.system(LAMP_PAGE, LAMP_MAPPING).check()
    with pytest.raises(UserError, match=r"'##' is no CSS selector") as raised:
        site.system(LAMP_PAGE, "step: click '#{input}'\noutput: text '##'\n").check()
    assert raised.value.at.line == 3
    with pytest.raises(
        UserError, match=r"cannot open http://\*\*\*@127.0.0.1:9/: net::ERR_UNSAFE_PORT at http://\*\*\*@"
    ):
        site.system(LAMP_PAGE, f"page: http://user:secret@127.0.0.1:9/\n{LAMP_MAPPING}").check()
    with serving(site.folder) as url, pytest.raises(UserError, match=r"answered status 404 for .*/none\.html"):
        site.system(LAMP_PAGE, f"page: {url}/none.html\n{LAMP_MAPPING}").check()


def test_open_sut_starts_a_browser_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WHICH", "page")
    (tmp_path / "page.html").write_text(LAMP_PAGE.replace("FAULT", ""))
    (tmp_path / "map.yaml").write_text("page: ${WHICH}.html\n" + PLAIN)
    with closing(open_sut(f"browser:{tmp_path / 'map.yaml'}", LAMP)) as system:
        (trace,) = execute(system, [word("pp")], options=GREY)
    assert (trace.error, outputs(trace)) == (None, ["on", "off"])
