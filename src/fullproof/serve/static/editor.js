// The editor of a page: CodeMirror where it was built into the package (see docs/workbench.md), else a text field with
// line numbers, a little colour and a marked line, which a person can also ask for.
import { byId, el, keep, kept } from "./bench.js";

const PAINTED = 60000;
const PIECES = /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')|([\w.-]+)(?=\s*:(?:\s|$))/g;

class PlainEditor {
  constructor(id, changed) {
    const box = byId(id);
    this.area = box.querySelector("textarea");
    this.gutter = box.querySelector(".gutter");
    this.paint = box.querySelector(".paint");
    this.band = box.querySelector(".band");
    this.marked = null;
    this.area.addEventListener("input", () => { this.draw(); changed(); });
    this.area.addEventListener("scroll", () => this.follow(), { passive: true });
    this.draw();
  }

  get text() { return this.area.value; }

  // By a command where there is one, so that undo takes it back, too.
  set text(value) {
    const before = document.activeElement;
    this.area.focus({ preventScroll: true });
    this.area.select();
    if (this.area.value === value || !document.execCommand("insertText", false, value) || this.area.value !== value) this.area.value = value;
    this.area.setSelectionRange(0, 0);
    if (before !== this.area) { this.area.blur(); before?.focus?.({ preventScroll: true }); }
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

  get line() { return this.area.value.slice(0, this.area.selectionStart).split("\n").length; }

  named() { /* colours are the same for all formats */ }

  fault(error) {
    this.marked = error && error.line ? error.line : null;
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

// An editor in the box of this id, with the message below it. ``words`` offers completions: see editor/editor.js.
export async function openEditor(id, changed, words = () => []) {
  const box = byId(id);
  const message = byId(id + "-fault");
  const built = document.body.dataset.editor === "codemirror";
  const editor = built && !kept("plain") ? await real(box, id, changed, words) : new PlainEditor(id, changed);
  if (built) message.after(choice(editor instanceof PlainEditor));
  return new PageEditor(editor, message);
}

// Either editor with the message below it.
class PageEditor {
  constructor(editor, message) { Object.assign(this, { editor, message }); }

  get text() { return this.editor.text; }

  set text(value) { this.fault(null); this.editor.text = value; }

  get line() { return this.editor.line; }

  go(line, column) { this.editor.go(line, column); }

  named(name) { this.editor.named(name); }

  fault(error) {
    this.editor.fault(error);
    this.message.replaceChildren(...(error ? said(error, this.editor) : []));
  }
}

async function real(box, id, changed, words) {
  const { open } = await import("./codemirror.js");
  const label = box.querySelector("textarea").getAttribute("aria-label");
  const parent = el("div", { className: "real" });
  box.replaceChildren(parent);
  return open({ parent, label: `${label}. Escape, then Tab, leaves the editor.`, described: `${id}-fault`, changed, words });
}

function said(error, editor) {
  if (!error.line) return [error.message];
  const where = `line ${error.line}` + (error.column ? `, column ${error.column}` : "");
  const jump = el("button", { type: "button", className: "link" }, where);
  jump.addEventListener("click", () => editor.go(error.line, error.column || 1));
  return [jump, ": ", error.message];
}

function choice(plain) {
  const node = el("button", { type: "button", className: "link soft" }, plain ? "Use the editor" : "Use a plain text field");
  node.addEventListener("click", () => { keep("plain", !plain); location.reload(); });
  return el("p", { className: "editor-choice" }, node);
}
