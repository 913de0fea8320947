// A group of failures with one cause: its shortest sequence on the diagram, step by step, and what explains it.
import { el, keep, mono, number, row, table } from "./bench.js";
import { moveOf, seen } from "./diagram.js";
import { along, path } from "./path.js";

const SHOWN = 12;

// Names in a title stand between backticks.
const titled = (title) => el("h3", {}, ...title.split("`").map((part, k) => (k % 2 ? el("code", {}, part) : part)));

function stepsOf(steps, first = 0) {
  const rows = steps.map((step, k) => Object.assign(row(el("td", { className: "num" }, String(first + k + 1)), mono(step.input), mono(step.allowed), mono(step.observed)), { className: step.ok ? "" : "bad" }));
  const node = table(["step", "input", "the model allows", "observed"], rows);
  node.classList.add("failures");
  return node;
}

// ``open``: whether the diagram is shown at once.
export function failureOf(group, state, model, { open = false } = {}) {
  const hidden = Math.max(0, group.steps.length - SHOWN);
  const node = el("article", { className: "cause" }, titled(group.title));
  if (hidden) node.append(el("details", {}, el("summary", { className: "soft" }, `The first ${number(hidden)} steps, which went well`), stepsOf(group.steps.slice(0, hidden))));
  if (group.steps.length) node.append(stepsOf(group.steps.slice(hidden), hidden));
  node.append(el("p", { className: "soft" }, group.standing, group.requirements.length ? `; concerns ${group.requirements.join(", ")}` : ""));
  if (group.cause) node.append(el("p", {}, el("b", {}, "Diagnosis: "), group.cause.sentence));
  node.append(actionsOf(group, state, model));
  const way = playedOf(group);
  if (way.moves.length) node.append(walkOf(way, model, open));
  return node;
}

// The steps that can be played in Simulate, each with its move: what a transition system did, or inputs. What a tester of
// transition systems would have done, where nothing of it is known, has no place there.
function playedOf(group) {
  const told = group.steps.filter((step) => step.event);
  if (told.length) return { rows: told, moves: told.map((step) => seen(step.event)) };
  const plain = (input) => typeof input === "string" || (typeof input === "object" && !Array.isArray(input));
  const inputs = group.shortest.every(plain) ? group.shortest : [];
  return { rows: inputs.length ? group.steps.slice(-inputs.length) : [], moves: inputs.map(moveOf) };
}

function actionsOf(group, state, model) {
  const line = el("p", { className: "choices" });
  const { moves } = playedOf(group);
  if (moves.length) {
    const replay = el("button", { type: "button" }, "Replay in Simulate");
    replay.addEventListener("click", () => { keep("moves", { text: model.text, moves }); location.href = "/simulate"; });
    line.append(replay);
  }
  if (state.report && group.proves) {
    const script = `reproduce-${group.proves}.py`;
    line.append(el("a", { href: `/api/runs/${state.id}/files/${script}`, className: "button" }, "Reproduce: download the script"));
  }
  return line;
}

const said = (row) => [row.input, row.observed && `→ ${row.observed}`].filter(Boolean).join(" ") + (row.ok ? "" : `, where the model allows ${row.allowed}`);

function walkOf({ rows, moves }, model, open) {
  const box = el("div", { className: "diagram" });
  const where = el("p", { className: "choices", role: "status" });
  const details = el("details", { open }, el("summary", {}, "Step by step on the diagram"), where, box);
  let begun = false;
  const begin = async () => {
    if (begun || !details.open) return;
    begun = true;
    const { diagram, played } = await path(box, model, moves, { label: "The way of the failure" });
    const { steps } = played;
    const last = Math.min(moves.length, steps.length + (played.refused === null ? 0 : 1));
    let at = last;
    const show = () => {
      along(diagram, played, at, moves.length);
      text.textContent = at === 0 ? `at the beginning, in ${steps[0]?.from ?? played.state}` : `step ${at} of ${last}: ${rows[at - 1] ? said(rows[at - 1]) : steps[at - 1].input}`;
      [back.disabled, on.disabled] = [at === 0, at >= last];
    };
    const button = (name, by) => {
      const node = el("button", { type: "button" }, name);
      node.addEventListener("click", () => { at = Math.min(last, Math.max(0, at + by)); show(); });
      return node;
    };
    const [back, on, text] = [button("← Back", -1), button("Step →", 1), el("span")];
    where.replaceChildren(back, on, text);
    show();
  };
  details.addEventListener("toggle", begin);
  if (open) begin();
  return details;
}
