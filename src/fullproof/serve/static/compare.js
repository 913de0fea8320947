// Another model against the model at hand.
import { alertOf, api, badge, byId, chip, el, handed, keep, kept, latest, mono, openFiles, ready, row, table, text, theModel, waiting } from "./bench.js";
import { moveOf, seen } from "./diagram.js";
import { openEditor } from "./editor.js";
import { path } from "./path.js";

const model = await theModel();
const name = byId("name");
const answer = byId("answer");
const editor = await openEditor("other", () => keep("other", other()));
const other = () => ({ name: name.value, text: editor.text });
chip(model);

function take(given) {
  name.value = given.name;
  editor.named(given.name);
  editor.text = given.text;
  keep("other", other());
  answer.replaceChildren();
}

const ask = latest(async (signal) => {
  waiting(answer, "Comparing …", ask.stop);
  let found;
  try {
    found = await api("compare", { model, other: other(), relation: byId("relation").value || null }, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    answer.replaceChildren();
    const here = error.file === "other";
    editor.fault(here ? error : null);
    alertOf(here ? null : error.file === "model" && error.line ? new Error(`${model.name}, line ${error.line}: ${error.message}`) : error);
    return;
  }
  alertOf(null);
  editor.fault(null);
  const bounded = found.conforms && typeof found.depth === "number";
  const verdict = found.conforms === null ? badge("open", "stays open") : bounded ? badge("pass", "no difference") : found.conforms ? badge("pass", "conforms") : badge("fail", "does not conform");
  const parts = [el("p", { className: "verdict" }, verdict, ` ${name.value} to ${model.name}, by ${found.relation}`)];
  if (bounded) parts.push(el("p", {}, `No trace of up to ${found.depth} events shows a difference; longer ones were not looked at.`));
  if (found.proof) parts.push(el("p", { className: "soft" }, `Proof: ${found.proof}.`));
  if (found.undecided) parts.push(el("p", {}, text(found.undecided)));
  if (found.counterexample) parts.push(...why(found.counterexample));
  const moves = found.counterexample ? movesOf(found.counterexample) : [];
  const pictures = found.counterexample ? [model, other()].map((one) => [one, el("div", { className: "diagram" })]) : [];
  parts.push(...pictures.map(([one, box], k) => el("figure", {}, el("figcaption", { className: "soft" }, k ? `the other, ${one.name}` : `the model, ${one.name}`), box)));
  answer.replaceChildren(el("div", { className: "panel" }, ...parts));
  await Promise.all(pictures.map(([one, box]) => path(box, one, moves, { label: `The difference in ${one.name}`, signal })));
});

const movesOf = (found) => (found.trace ? [...found.trace, found.observed].map(seen) : found.inputs.map(moveOf));

function why(found) {
  if (found.trace) {
    const events = [...found.trace, found.observed].map((event, k) => row(el("td", { className: "num" }, String(k + 1)), mono(eventText(event)), k < found.trace.length ? "" : mono(found.allowed.join(" or ") || "silence")));
    events.at(-1).className = "bad";
    return [el("p", {}, found.reason), table(["event", "seen", "the model allows"], events)];
  }
  const last = found.inputs.length - 1;
  const rows = found.inputs.map((input, k) => row(el("td", { className: "num" }, String(k + 1)), mono(text(input)), mono(k < last ? text(found.outputs[k]) : found.allowed.join(" or ") || "nothing"), mono(k < last ? text(found.outputs[k]) : text(found.observed))));
  rows[last].className = "bad";
  const missing = found.missing === undefined ? [] : [el("p", {}, "It never answers ", mono(text(found.missing)), " there.")];
  return [el("p", {}, found.reason), table(["step", "input", "the model", "the other"], rows), ...missing];
}

// Events as on the wire of a system: {"send": [gate, values]}, {"emit": [gate, values]}, silence.
function eventText(event) {
  const [kind, call] = Object.entries(event || {})[0] || ["silence", null];
  if (!Array.isArray(call)) return kind === "silence" ? kind : `${kind}: ${text(call)}`;
  return `${call[0]}${kind === "send" ? "?" : "!"}(${(call[1] || []).join(", ")})`;
}

byId("options").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
byId("copy").addEventListener("click", () => take({ name: `other-${model.name}`, text: model.text }));
openFiles(byId("other-open"), take);
take(kept("other") || { name: "other.yaml", text: "" });
ready();
api("methods", { model }).then(({ compared }) => {
  byId("relation").append(...compared.map((name) => el("option", {}, name)));
}, () => {}); // of a model with a mistake: Compare says it
// Only now can a text field undo it.
const given = handed("other");
if (given !== null) take(given);
