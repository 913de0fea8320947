// A group of failures with one cause: its shortest sequence on the diagram, step by step, and what explains it.
import { el, keep, mono, number, row, table } from "./bench.js";
import { moveOf } from "./diagram.js";
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
  if (playable(group)) node.append(walkOf(group, model, open));
  return node;
}

// Moves of a tester of transition systems have no place in Simulate.
const playable = (group) => group.shortest.length > 0 && group.shortest.every((input) => typeof input === "string" || (typeof input === "object" && !Array.isArray(input) && !input.send && !input.listen));

function actionsOf(group, state, model) {
  const line = el("p", { className: "choices" });
  if (playable(group)) {
    const replay = el("button", { type: "button" }, "Replay in Simulate");
    replay.addEventListener("click", () => { keep("moves", { text: model.text, moves: group.shortest.map(moveOf) }); location.href = "/simulate"; });
    line.append(replay);
  }
  if (state.report && group.proves) {
    const script = `reproduce-${group.proves}.py`;
    line.append(el("a", { href: `/api/runs/${state.id}/files/${script}`, className: "button" }, "Reproduce: download the script"));
  }
  return line;
}

function walkOf(group, model, open) {
  const box = el("div", { className: "diagram" });
  const where = el("p", { className: "choices", role: "status" });
  const details = el("details", { open }, el("summary", {}, "Step by step on the diagram"), where, box);
  let begun = false;
  const begin = async () => {
    if (begun || !details.open) return;
    begun = true;
    const { diagram, steps } = await path(box, model, group.shortest, { label: "The way of the failure" });
    let at = steps.length;
    const show = () => {
      along(diagram, steps, at, group.shortest.length);
      const step = group.steps[group.steps.length - group.shortest.length + at - 1];
      text.textContent = at === 0 ? `at the beginning, in ${steps[0]?.from}` : `step ${at} of ${steps.length}: ${step ? `${step.input} → ${step.observed}${step.ok ? "" : `, where the model allows ${step.allowed}`}` : steps[at - 1].input}`;
      [back.disabled, on.disabled] = [at === 0, at >= steps.length];
    };
    const button = (name, by) => {
      const node = el("button", { type: "button" }, name);
      node.addEventListener("click", () => { at = Math.min(steps.length, Math.max(0, at + by)); show(); });
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
