// Run a suite against a system of the command line's, and watch.
import { alertOf, api, badge, byId, chip, el, kept, mono, number, ready, row, seconds, table, text, theModel } from "./bench.js";

const model = await theModel();
const [start, stop, bar] = [byId("start"), byId("stop"), byId("bar")];
let current = null;
let suite = null;

function useSuite(given) {
  suite = given && given.text;
  byId("suite-name").textContent = given ? given.name : "generated";
  byId("suite-drop").hidden = !given;
  byId("method").disabled = Boolean(given);
}

byId("suite-open").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) useSuite({ name: file.name, text: await file.text() });
  event.target.value = "";
});
byId("suite-drop").addEventListener("click", () => useSuite(null));

const systems = await api("systems");
if (systems.length) {
  byId("systems").append(...systems.map((system, k) => el("label", { className: "system" }, el("input", { type: "radio", name: "system", value: system.name, checked: k === 0 }), el("span", {}, el("b", {}, system.name), el("code", {}, system.spec)))));
} else {
  byId("systems").append(el("p", { className: "soft" }, "There is none: start the workbench again with one, for example ", el("code", {}, "fullproof serve --sut good=python:brake.py:Brake")));
}

byId("options").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = document.querySelector("input[name=system]:checked");
  if (!chosen || start.disabled) return;
  const asked = { model, system: chosen.value, method: byId("method").value, relation: byId("relation").value || null, repeat: Number(byId("repeat").value) || 1, stop_on_failure: byId("stop-early").checked };
  if (byId("extra").value !== "") asked.extra_states = Number(byId("extra").value);
  if (suite !== null) asked.suite = suite;
  if (asked.relation === "property") asked.properties = known.properties;
  try {
    const run = await api("runs", asked);
    alertOf(null);
    byId("outcome").replaceChildren();
    watch(run);
  } catch (error) { alertOf(error); }
});

stop.addEventListener("click", async () => { if (current) await api(`runs/${current}`, undefined, { method: "DELETE" }); });

function watch(run) {
  current = run.id;
  start.disabled = true;
  stop.hidden = false;
  byId("live").hidden = false;
  progress(run);
  const events = new EventSource(`/api/runs/${run.id}/events`);
  const end = () => { events.close(); start.disabled = false; stop.hidden = true; current = null; };
  events.onmessage = (event) => {
    const state = JSON.parse(event.data);
    progress(state);
    if (["waiting", "running"].includes(state.status)) return;
    end();
    byId("live").hidden = true;
    outcome(state);
    past();
  };
  events.onerror = () => { end(); alertOf(new Error("the workbench has ended, or the run was forgotten")); };
}

function progress(state) {
  const of = state.total === null ? "" : ` of ${number(state.total)}`;
  byId("live-text").textContent = state.status === "waiting" ? "Generating the suite …" : `${number(state.done)}${of} tests, ${number(state.steps)} steps, ${seconds(state.seconds)} s`;
  if (state.total) { bar.max = state.total; bar.value = state.done; } else bar.removeAttribute("value");
}

// What failed comes before what could not be decided.
const soft = (failure) => Number(failure.verdict === "inconclusive");

function failuresOf(heads, rows) {
  const node = table(heads, rows);
  node.classList.add("failures");
  return node;
}

const card = (value, text) => el("div", { className: "card" }, el("b", {}, value), el("span", {}, text));

function outcome(state) {
  const box = byId("outcome");
  if (!state.result) {
    const text = state.status === "stopped" ? "The run was stopped." : state.complaint.message;
    box.replaceChildren(el("div", { className: "panel" }, el("p", { className: "verdict" }, badge(state.status)), el("p", {}, text)));
    return;
  }
  const found = state.result;
  const cards = el("div", { className: "cards" }, card(number(found.tests), "tests"), card(number(found.passed), "passed"), card(number(found.failed), "failed"), card(number(found.errors), "errors"), card(number(found.inconclusive), "inconclusive"), card(number(found.steps), "steps"), card(`${found.coverage.transitions} / ${found.coverage.of}`, "transitions exercised"), card(`${seconds(found.seconds)} s`, "run time"));
  const report = el("p", {}, el("a", { href: state.report, target: "_blank", rel: "noopener", id: "report" }, "Open the report"), " ", el("span", { className: "soft" }, "or take its files: "), ...["junit.xml", "report.json", "tests.csv"].flatMap((file) => [el("a", { href: `/api/runs/${state.id}/files/${file}` }, file), " "]));
  const parts = [el("p", { className: "verdict" }, badge(found.verdict), ` ${state.system} against ${state.model}`), cards, report];
  if (found.diagnosis) parts.push(el("p", {}, el("b", {}, "Diagnosis: "), found.diagnosis.sentence));
  if (found.failures.length) {
    const rows = [...found.failures].sort((a, b) => soft(a) - soft(b)).slice(0, 10).map((failure) => row(mono(failure.test), badge(failure.verdict), String(failure.step ?? ""), mono(text(failure.input)), mono(text(failure.observed)), mono(failure.allowed.join(" or "))));
    parts.push(failuresOf(["test", "verdict", "step", "input", "observed", "the model allows"], rows));
    if (found.failures.length > 10) parts.push(el("p", { className: "soft" }, `${number(found.failures.length - 10)} more are in the report.`));
  }
  parts.push(el("p", { className: "soft" }, found.guarantee), ...found.notes.map((note) => el("p", { className: "soft" }, `Note: ${note}`)));
  box.replaceChildren(el("div", { className: "panel" }, ...parts));
}

async function past() {
  const runs = await api("runs");
  byId("past-title").hidden = byId("past-box").hidden = !runs.length;
  byId("past").replaceChildren(...runs.map((run) => row(badge(run.result ? run.result.verdict : run.status), run.system, run.model, el("td", { className: "right" }, number(run.done)), el("td", { className: "right" }, seconds(run.seconds)), run.report ? el("a", { href: run.report, target: "_blank", rel: "noopener" }, "open") : "–")));
  return runs;
}

let known = { properties: [], methods: [], relations: [] };
try {
  known = await api("methods", { model });
  alertOf(null);
} catch (error) { alertOf(error); }
chip(model, known.kind ? known : null);
const asked = kept("options") || {};
byId("method").append(...["auto", ...known.methods.map((method) => method.name).filter((name) => name !== "auto")].map((name) => el("option", {}, name)));
byId("relation").append(...known.relations.map((name) => el("option", { selected: name === asked.relation }, name)));
byId("extra").value = asked.extra_states ?? String(known.extra_states ?? "");
start.disabled = !systems.length || !known.kind;
ready();
const going = (await past()).find((run) => ["waiting", "running"].includes(run.status));
if (going) watch(going);
