// What all pages share: the interface, the model at hand, small pieces of pages. Every value becomes text, never markup.
const meta = document.querySelector("meta[name=csrf]");
const KEY = "fullproof.";

export class Complaint extends Error {
  constructor(status, body) {
    super(body.message || "the workbench does not answer");
    Object.assign(this, { status, kind: body.error, file: body.file, line: body.line, column: body.column });
  }
}

export async function api(path, body, { signal, method } = {}) {
  let response;
  const headers = { [meta.dataset.header]: meta.content };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options = { method: method || (body === undefined ? "GET" : "POST"), headers, signal };
  if (body !== undefined) options.body = JSON.stringify(body);
  try {
    response = await fetch("/api/" + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Complaint(0, { error: "gone", message: "the workbench has ended: start it again in its terminal" });
  }
  let answer = {};
  try { answer = await response.json(); } catch (error) { if (error.name === "AbortError") throw error; }
  if (!response.ok) throw new Complaint(response.status, answer);
  return answer;
}

// Until its script listens, a page takes no clicks, which would be lost.
export function ready() {
  byId("main").inert = false;
  document.body.dataset.ready = "";
}

export const byId = (id) => document.getElementById(id);

// Options that do nothing for a model are not shown, and nothing of another model is left in them.
export function hideIdle(idle) {
  for (const [option, id] of [["extra_states", "extra"], ["faults", "faults"]]) {
    if (idle.includes(option)) byId(id).value = "";
    byId(id).parentElement.hidden = idle.includes(option);
  }
}

export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name in node) node[name] = value; else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const badge = (kind, text = kind) => el("span", { className: "badge " + kind }, text);
export const mono = (text) => el("span", { className: "mono" }, text);
export const number = (value) => Number(value).toLocaleString("en");
export const counted = (value, noun, plural = `${noun}s`) => `${number(value)} ${Number(value) === 1 ? noun : plural}`;
export const seconds = (value) => (value < 10 ? value.toFixed(2) : number(Math.round(value)));

// Values of any shape, as one would write them down.
export function text(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(text).join(", ");
  return Object.entries(value).map(([key, part]) => `${key} = ${text(part)}`).join(", ");
}

export function table(heads, rows) {
  const head = el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)));
  return el("div", { className: "scroll" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}

export const row = (...cells) => el("tr", {}, ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : el("td", {}, cell))));

export function alertOf(error) {
  const box = byId("alert");
  box.hidden = !error;
  box.textContent = error ? error.message : "";
}

export function keep(name, value) { try { sessionStorage.setItem(KEY + name, JSON.stringify(value)); } catch { /* too large to keep: the page still has it */ } }
export function kept(name) { try { return JSON.parse(sessionStorage.getItem(KEY + name)); } catch { return null; } }

// What another page is to begin with. What a person typed there stays: undo brings it back.
const HANDED = 1e6;
export function handOver(name, value) { if (JSON.stringify(value).length < HANDED) keep(`${name}.handed`, value); }
export function handed(name) {
  const value = kept(`${name}.handed`);
  try { sessionStorage.removeItem(`${KEY}${name}.handed`); } catch { /* there is no storage, so nothing was handed over */ }
  return value;
}

export async function theModel() {
  const known = kept("model");
  if (known) return known;
  const [first] = await api("models");
  keep("model", first);
  return first;
}

export function chip(model, profile) {
  const node = byId("chip");
  node.hidden = document.body.dataset.page === "model";
  node.replaceChildren(el("b", {}, model.name), profile ? ` · ${profile.kind}` : "");
}

export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// A question with a few answers; resolves to the value of the one that was chosen, or to null.
export function choose(question, answers) {
  const box = el("dialog", { className: "panel ask" }, el("p", {}, question));
  const asked = new Promise((resolve) => box.addEventListener("close", () => { box.remove(); resolve(box.returnValue || null); }));
  box.append(el("form", { method: "dialog", className: "choices" }, ...answers.map(([value, text], k) => el("button", { value, className: k ? "" : "primary" }, text))));
  document.body.append(box);
  box.showModal();
  return asked;
}

// A file that is opened or dropped; the name never leaves the page but for its ending.
export function openFiles(input, take) {
  const read = async (file) => { if (file) take({ name: file.name, text: await file.text() }); };
  if (input) input.addEventListener("change", async () => { await read(input.files[0]); input.value = ""; });
  const veil = byId("drop");
  let depth = 0;
  const over = (event) => Array.from(event.dataTransfer?.types || []).includes("Files");
  addEventListener("dragenter", (event) => { if (over(event)) { event.preventDefault(); depth += 1; veil.hidden = false; } });
  addEventListener("dragleave", (event) => { if (over(event)) { depth -= 1; veil.hidden = depth <= 0; } });
  addEventListener("dragover", (event) => { if (over(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!over(event)) return;
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    read(event.dataTransfer.files[0]);
  });
}

export function later(wait, work) {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(work, wait); };
}

// That something takes time: for how long it did so far, and a way to stop it.
export function waiting(box, text, stop) {
  const began = Date.now();
  const time = el("span", {});
  const button = el("button", { type: "button" }, "Stop");
  button.addEventListener("click", () => { stop(); box.replaceChildren(el("p", { className: "soft" }, "Stopped.")); });
  const line = el("p", { className: "soft choices" }, text, time, button);
  box.replaceChildren(line);
  const timer = setInterval(() => {
    if (!line.isConnected) return clearInterval(timer);
    time.textContent = `${Math.round((Date.now() - began) / 1000)} s`;
  }, 1000);
}

// Work of which only the latest counts: what came before is told to stop, as ``stop`` does.
export function latest(work) {
  let last;
  const begin = async (...words) => {
    last?.abort();
    const mine = (last = new AbortController());
    try {
      await work(mine.signal, ...words);
    } catch (error) {
      if (error.name === "AbortError" || mine.signal.aborted) return;
      if (!(error instanceof Complaint)) throw error;
      alertOf(error);
    }
  };
  begin.stop = () => last?.abort();
  return begin;
}
