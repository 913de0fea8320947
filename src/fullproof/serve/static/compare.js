// Another model against the model at hand.
import { alertOf, api, badge, byId, chip, el, keep, kept, later, latest, mono, openFiles, row, table, theModel } from "./bench.js";
import { Editor } from "./editor.js";

const model = await theModel();
const name = byId("name");
const answer = byId("answer");
const editor = new Editor("other", later(300, () => keep("other", other())));
const other = () => ({ name: name.value, text: editor.text });
chip(model);

function take(given) {
  name.value = given.name;
  editor.text = given.text;
  keep("other", other());
  answer.replaceChildren();
}

const ask = latest(async (signal) => {
  answer.replaceChildren(el("p", { className: "soft" }, "Comparing …"));
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
  const verdict = found.conforms === null ? badge("open", "stays open") : found.conforms ? badge("pass", "conforms") : badge("fail", "does not conform");
  const parts = [el("p", { className: "verdict" }, verdict, ` ${name.value} to ${model.name}, by ${found.relation}`)];
  if (found.undecided) parts.push(el("p", {}, typeof found.undecided === "string" ? found.undecided : JSON.stringify(found.undecided)));
  if (found.counterexample) parts.push(...why(found.counterexample));
  answer.replaceChildren(el("div", { className: "panel" }, ...parts));
});

function why(found) {
  if (!found.inputs) return [el("p", {}, found.reason || "A trace that shows it:"), table(["what", "value"], Object.entries(found).map(([key, value]) => row(key, mono(text(value)))))];
  const last = found.inputs.length - 1;
  const rows = found.inputs.map((input, k) => row(el("td", { className: "num" }, String(k + 1)), mono(text(input)), mono(k < last ? text(found.outputs[k]) : found.allowed.join(" or ") || "nothing"), mono(k < last ? text(found.outputs[k]) : text(found.observed))));
  rows[last].className = "bad";
  const missing = found.missing === undefined ? [] : [el("p", {}, "It never answers ", mono(text(found.missing)), " there.")];
  return [el("p", {}, found.reason), table(["step", "input", "the model", "the other"], rows), ...missing];
}

function text(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(text).join(" · ");
  return Object.entries(value).map(([key, part]) => `${key} = ${text(part)}`).join(", ");
}

byId("options").addEventListener("submit", (event) => { event.preventDefault(); ask(); });
byId("copy").addEventListener("click", () => take({ name: model.name, text: model.text }));
openFiles(byId("other-open"), take);
take(kept("other") || { name: "other.yaml", text: "" });
