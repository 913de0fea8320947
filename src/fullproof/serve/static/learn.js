// Learn the model of a system that has none, and watch.
import { alertOf, api, byId, chip, counted, download, el, handOver, keep, kept, ready, theModel } from "./bench.js";
import { path } from "./path.js";
import { goesOn, watch } from "./watch.js";

const systems = await api("systems");
const start = byId("start");
const choice = (system) => el("label", { className: "system" }, el("input", { type: "radio", name: "system", value: system.name, ariaLabel: system.name, ariaDescription: system.spec }), el("span", {}, el("b", {}, system.name), el("code", {}, system.spec)));
byId("systems").append(...systems.map(choice));
byId("no-systems").hidden = systems.length > 0;
start.disabled = !systems.length;
if (systems.length) document.querySelector("input[name=system]").checked = true;
byId("inputs").value = kept("inputs") || "";
chip(await theModel());

byId("options").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (start.disabled) return;
  start.disabled = true;
  byId("outcome").replaceChildren();
  const inputs = byId("inputs").value.split(",").map((name) => name.trim()).filter(Boolean);
  keep("inputs", inputs.join(", "));
  try {
    if (!inputs.length) throw new Error("Name the inputs of the system, separated by commas.");
    const asked = { system: document.querySelector("input[name=system]:checked").value, inputs };
    if (byId("extra").value !== "") asked.extra_states = Number(byId("extra").value);
    follow(await api("learn", asked));
    alertOf(null);
  } catch (error) { alertOf(error); start.disabled = false; }
});

const follow = (run) => watch(run, outcome, "Opening the system …");

function outcome(state) {
  const box = byId("outcome");
  if (!state.result) {
    const text = state.status === "stopped" ? "Learning was stopped." : `No model was learnt: ${state.complaint.message}`;
    box.replaceChildren(el("div", { className: "panel notrun", role: "alert" }, el("p", {}, text)));
    return;
  }
  const found = state.result;
  const learnt = { name: "learnt.yaml", text: found.text };
  const button = (text, work) => {
    const node = el("button", { type: "button" }, text);
    node.addEventListener("click", work);
    return node;
  };
  const picture = el("div", { className: "diagram" });
  box.replaceChildren(el("div", { className: "panel" },
    el("p", { className: "verdict" }, el("b", {}, counted(found.states, "state")), ` learnt from ${state.system} with ${counted(found.tests, "test")}, ${counted(found.inputs, "input")} and ${counted(found.rounds, "hypothesis", "hypotheses")}`),
    el("p", {}, found.guarantee),
    ...found.notes.map((note) => el("p", { className: "soft" }, `Note: ${note}`)),
    el("p", { className: "choices" },
      button("Open it in a tab", () => window.open(`/model#learnt=${state.id}`, "_blank", "noopener")),
      button("Compare it with the model", () => { handOver("other", learnt); location.href = "/compare"; }),
      button("Download", () => download(learnt.name, learnt.text))),
    picture));
  path(picture, learnt, [], { label: "Diagram of the learnt model" });
}

ready();
const latest = (await api("runs")).find((run) => run.question === "learn");
if (latest) goesOn(latest) ? follow(latest) : outcome(latest);
