// Methods side by side: each is asked what its suite costs and guarantees, two at a time.
import { alertOf, api, byId, chip, download, el, handOver, hideIdle, keep, later, latest, mono, number, ready, seconds, text, theModel } from "./bench.js";

const AT_ONCE = 2;
const MOST = 200;
// Suites for faults by name are made in one way.
const NAMED = { name: "faults", title: "complete for the faults that are named", paper: "docs/named-faults.md" };
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
  if (byId("faults").value.trim()) asked.faults = byId("faults").value.trim();
  if (byId("guards").checked) asked.mutate_guards = true;
  return asked;
}

const compare = latest(async (signal) => {
  known = await api("methods", { model, relation: relation.value || null }, { signal });
  alertOf(null);
  byId("properties").hidden = relation.value !== "property";
  const asked = options();
  keep("options", { relation: relation.value, extra_states: extra.value });
  const lines = (asked.faults ? [NAMED] : known.methods).map((method) => new Line(method, asked));
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
    this.ended = false;
    this.cells = Array.from({ length: 5 }, (_, k) => el("td", { className: k === 2 ? "wide" : k === 4 ? "" : "right" }));
    ["tests", "inputs", "", "seconds", ""].forEach((label, k) => { if (label) this.cells[k].dataset.label = label; });
    this.proves = el("td", { className: "proves" });
    this.proves.dataset.label = "guarantee";
    this.row = el("tr", {}, el("td", {}, el("p", {}, el("b", {}, method.name), ` ${method.title}`), el("p", { className: "paper" }, method.paper)), ...this.cells.slice(0, 4), this.proves, this.cells[4]);
    this.row.dataset.method = method.name;
    this.row.classList.add("working");
    this.cells[0].textContent = "…";
  }

  async ask(signal) {
    try {
      this.cost = await api("cost", this.asked, { signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this.ended = true;
      this.row.classList.remove("working");
      this.row.replaceChildren(this.row.firstChild, el("td", { colSpan: 6, className: "soft" }, error.message));
      return;
    }
    this.ended = true;
    const [tests, inputs, meter, time, actions] = this.cells;
    tests.textContent = number(this.cost.tests);
    inputs.textContent = number(this.cost.inputs);
    meter.replaceChildren(el("div", { className: "meter" }, el("i")));
    time.textContent = seconds(this.cost.seconds);
    actions.replaceChildren(this.button("jsonl", "Download"), " ", this.button("csv", "CSV"), " ", this.shower());
    this.row.classList.remove("working");
    this.proves.replaceChildren(guarantee(this.method, this.cost));
  }

  // The tests themselves, below the line of their method.
  shower() {
    const node = el("button", { type: "button", ariaExpanded: "false", ariaLabel: `Show the tests of ${this.method.name}` }, "Tests");
    node.addEventListener("click", async () => {
      if (this.shown) { this.shown.remove(); this.shown = null; node.ariaExpanded = "false"; return; }
      node.disabled = true;
      try {
        const made = await api("generate", this.asked);
        const tests = made.suite.trim().split("\n").slice(1).map((line) => JSON.parse(line));
        const lines = tests.slice(0, MOST).map((test) => el("li", {}, mono((test.inputs || []).map(text).join("  ·  ") || test.id)));
        const more = tests.length > MOST ? [el("p", { className: "soft" }, `and ${number(tests.length - MOST)} more: download the suite`)] : [];
        this.shown = el("tr", { className: "tests" }, el("td", { colSpan: 7 }, el("ol", { className: "tests-list" }, ...lines), ...more));
        this.row.after(this.shown);
        node.ariaExpanded = "true";
        alertOf(null);
      } catch (error) { alertOf(error); }
      node.disabled = false;
    });
    return node;
  }

  button(format, name) {
    const node = el("button", { type: "button", "aria-label": `${name} the suite of ${this.method.name}` }, name);
    node.addEventListener("click", async () => {
      node.disabled = true;
      try {
        const made = await api("generate", { ...this.asked, format });
        download(`${model.name.replace(/\.[^.]*$/, "")}-${this.method.name}.${format}`, made.suite);
        if (format === "jsonl") handOver("suite", made.suite);
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
    line.row.classList.toggle("best", costs.length > 1 && cost === Math.min(...costs) && lines.every((one) => one.ended));
  }
}

// Methods share a guarantee but for the theorem that it rests on: it is said once, and lines name it by its letter.
function guarantee(method, cost) {
  const box = byId("guarantees");
  const { theorem, ...claim } = cost.claim;
  const cited = theorem ? ` (${[theorem.name, ...theorem.citations].join("; ")})` : "";
  const said = cited && cost.guarantee.includes(cited) ? cost.guarantee.replace(cited, "") : cost.guarantee;
  const key = JSON.stringify([claim, said]);
  let node = Array.from(box.children).find((one) => one.dataset.key === key);
  if (!node) {
    const letter = String.fromCharCode(65 + (box.childElementCount % 26));
    const notes = cost.notes.filter((note) => !note.startsWith("auto:")).map((note) => el("p", { className: "soft" }, `Note: ${note}`));
    node = el("div", { className: "panel guarantee", id: `guarantee-${letter}` }, el("p", {}, el("b", {}, `${letter}. `), said), el("p", { className: "soft who" }, "By "), ...notes);
    Object.assign(node.dataset, { key, letter });
    box.append(node);
  }
  const who = node.querySelector(".who");
  who.append(who.querySelector(".mono") ? "; " : "", mono(method.name), cited);
  return el("a", { href: `#guarantee-${node.dataset.letter}`, title: cost.guarantee }, node.dataset.letter);
}

const soon = later(200, () => compare());
byId("options").addEventListener("input", soon);
byId("options").addEventListener("submit", (event) => event.preventDefault());

try {
  known = await api("methods", { model });
  chip(model, known);
  relation.append(...known.relations.map((name) => el("option", {}, name)));
  extra.value = known.extra_states_given ? String(known.extra_states) : "";
  byId("domain-box").hidden = known.kind !== "fsm";
  byId("guards-box").hidden = known.kind !== "sfsm";
  byId("coverage-box").hidden = known.kind !== "sts";
  hideIdle(known.idle);
  byId("properties").hidden = true;
  byId("properties").append(...known.properties.map((name) => el("label", { className: "check" }, el("input", { type: "checkbox", value: name, checked: true }), ` ${name} `)));
  ready();
  await compare();
} catch (error) { chip(model); alertOf(error); ready(); }
