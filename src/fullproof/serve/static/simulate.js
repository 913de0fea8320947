// Step through a model: the server plays all moves again, so that a page can go back and forth as it likes.
import { alertOf, api, byId, chip, el, keep, kept, latest, ready, row, theModel } from "./bench.js";
import { Diagram } from "./diagram.js";

const model = await theModel();
// A click on an arrow, or on a state that one step leads to, takes it.
const diagram = new Diagram(byId("diagram"), { take: ({ state, arrow, of = [] }) => {
  const [from, to] = arrow || [last?.active.at(-1), state];
  const leads = (one) => (of.length ? one.of.some((number) => of.includes(number)) : [one.to, ...one.to.split(/[^\w.-]+/)].includes(to));
  const way = last?.outgoing.find((one) => leads(one) && one.try);
  byId("refused").textContent = way ? "" : arrow && !last?.active.includes(from) ? `It is in ${last?.state}, not in ${from}.` : `No input is known that leads from ${from} to ${to}.`;
  if (way) { focus = null; step(way.try); }
} });
let last = null;
const saved = kept("moves");
let moves = saved && saved.text === model.text ? saved.moves : [];
let focus = null;

const play = latest(async (signal) => {
  const seed = Number(byId("seed").value) || 0;
  const found = await api("simulate", { model, moves, seed }, { signal });
  alertOf(null);
  byId("refused").textContent = found.refused || "";
  if (found.refused) moves = moves.slice(0, found.steps.length);
  keep("moves", { text: model.text, moves });
  show(found);
});

function step(move) {
  moves = [...moves, move];
  return play();
}

function show(found) {
  last = found;
  chip(model, found);
  byId("state").textContent = found.state;
  byId("values").textContent = Object.entries(found.values).map(([name, value]) => `${name} = ${value}`).join(", ");
  byId("clock").textContent = found.clock;
  byId("outgoing").replaceChildren(...found.outgoing.map(way), ...(found.outgoing.length ? [] : [el("li", { className: "soft" }, "none: it stays here")]));
  byId("hint").hidden = !found.outgoing.some((one) => one.try);
  byId("trace").replaceChildren(...found.steps.map((one, k) => row(el("td", { className: "num" }, String(k + 1)), ...[one.input, one.output, one.from, one.to].map((text) => el("td", { className: "mono" }, text)))).reverse());
  byId("undo").disabled = byId("restart").disabled = !moves.length;
  choices(found);
  mark(found);
}

// A transition, with a click that gives the model an input by which it may take it.
function way(one) {
  const target = el("span", { className: "soft" }, ` → ${one.to}`);
  const label = one.label || "(no trigger)";
  if (!one.try) return el("li", {}, label, target);
  const given = Object.entries(one.try.values).map(([name, value]) => `${name} = ${value}`).join(", ");
  const node = el("button", { type: "button", className: "way", title: `try ${one.try.name} ${given}` }, label, target);
  node.addEventListener("click", () => { focus = null; step(one.try); });
  return el("li", {}, node);
}

function choices(found) {
  const box = byId("choices");
  if (found.kind === "fsm") {
    box.replaceChildren(el("div", { className: "choices" }, ...found.choices.map((choice) => button(choice.name, choice.name, () => step({ name: choice.name })))));
    if (!found.choices.length) box.append(el("p", { className: "soft" }, "No input is defined here."));
  } else if (found.kind === "statemachine") {
    // Signals share the values of the inputs; a delay has its own.
    const shared = JSON.stringify(found.choices[0].fields);
    const [signals, others] = [true, false].map((same) => found.choices.filter((choice) => (JSON.stringify(choice.fields) === shared) === same));
    const typed = fields(signals[0].fields);
    const send = (name) => step({ name, values: typed.read() });
    box.replaceChildren(el("div", { className: "choice" }, ...typed.nodes), el("div", { className: "choices" }, ...signals.map((choice) => button(choice.name || "(no signal)", choice.name || "(no signal)", () => send(choice.name)))), ...others.map((choice) => form(choice, found.kind)));
  } else {
    box.replaceChildren(...found.choices.map((choice) => form(choice, found.kind)));
  }
  const next = focus && Array.from(box.querySelectorAll("button, input, select")).find((node) => (node.dataset.key || node.name) === focus);
  if (next) next.focus();
  if (next instanceof HTMLInputElement) next.select();
}

function form(choice, kind) {
  const label = choice.name || (kind === "sts" ? "wait for an output" : "Step");
  const typed = fields(choice.fields);
  const node = el("form", { className: "choice" }, ...typed.nodes, el("button", { type: "submit" }, label));
  node.querySelector("button").dataset.key = label;
  if (choice.name && typed.nodes.length) node.prepend(node.lastChild);
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    focus = document.activeElement?.name || label;
    remembered = { ...remembered, ...typed.read() };
    step({ name: choice.name, values: typed.read() });
  });
  return node;
}

let remembered = {};

function fields(list) {
  const inputs = list.map((field) => {
    const value = field.value || remembered[field.name] || "";
    if (field.options) return el("select", { name: field.name }, ...field.options.map((option) => el("option", { selected: option === value }, option)));
    return el("input", { type: "text", name: field.name, value, placeholder: field.type, title: field.type, spellcheck: false, autocomplete: "off" });
  });
  return {
    nodes: inputs.map((input) => el("label", {}, `${input.name} `, input)),
    read: () => Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]).filter(([, value]) => value !== "")),
  };
}

function button(key, text, work) {
  const node = el("button", { type: "button" }, text);
  node.dataset.key = key;
  node.addEventListener("click", () => { focus = key; work(); });
  return node;
}

function mark(found) {
  diagram.mark({ here: found.active, taken: found.steps.slice(-1) });
}

byId("undo").addEventListener("click", () => { moves = moves.slice(0, -1); play(); });
byId("restart").addEventListener("click", () => { moves = []; play(); });
byId("seed").addEventListener("input", () => play());
api("draw", { model }).then((found) => { diagram.show(found); play(); }, (error) => diagram.message(error.message));
ready();
await play();
