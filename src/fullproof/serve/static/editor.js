// A text field with line numbers, a little colour and a marked line. Tab leaves it, as in any form.
import { byId, el } from "./bench.js";

const PAINTED = 60000;
const PIECES = /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')|([\w.-]+)(?=\s*:(?:\s|$))/g;

export class Editor {
  constructor(id, changed) {
    const box = byId(id);
    this.area = box.querySelector("textarea");
    this.gutter = box.querySelector(".gutter");
    this.paint = box.querySelector(".paint");
    this.band = box.querySelector(".band");
    this.message = byId(id + "-fault");
    this.marked = null;
    this.area.addEventListener("input", () => { this.draw(); changed(); });
    this.area.addEventListener("scroll", () => this.follow(), { passive: true });
    this.draw();
  }

  get text() { return this.area.value; }

  set text(value) {
    this.area.value = value;
    this.area.scrollTop = 0;
    this.area.scrollLeft = 0;
    this.fault(null);
    this.draw();
  }

  draw() {
    const text = this.area.value;
    const lines = text.split("\n").length;
    const plain = text.length > PAINTED;
    this.area.classList.toggle("bare", plain);
    this.paint.replaceChildren(...(plain ? [] : coloured(text)), "\n");
    if (this.gutter.childElementCount !== lines && lines < 20000) {
      this.gutter.replaceChildren(...Array.from({ length: lines }, (_, k) => el("span", {}, String(k + 1))));
    }
    this.mark();
    this.follow();
  }

  fault(error) {
    this.marked = error && error.line ? error.line : null;
    this.message.replaceChildren();
    if (error) {
      if (error.line) {
        const where = `line ${error.line}` + (error.column ? `, column ${error.column}` : "");
        const jump = el("button", { type: "button", className: "link" }, where);
        jump.addEventListener("click", () => this.go(error.line, error.column || 1));
        this.message.append(jump, ": ");
      }
      this.message.append(error.message);
    }
    this.area.setAttribute("aria-invalid", String(Boolean(error)));
    this.mark();
  }

  mark() {
    this.gutter.querySelector(".bad")?.classList.remove("bad");
    this.band.hidden = this.marked === null;
    if (this.marked !== null) this.gutter.children[this.marked - 1]?.classList.add("bad");
    this.follow();
  }

  go(line, column) {
    const before = this.area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const at = before + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, this.top(line) - this.area.clientHeight / 2);
  }

  top(line) {
    const style = getComputedStyle(this.area);
    return parseFloat(style.paddingTop) + (line - 1) * parseFloat(style.lineHeight);
  }

  follow() {
    const { scrollTop, scrollLeft } = this.area;
    this.paint.style.transform = `translate(${-scrollLeft}px,${-scrollTop}px)`;
    this.gutter.scrollTop = scrollTop;
    if (this.marked !== null) this.band.style.top = `${this.top(this.marked) - scrollTop}px`;
  }
}

function coloured(text) {
  const pieces = [];
  let last = 0;
  for (const found of text.matchAll(PIECES)) {
    pieces.push(text.slice(last, found.index), el("span", { className: found[1] ? "c" : found[2] ? "s" : "k" }, found[0]));
    last = found.index + found[0].length;
  }
  pieces.push(text.slice(last));
  return pieces;
}
