// A diagram to work with: zoom, pan, fit, full screen, by mouse, touch and keyboard; its parts can be taken.
import { el } from "./bench.js";

const LEAST = 0.1;
const MOST = 8;
const STEP = 1.25;
const PAN = 60;
const READABLE = 0.8;

export class Diagram {
  // ``states`` and ``arrows`` name the parts in the order in which they are drawn; ``take`` is called with
  // {state, line} or {arrow: [from, to], of: [transitions], line} where one is clicked or activated by Enter.
  constructor(box, { take = null, label = "Diagram of the model" } = {}) {
    this.take = take;
    this.label = label;
    this.drawn = null;
    this.scale = 1;
    this.stage = el("div", { className: "stage", tabIndex: 0, role: "group", ariaLabel: label });
    this.bar = el("div", { className: "view-bar" }, ...[
      ["−", "Zoom out", () => this.zoom(1 / STEP)],
      ["+", "Zoom in", () => this.zoom(STEP)],
      ["Fit", "Fit the diagram", () => this.fit()],
      ["Full", "Full screen", () => this.full()],
    ].map(([text, name, work]) => {
      const node = el("button", { type: "button", title: name, ariaLabel: name }, text);
      node.addEventListener("click", work);
      return node;
    }));
    this.box = box;
    box.removeAttribute("tabindex");
    box.classList.add("view");
    box.replaceChildren(this.bar, this.stage);
    this.listen();
  }

  // What ``draw`` has answered.
  show(found) {
    const svg = document.importNode(new DOMParser().parseFromString(found.svg, "image/svg+xml").documentElement, true);
    const kept = this.drawn && this.drawn.states.join() === found.states.join() ? this.scale : null;
    this.drawn = found;
    this.svg = svg;
    const view = svg.viewBox.baseVal;
    this.size = [view.width, view.height];
    this.stage.replaceChildren(svg);
    this.box.classList.remove("stale");
    this.states = Array.from(svg.querySelectorAll(".fp-box, .fp-state, .fp-choice"));
    this.arrows = Array.from(svg.querySelectorAll(".fp-arrow"));
    this.labels = Array.from(svg.querySelectorAll(".fp-label"));
    if (this.take) this.reachable();
    if (kept === null) this.begin(); else this.apply(kept);
  }

  message(text) {
    this.drawn = null;
    this.svg = null;
    this.stage.replaceChildren(el("p", { className: "soft" }, text));
    this.box.classList.remove("stale");
  }

  // Parts are buttons: one of them is in the order of Tab, arrow keys lead from one to the next. They are the states, the
  // arrows, and each line of text that is about a transition of its own: inside of a state, or of an arrow for several.
  reachable() {
    const said = (node) => node.querySelector("title")?.textContent || "";
    const ends = ([from, to]) => `from ${from} to ${to}`;
    // To a screen reader an image has no parts, and neither has a button: of a state with lines its outline is the button.
    this.svg.setAttribute("role", "group");
    const outline = (node) => (node.querySelector("text[data-of]") && node.querySelector(":scope > rect, :scope > polygon, :scope > path")) || node;
    this.parts = [
      ...this.states.map((node, k) => ({ node: outline(node), whole: node, name: `state ${this.drawn.states[k]}`, what: { state: this.drawn.states[k], line: this.drawn.state_lines[k] } })),
      ...this.arrows.map((node, k) => ({ node, name: `${ends(this.drawn.arrows[k])}: ${said(node)}`, what: { arrow: this.drawn.arrows[k], line: this.drawn.arrow_lines[k], of: numbers(node) } })),
    ];
    // Labels stand in the order of their arrows, of which some have none.
    let k = 0;
    for (const label of this.labels) {
      while (k < this.arrows.length && said(this.arrows[k]) !== said(label)) k += 1;
      if (k < this.arrows.length) this.labelled(label, this.drawn.arrows[k], numbers(this.arrows[k]).length > 1);
      k += 1;
    }
    this.states.forEach((node, k) => this.labelled(node, [this.drawn.states[k], this.drawn.states[k]], true));
    this.parts.forEach(({ node, whole = node, name, what }, k) => {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", k ? "-1" : "0");
      node.setAttribute("aria-label", name);
      if (whole !== node) { whole.setAttribute("role", "group"); whole.setAttribute("aria-label", name); }
      this.clicked(whole, what);
      node.addEventListener("keydown", (event) => this.key(event, k));
    });
  }

  // The lines of text of a label or a state. One that continues the line above it is the same part.
  labelled(box, arrow, apart) {
    let before = "";
    for (const node of box.querySelectorAll("text[data-of]")) {
      const what = { arrow, line: this.drawn.transition_lines[numbers(node)[0]], of: numbers(node) };
      if (apart && node.dataset.of !== before) this.parts.push({ node, name: `transition ${node.textContent} of ${arrow[0]}`, what });
      else this.clicked(node, what);
      before = node.dataset.of;
    }
  }

  clicked(node, what) {
    node.addEventListener("click", (event) => { event.stopPropagation(); this.chosen(what); });
  }

  key(event, k) {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (way) {
      const next = this.parts[(k + way + this.parts.length) % this.parts.length].node;
      this.parts[k].node.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.chosen(this.parts[k].what);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  chosen(what) {
    if (!this.dragged) this.take(what);
  }

  // Marks states by name, and the ways of steps: their transitions where these are known, else arrows from end to end.
  mark({ here = [], taken = [], wrong = [] } = {}) {
    if (!this.svg) return;
    for (const node of this.svg.querySelectorAll(".fp-here, .fp-taken, .fp-fault")) node.classList.remove("fp-here", "fp-taken", "fp-fault");
    for (const name of here) this.states[this.drawn.states.indexOf(name)]?.classList.add("fp-here");
    for (const step of taken) for (const node of this.way(step)) node.classList.add("fp-taken");
    for (const step of wrong) for (const node of this.way(step)) node.classList.add("fp-fault");
    this.stage.setAttribute("aria-label", here.length ? `${this.label}, now in ${here.at(-1)}` : this.label);
    this.bring(here.length ? this.states[this.drawn.states.indexOf(here.at(-1))] : null);
  }

  way({ from, to, taken = [] }) {
    const about = (node) => numbers(node).some((number) => taken.includes(number));
    const found = [...this.arrows, ...this.svg.querySelectorAll("text[data-of]")].filter(about);
    return found.length ? found : this.arrows.filter((_, k) => this.drawn.arrows[k][0] === from && this.drawn.arrows[k][1] === to);
  }

  bring(node) {
    if (!node) return;
    const [part, frame] = [node.getBoundingClientRect(), this.stage.getBoundingClientRect()];
    if (part.left < frame.left || part.right > frame.right) this.stage.scrollLeft += part.left + part.width / 2 - frame.left - frame.width / 2;
    if (part.top < frame.top || part.bottom > frame.bottom) this.stage.scrollTop += part.top + part.height / 2 - frame.top - frame.height / 2;
  }

  apply(scale) {
    this.scale = Math.min(MOST, Math.max(LEAST, scale));
    if (!this.svg) return;
    this.svg.style.width = `${this.size[0] * this.scale}px`;
    this.svg.style.height = `${this.size[1] * this.scale}px`;
  }

  // Around the middle of what is seen, or around a point.
  zoom(factor, x = this.stage.clientWidth / 2, y = this.stage.clientHeight / 2) {
    const before = this.scale;
    this.apply(before * factor);
    const by = this.scale / before;
    this.stage.scrollLeft = (this.stage.scrollLeft + x) * by - x;
    this.stage.scrollTop = (this.stage.scrollTop + y) * by - y;
  }

  fit() {
    if (!this.svg) return;
    this.apply(this.fitting());
    this.stage.scrollTo(0, 0);
  }

  // All of it, as large as there is room.
  fitting() {
    const style = getComputedStyle(this.stage);
    const free = (one, other) => parseFloat(style[one]) + parseFloat(style[other]) + 4;
    const room = this.stage.clientWidth - free("paddingLeft", "paddingRight");
    const tall = document.fullscreenElement === this.box ? this.stage.clientHeight : Math.max(this.stage.clientHeight, innerHeight * 0.7);
    return Math.min(1, room / this.size[0], (tall - free("paddingTop", "paddingBottom")) / this.size[1]);
  }

  // At first letters are large enough to be read, around where the machine begins, even where there is no room for all.
  begin() {
    this.apply(Math.max(READABLE, this.fitting()));
    this.stage.scrollTo(0, 0);
    this.bring(this.svg.querySelector(".fp-entry"));
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.box.requestFullscreen?.().then(() => this.fit(), () => {});
  }

  listen() {
    const stage = this.stage;
    stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = stage.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, event.clientX - frame.left, event.clientY - frame.top);
    }, { passive: false });
    stage.addEventListener("keydown", (event) => {
      const pan = { ArrowLeft: [-PAN, 0], ArrowRight: [PAN, 0], ArrowUp: [0, -PAN], ArrowDown: [0, PAN] }[event.key];
      if (pan && event.target === stage) stage.scrollBy(...pan);
      else if (event.key === "+" || event.key === "=") this.zoom(STEP);
      else if (event.key === "-") this.zoom(1 / STEP);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    });
    let from = null;
    stage.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.button === 0 && event.pointerType === "mouse") from = [event.clientX, event.clientY, stage.scrollLeft, stage.scrollTop];
    });
    stage.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
      if (Math.abs(dx) + Math.abs(dy) > 4) this.dragged = true;
      stage.scrollTo(from[2] - dx, from[3] - dy);
    });
    addEventListener("pointerup", () => { from = null; });
    this.box.addEventListener("fullscreenchange", () => this.fit());
  }
}

// The transitions that an element of the drawing is about.
const numbers = (node) => (node.dataset.of || "").split(" ").filter(Boolean).map(Number);

// The move of something that a transition system did: {send: [gate, values]}, {emit: ...} or silence.
export const seen = (event) => ({ event });

// The move by which an input is played in Simulate, for each kind of models that answer inputs.
export function moveOf(input) {
  if (typeof input === "string") return { name: input };
  const { trigger, ...values } = input;
  return { name: trigger || "", values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])) };
}
