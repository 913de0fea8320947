// Edit a model; see what it is, what is wrong with it, and its picture.
import { alertOf, api, badge, byId, download, el, keep, later, latest, mono, number, openFiles, ready, row, showDiagram, table, text, theModel } from "./bench.js";
import { Editor } from "./editor.js";

const FACTS = ["deterministic", "complete", "observable", "minimal", "connected"];
const name = byId("name");
const diagram = byId("diagram");
let profile = null;

const soon = later(300, () => look());
const editor = new Editor("model", soon);
const model = () => ({ name: name.value, text: editor.text });

const look = latest(async (signal) => {
  keep("model", model());
  const asked = { model: model() };
  diagram.classList.add("stale");
  const drawn = api("draw", asked, { signal }).then((found) => showDiagram(diagram, found.svg), (error) => error);
  try {
    profile = await api("check", asked, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    show(null);
    const here = !error.file || error.file === "model";
    editor.fault(here && error.status === 422 ? error : null);
    alertOf(here && error.status === 422 ? null : error);
    return;
  }
  alertOf(null);
  editor.fault(null);
  show(profile);
  const failed = await drawn;
  if (failed instanceof Error && failed.name !== "AbortError") {
    diagram.classList.remove("stale");
    diagram.replaceChildren(el("p", { className: "soft" }, failed.message));
  }
});

function show(found) {
  const facts = found ? [el("span", {}, `${found.kind}, ${number(found.states)} states, ${number(found.transitions)} transitions`)] : [];
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
  const of = found.undecided.length ? `${found.undecided.length} formulas stayed undecided: there may be more classes.` : `${found.classes.length} classes; ${found.representatives.length} inputs reach them all.`;
  const rows = found.classes.map((item) => row(mono(item.id), mono(item.formula), mono(text(item.witness))));
  return [el("p", { className: "soft" }, of), table(["class", "inputs and outputs", "for example"], rows)];
}

function partition(found) {
  const holds = found.definition_1.holds;
  const said = holds === true ? "Definition 1 holds for every pair." : holds === false ? "Definition 1 does not hold." : "Whether Definition 1 holds stayed open.";
  const rows = [...found.states.map((item) => row(mono(item.id), mono(item.state), mono(item.condition))), ...found.triggers.map((item) => row(mono(item.id), "trigger", mono(item.condition)))];
  return [el("p", { className: "soft" }, `${number(found.state_classes)} state classes, ${number(found.trigger_classes)} trigger classes. ${said}`), table(["class", "state", "condition"], rows)];
}

function take(given) {
  name.value = given.name;
  editor.text = given.text;
  look();
}

byId("classes").addEventListener("toggle", () => { if (byId("classes").open) classes(); });
name.addEventListener("input", soon);
openFiles(byId("model-open"), take);

byId("save").addEventListener("change", async (event) => {
  const format = event.target.value;
  event.target.value = "";
  const stem = name.value.replace(/\.[^.]*$/, "") || "model";
  if (format === "as-is") return download(name.value, editor.text);
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
  if (chosen) take(chosen);
});
take(await theModel());
ready();
