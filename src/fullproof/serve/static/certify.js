// A suite of anybody's: is it complete?
import { alertOf, api, badge, byId, chip, counted, download, el, handOver, handed, keep, kept, latest, mono, openFiles, ready, text, theModel, waiting } from "./bench.js";
import { moveOf } from "./diagram.js";
import { openEditor } from "./editor.js";
import { path } from "./path.js";

const model = await theModel();
const answer = byId("answer");
const editor = await openEditor("suite", () => keep("suite", editor.text));
chip(model);

const ask = latest(async (signal) => {
  waiting(answer, "Searching for a faulty machine that passes …", ask.stop);
  const asked = { model, suite: editor.text, timeout: Number(byId("seconds").value) || 30 };
  if (byId("extra").value !== "") asked.extra_states = Number(byId("extra").value);
  let found;
  try {
    found = await api("certify", asked, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    answer.replaceChildren();
    const here = error.file === "suite";
    editor.fault(here ? error : null);
    alertOf(here ? null : error);
    return;
  }
  alertOf(null);
  editor.fault(null);
  const verdict = found.complete === null ? badge("open", "unknown") : found.complete ? badge("pass", "complete") : badge("fail", "incomplete");
  const parts = [el("p", { className: "verdict" }, verdict, ` ${counted(found.tests, "test")}, ${counted(found.inputs, "input")}`), el("p", {}, found.reason)];
  if (found.survivor) {
    const save = el("button", { type: "button" }, "Download");
    save.addEventListener("click", () => download("survivor.yaml", found.survivor));
    const look = el("button", { type: "button" }, "Compare it with the model");
    look.addEventListener("click", () => { handOver("other", { name: "survivor.yaml", text: found.survivor }); location.href = "/compare"; });
    const picture = el("div", { className: "diagram" });
    const source = el("details", {}, el("summary", {}, "Its text"), el("pre", { className: "survivor mono", tabIndex: 0 }, found.survivor));
    parts.push(el("p", {}, "A faulty machine that passes all tests; it differs on ", mono((found.witness || []).map(text).join(" ")), ":"), picture, source, el("p", {}, save, " ", look));
    answer.replaceChildren(el("div", { className: "panel" }, ...parts));
    await path(picture, { name: "survivor.yaml", text: found.survivor }, (found.witness || []).map(moveOf), { label: "Diagram of the survivor", signal });
    return;
  }
  answer.replaceChildren(el("div", { className: "panel" }, ...parts));
});

byId("options").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
byId("make").addEventListener("click", async () => {
  const asked = { model };
  if (byId("extra").value !== "") asked.extra_states = Number(byId("extra").value);
  try {
    editor.text = (await api("generate", asked)).suite;
    keep("suite", editor.text);
    alertOf(null);
  } catch (error) { alertOf(error); }
});
openFiles(byId("suite-open"), (given) => { editor.text = given.text; keep("suite", given.text); });
editor.text = kept("suite") || "";
ready();
// Only now can a text field undo it.
const given = handed("suite");
if (given !== null && given !== editor.text) { editor.text = given; keep("suite", given); }
