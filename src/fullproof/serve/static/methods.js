// Methods side by side: each is asked what its suite costs and guarantees, two at a time.
import { alertOf, api, byId, chip, download, el, keep, later, latest, mono, number, ready, seconds, theModel } from "./bench.js";

const AT_ONCE = 2;
const model = await theModel();
const relation = byId("relation");
const extra = byId("extra");
const body = byId("methods").tBodies[0];
let known = null;

function options() {
  const chosen = Array.from(byId("properties").querySelectorAll("input:checked"), (box) => box.value);
  const asked = { model, relation: relation.value || null, domain: byId("domain").value, coverage: byId("coverage").value };
  if (relation.value === "property") asked.properties = chosen;
  if (extra.value !== "") asked.extra_states = Number(extra.value);
  return asked;
}

const compare = latest(async (signal) => {
  known = await api("methods", { model, relation: relation.value || null }, { signal });
  alertOf(null);
  byId("properties").hidden = relation.value !== "property";
  const asked = options();
  keep("options", { relation: relation.value, extra_states: extra.value });
  const lines = known.methods.map((method) => new Line(method, asked));
  body.replaceChildren(...lines.map((line) => line.row));
  byId("guarantees").replaceChildren();
  const waiting = [...lines];
  const work = async () => { for (let line = waiting.shift(); line; line = waiting.shift()) { await line.ask(signal); weigh(lines); } };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
});

class Line {
  constructor(method, asked) {
    this.method = method;
    this.asked = { ...asked, method: method.name };
    this.cost = null;
    this.cells = Array.from({ length: 5 }, (_, k) => el("td", { className: k === 2 ? "wide" : k === 4 ? "" : "right" }));
    ["tests", "inputs", "", "seconds", ""].forEach((label, k) => { if (label) this.cells[k].dataset.label = label; });
    this.row = el("tr", {}, el("td", {}, el("p", {}, el("b", {}, method.name), ` ${method.title}`), el("p", { className: "paper" }, method.paper)), ...this.cells);
    this.row.dataset.method = method.name;
    this.row.classList.add("working");
    this.cells[0].textContent = "…";
  }

  async ask(signal) {
    try {
      this.cost = await api("cost", this.asked, { signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this.row.classList.remove("working");
      this.row.replaceChildren(this.row.firstChild, el("td", { colSpan: 5, className: "soft" }, error.message));
      return;
    }
    const [tests, inputs, meter, time, actions] = this.cells;
    tests.textContent = number(this.cost.tests);
    inputs.textContent = number(this.cost.inputs);
    meter.replaceChildren(el("div", { className: "meter" }, el("i")));
    time.textContent = seconds(this.cost.seconds);
    actions.replaceChildren(this.button("jsonl", "Download"), " ", this.button("csv", "CSV"));
    this.row.classList.remove("working");
    guarantee(this.method, this.cost);
  }

  button(format, text) {
    const node = el("button", { type: "button", "aria-label": `${text} the suite of ${this.method.name}` }, text);
    node.addEventListener("click", async () => {
      node.disabled = true;
      try {
        const made = await api("generate", { ...this.asked, format });
        download(`${model.name.replace(/\.[^.]*$/, "")}-${this.method.name}.${format}`, made.suite);
        keep("suite", made.suite.length < 1e6 ? made.suite : null);
        alertOf(null);
      } catch (error) { alertOf(error); }
      node.disabled = false;
    });
    return node;
  }
}

function weigh(lines) {
  const costs = lines.filter((line) => line.cost).map((line) => line.cost.tests + line.cost.inputs);
  const most = Math.max(...costs, 1);
  for (const line of lines) {
    if (!line.cost) continue;
    const cost = line.cost.tests + line.cost.inputs;
    line.row.querySelector(".meter i").style.width = `${Math.max(1.5, (100 * cost) / most)}%`;
    line.row.classList.toggle("best", costs.length > 1 && cost === Math.min(...costs));
  }
}

// Methods often share a guarantee, word by word: then it is said once.
function guarantee(method, cost) {
  const box = byId("guarantees");
  const same = Array.from(box.children).find((node) => node.dataset.text === cost.guarantee);
  if (same) {
    same.querySelector(".who").append(", ", mono(method.name));
    return;
  }
  const notes = cost.notes.filter((note) => !note.startsWith("auto:")).map((note) => el("p", { className: "soft" }, `Note: ${note}`));
  const node = el("div", { className: "panel guarantee" }, el("p", { className: "who" }, mono(method.name)), el("p", {}, cost.guarantee), ...notes);
  node.dataset.text = cost.guarantee;
  box.append(node);
}

const soon = later(200, () => compare());
byId("options").addEventListener("input", soon);
byId("options").addEventListener("submit", (event) => event.preventDefault());

try {
  known = await api("methods", { model });
  chip(model, known);
  relation.append(...known.relations.map((name) => el("option", {}, name)));
  extra.value = String(known.extra_states);
  byId("domain-box").hidden = known.kind !== "fsm";
  byId("coverage-box").hidden = known.kind !== "sts";
  extra.parentElement.hidden = known.kind === "sts";
  byId("properties").hidden = true;
  byId("properties").append(...known.properties.map((name) => el("label", { className: "check" }, el("input", { type: "checkbox", value: name, checked: true }), ` ${name} `)));
  ready();
  await compare();
} catch (error) { chip(model); alertOf(error); ready(); }
