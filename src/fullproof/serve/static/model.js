// Edit a model; see what it is, what is wrong with it, and its picture.
import { alertOf, api, badge, byId, choose, counted, download, el, keep, kept, later, latest, mono, number, openFiles, ready, row, table, text, theModel } from "./bench.js";
import { offered } from "./completion.js";
import { Diagram } from "./diagram.js";
import { draft, drafts, forget } from "./drafts.js";
import { openEditor } from "./editor.js";

const FACTS = ["deterministic", "complete", "observable", "minimal", "connected"];
const name = byId("name");
const box = byId("diagram");
let profile = null;
let opened = kept("opened") || null; // what was opened or saved last: {name, text, digest}

const soon = later(300, () => look());
// Every change is kept at once, so that a reload loses nothing.
const editor = await openEditor("model", () => { renamed(); keep("model", model()); unsaved(); soon(); }, (before, whole) => offered(before, whole, diagram.drawn?.states || []));
const model = () => ({ name: name.value, text: editor.text });
const diagram = new Diagram(box, { take: ({ line }) => { if (line) editor.go(line, 1); } });

// Undo and redo take the name of a file with its text.
const names = new Map();
function renamed() {
  const known = names.get(editor.text);
  if (known === undefined || known === name.value) return;
  name.value = known;
  editor.named(known);
}

function unsaved() {
  const changed = !opened || opened.text !== editor.text || opened.name !== name.value;
  byId("unsaved").hidden = !changed;
  draft(changed && editor.text.trim() ? model() : null);
  return changed;
}

// The part of the diagram that the line of the cursor is about stands out.
byId("find").addEventListener("click", () => {
  if (!diagram.drawn) return;
  const { states, state_lines: heads, transition_lines: lines } = diagram.drawn;
  const line = editor.line;
  const taken = [...lines.keys()].filter((k) => lines[k] === line);
  const above = heads.map((head, k) => [head, k]).filter(([head]) => head && head <= line).sort((a, b) => b[0] - a[0])[0];
  diagram.mark({ here: above ? [states[above[1]]] : [], taken: taken.length ? [{ taken }] : [] });
});

// What is said of the text goes with the next look at it; what is said of a file stays.
let told = false;
function tell(error) {
  if (error || told) alertOf(error);
  told = Boolean(error);
}

const look = latest(async (signal) => {
  const asked = { model: model() };
  box.classList.add("stale");
  const drawn = api("draw", asked, { signal }).then((found) => diagram.show(found), (error) => error);
  try {
    profile = await api("check", asked, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    show(null);
    const here = !error.file || error.file === "model";
    editor.fault(here && error.status === 422 ? error : null);
    tell(here && error.status === 422 ? null : error);
    return;
  }
  tell(null);
  editor.fault(null);
  show(profile);
  const failed = await drawn;
  if (failed instanceof Error && failed.name !== "AbortError") diagram.message(failed.message);
});

function show(found) {
  const facts = found ? [el("span", {}, `${found.kind}, ${counted(found.states, "state")}, ${counted(found.transitions, "transition")}`)] : [];
  for (const fact of found ? FACTS : []) {
    if (found[fact] === null) continue;
    facts.push(el("span", { className: found[fact] ? "yes" : "no" }, `${found[fact] ? "✓" : "✗ not"} ${fact}`));
  }
  byId("facts").replaceChildren(...facts);
  const list = found ? found.findings : [];
  byId("finding-count").textContent = found && list.length ? String(list.length) : "";
  const none = el("p", { className: "soft" }, found ? "No findings." : "As soon as the text is a model.");
  byId("findings").replaceChildren(list.length ? el("div", { className: "panel" }, ...list.map(finding)) : none);
  const details = byId("classes");
  details.hidden = !found || !["sfsm", "statemachine"].includes(found.kind);
  byId("classes-content").replaceChildren();
  if (!details.hidden && details.open) classes();
}

function finding(found) {
  const body = el("div", { className: "body" }, el("p", {}, found.where ? mono(found.where) : null, found.where ? ": " : "", found.message));
  const below = el("p", { className: "soft" }, mono(found.rule));
  if (found.witness) below.append(" · for example ", mono(Object.entries(found.witness).map(([key, value]) => `${key} = ${text(value)}`).join(", ")));
  if (found.line) {
    const jump = el("button", { type: "button", className: "link" }, `line ${found.line}`);
    jump.addEventListener("click", () => editor.go(found.line, found.column || 1));
    below.append(" · ", jump);
  }
  body.append(below);
  return el("div", { className: "finding" }, badge(found.severity), body);
}

const classes = latest(async (signal) => {
  const box = byId("classes-content");
  box.replaceChildren(el("p", { className: "soft" }, "Looking for classes …"));
  let found;
  try {
    found = await api("classes", { model: model() }, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    box.replaceChildren(el("p", { className: "fault" }, error.message));
    return;
  }
  box.replaceChildren(...(found.kind === "sfsm" ? ioClasses(found) : partition(found)));
});

function ioClasses(found) {
  const of = found.undecided.length ? `${counted(found.undecided.length, "formula")} stayed undecided: there may be more classes.` : `${counted(found.classes.length, "class", "classes")}; ${counted(found.representatives.length, "input reaches", "inputs reach")} them all.`;
  const rows = found.classes.map((item) => row(mono(item.id), mono(item.formula), mono(text(item.witness))));
  return [el("p", { className: "soft" }, of), table(["class", "inputs and outputs", "for example"], rows)];
}

function partition(found) {
  const holds = found.definition_1.holds;
  const said = holds === true ? "Definition 1 holds for every pair." : holds === false ? "Definition 1 does not hold." : "Whether Definition 1 holds stayed open.";
  const rows = [...found.states.map((item) => row(mono(item.id), mono(item.state), mono(item.condition))), ...found.triggers.map((item) => row(mono(item.id), "trigger", mono(item.condition)))];
  return [el("p", { className: "soft" }, `${number(found.state_classes)} state classes, ${number(found.trigger_classes)} trigger classes. ${said}`), table(["class", "state", "condition"], rows)];
}

function take(given, { known = true } = {}) {
  names.set(editor.text, name.value);
  names.set(given.text, given.name);
  name.value = given.name;
  editor.named(given.name);
  editor.text = given.text;
  if (known) { opened = { digest: null, ...given }; keep("opened", opened); }
  keep("model", model());
  unsaved();
  look();
}

// What was typed stays: an example or a file goes to a tab of its own, or a person decides.
async function replace(given, elsewhere = null) {
  if (!unsaved() || !editor.text.trim()) return take(given);
  if (elsewhere) return window.open(elsewhere, "_blank", "noopener");
  const answer = await choose(`${name.value} has changes that are saved nowhere.`, [["keep", "Keep it"], ["save", "Download it, then open the other"], ["replace", `Replace it by ${given.name}`]]);
  if (answer === "save") download(name.value, editor.text);
  if (answer === "save" || answer === "replace") take(given);
}

byId("classes").addEventListener("toggle", () => { if (byId("classes").open) classes(); });
name.addEventListener("input", () => { editor.named(name.value); keep("model", model()); unsaved(); soon(); });
openFiles(byId("model-open"), (given) => replace(given));

byId("save").addEventListener("change", async (event) => {
  const format = event.target.value;
  event.target.value = "";
  const stem = name.value.replace(/\.[^.]*$/, "") || "model";
  if (format === "as-is") {
    opened = { digest: null, ...model() };
    keep("opened", opened);
    unsaved();
    return download(name.value, editor.text);
  }
  try {
    download(`${stem}.${format}`, (await api("convert", { model: model(), format })).text);
    alertOf(null);
  } catch (error) { alertOf(error); }
});

const examples = await api("models");
byId("examples").append(...examples.map((given, k) => el("option", { value: String(k) }, given.name)));
byId("examples").addEventListener("change", (event) => {
  const chosen = examples[Number(event.target.value)];
  event.target.value = "";
  if (chosen) replace(chosen, `/model#example=${encodeURIComponent(chosen.name)}`);
});

// What other tabs, which may be gone, had in their editors. A draft that is taken from there is one of this tab.
const left = drafts();
byId("drafts-box").hidden = !left.length;
byId("drafts").append(...left.map((one) => el("option", { value: one.id }, `${one.name}, ${new Date(one.when).toLocaleString()}`)));
function openDraft(id) {
  const one = left.find((given) => given.id === id);
  if (!one) return;
  take({ name: one.name, text: one.text }, { known: false });
  forget(id);
  byId("drafts").querySelector(`option[value="${CSS.escape(id)}"]`)?.remove();
}
byId("drafts").addEventListener("change", (event) => {
  const id = event.target.value;
  event.target.value = "";
  if (id) unsaved() && editor.text.trim() ? window.open(`/model#draft=${encodeURIComponent(id)}`, "_blank", "noopener") : openDraft(id);
});

// Files of the folder that the command line names.
const folder = await api("files");
const path = (file) => `files/${file.split("/").map(encodeURIComponent).join("/")}`;
async function openFile(file) {
  try { take(await api(path(file))); alertOf(null); } catch (error) { alertOf(error); }
}
async function save() {
  // The browser takes such names for other addresses, so they would never reach the folder.
  if (name.value.split("/").some((part) => ["", ".", ".."].includes(part))) {
    told = false;
    return alertOf(new Error(`${name.value || "a file without a name"}: not saved; files stay in the folder ${folder.folder}`));
  }
  const same = opened && opened.name === name.value ? opened.digest : null;
  try {
    opened = await api(path(name.value), { ...model(), digest: same }, { method: "PUT" });
    keep("opened", opened);
    if (!folder.files.includes(opened.name)) { folder.files.push(opened.name); listed(); }
    unsaved();
    alertOf(null);
  } catch (error) {
    told = false;
    alertOf(error);
    if (error.status !== 409) return;
    if (await choose(error.message, [["keep", "Keep the file as it is"], ["replace", "Replace it by what is here"]]) !== "replace") return;
    opened = { ...model(), digest: (await api(path(name.value))).digest };
    await save();
  }
}
function listed() {
  byId("files").replaceChildren(el("option", { value: "" }, `${folder.folder}…`), ...folder.files.map((file) => el("option", {}, file)));
}
if (folder.folder !== null) {
  listed();
  byId("files-box").hidden = byId("write").hidden = false;
  byId("files").addEventListener("change", (event) => {
    const file = event.target.value;
    event.target.value = "";
    if (file) unsaved() && editor.text.trim() ? window.open(`/model#file=${encodeURIComponent(file)}`, "_blank", "noopener") : openFile(file);
  });
  byId("write").addEventListener("click", save);
  addEventListener("keydown", (event) => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); save(); } });
}

// A tab that was opened for an example or a file begins with it, and with nothing of the tab that opened it.
const [, what, which] = /^#(example|file|learnt|draft)=(.*)$/.exec(location.hash) || [];
history.replaceState(null, "", location.pathname);
const example = what === "example" && examples.find((given) => given.name === decodeURIComponent(which));
if (example) take(example);
else if (what === "file") await openFile(decodeURIComponent(which));
else if (what === "draft" && left.some((one) => one.id === decodeURIComponent(which))) openDraft(decodeURIComponent(which));
else if (what === "learnt") take({ name: "learnt.yaml", text: (await api(`runs/${encodeURIComponent(which)}`)).result.text }, { known: false });
else take(await theModel(), { known: !kept("model") || !opened });
ready();
