// Run a suite against a system, and watch.
import { alertOf, api, badge, byId, chip, counted, el, hideIdle, keep, kept, mono, number, ready, row, seconds, table, theModel } from "./bench.js";
import { failureOf } from "./failure.js";
import { Opponents } from "./opponents.js";
import { goesOn, watch } from "./watch.js";

const model = await theModel();
const start = byId("start");
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

byId("options").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (start.disabled) return;
  start.disabled = true;
  const asked = { model, method: byId("method").value, relation: byId("relation").value || null, repeat: Number(byId("repeat").value) || 1, stop_on_failure: byId("stop-early").checked };
  if (byId("extra").value !== "") asked.extra_states = Number(byId("extra").value);
  if (byId("faults").value.trim()) asked.faults = byId("faults").value.trim();
  if (byId("guards").checked) asked.mutate_guards = true;
  if (suite !== null) asked.suite = suite;
  if (asked.relation === "property") asked.properties = known.properties;
  byId("outcome").replaceChildren();
  try {
    const { mutant, ...against } = await opponents.asked();
    const run = await api("runs", { ...asked, ...against });
    if (mutant) mutants[run.id] = mutant;
    keep("mutants", mutants);
    alertOf(null);
    follow(run);
  } catch (error) { alertOf(error); start.disabled = false; }
});

function follow(run) {
  watch(run, (state) => { outcome(state); past(); }, "Generating the suite …");
}

const SIGNS = { checked: ["✓", "checked by fullproof"], "to-vouch": ["☐", "a person has to vouch for it"], assumed: ["○", "assumed"] };
const mutants = kept("mutants") || {};
// What comes after so many failures is folded: the first ones have been shortened on the system.
const UNFOLDED = 3;

function undecided(failures) {
  const rows = failures.slice(0, 10).map((failure) => row(mono(failure.test), badge(failure.verdict), failure.reason));
  return table(["test", "verdict", "why"], rows);
}

function hypothesesOf(found) {
  const entry = ({ text, standing }) => el("li", { className: standing }, el("b", { className: "sign", ariaHidden: "true" }, SIGNS[standing][0]), el("span", {}, `${text} `, el("span", { className: "tag" }, SIGNS[standing][1])));
  return el("ul", { className: "checklist", id: "hypotheses" }, ...found.map(entry));
}

const card = (value, text) => el("div", { className: "card" }, el("b", {}, value), el("span", {}, text));

function outcome(state) {
  const box = byId("outcome");
  if (!state.result) {
    // This says nothing of the system, so it does not look like a verdict.
    const text = state.status === "stopped" ? "The run was stopped. It says nothing about the system." : `The run could not be made, so there is no verdict: ${state.complaint.message}`;
    box.replaceChildren(el("div", { className: "panel notrun", role: "alert" }, el("p", {}, text)));
    return;
  }
  const found = state.result;
  const cards = el("div", { className: "cards" }, card(number(found.tests), found.tests === 1 ? "test" : "tests"), card(number(found.passed), "passed"), card(number(found.failed), "failed"), card(number(found.errors), "errors"), card(number(found.inconclusive), "inconclusive"), card(number(found.steps), found.steps === 1 ? "step" : "steps"), card(`${found.coverage.transitions} / ${found.coverage.of}`, "transitions exercised"), card(`${seconds(found.seconds)} s`, "run time"));
  const report = el("p", {}, el("a", { href: state.report, target: "_blank", rel: "noopener", id: "report" }, "Open the report"), " ", el("span", { className: "soft" }, "or take its files: "), ...["junit.xml", "report.json", "tests.csv"].flatMap((file) => [el("a", { href: `/api/runs/${state.id}/files/${file}` }, file), " "]));
  const parts = [el("p", { className: "verdict" }, badge(found.verdict), ` ${state.system} against ${state.model}`), cards, report];
  if (mutants[state.id]) parts.push(el("p", {}, "The fault that was put in: ", mono(`${mutants[state.id].operator}: ${mutants[state.id].where}`), mutants[state.id].conforms ? " (the mutant conforms all the same)" : ""));
  const shown = found.groups.slice(0, 10).map((group, k) => failureOf(group, state, model, { open: k === 0 }));
  parts.push(...shown.slice(0, UNFOLDED));
  const folded = shown.slice(UNFOLDED);
  if (folded.length) parts.push(el("details", { id: "others" }, el("summary", {}, `${counted(folded.length, "other failure")}, which may have the same cause`), ...folded));
  if (found.diagnosis && !found.groups.some((group) => group.cause)) parts.push(el("p", {}, el("b", {}, "Diagnosis: "), found.diagnosis.sentence));
  const open = found.failures.filter((failure) => failure.group === null);
  if (open.length) parts.push(undecided(open));
  const more = Math.max(0, found.groups.length - 10) + Math.max(0, open.length - 10);
  if (more) parts.push(el("p", { className: "soft" }, `${number(more)} more are in the report.`));
  parts.push(el("h3", {}, found.verdict === "pass" ? "What this proves" : "What a pass would prove"), el("p", {}, found.guarantee));
  if (found.hypotheses.length) parts.push(el("p", { className: "soft" }, "It rests on:"), hypothesesOf(found.hypotheses));
  parts.push(...found.notes.map((note) => el("p", { className: "soft" }, `Note: ${note}`)));
  box.replaceChildren(el("div", { className: "panel" }, ...parts));
}

async function past() {
  const runs = (await api("runs")).filter((run) => run.question === "run");
  byId("past-title").hidden = byId("past-box").hidden = !runs.length;
  byId("past").replaceChildren(...runs.map((run) => row(run.result ? badge(run.result.verdict) : { failed: "could not be made", stopped: "stopped" }[run.status] || run.status, run.system, run.model, el("td", { className: "right" }, number(run.done)), el("td", { className: "right" }, seconds(run.seconds)), run.report ? el("a", { href: run.report, target: "_blank", rel: "noopener" }, "open") : "–")));
  return runs;
}

let known = { properties: [], methods: [], relations: [], idle: [] };
try {
  known = await api("methods", { model });
  alertOf(null);
} catch (error) { alertOf(error); }
const opponents = new Opponents(byId("systems"), model, await api("systems"));
chip(model, known.kind ? known : null);
byId("guards-box").hidden = known.kind !== "sfsm";
const asked = kept("options") || {};
byId("method").append(...["auto", ...known.methods.map((method) => method.name).filter((name) => name !== "auto")].map((name) => el("option", {}, name)));
byId("relation").append(...known.relations.map((name) => el("option", { selected: name === asked.relation }, name)));
byId("extra").value = asked.extra_states ?? (known.extra_states_given ? String(known.extra_states) : "");
hideIdle(known.idle);
start.disabled = !known.kind;
ready();
const going = (await past()).find(goesOn);
if (going) follow(going);
