// A run, or learning, that goes on at the server: what is heard of it until it ends.
import { alertOf, api, byId, counted, number, seconds } from "./bench.js";

export const goesOn = (state) => ["waiting", "running"].includes(state.status);

// Shows progress in the page's panel; ``ended`` gets the last state. The page's buttons #start and #stop belong to it.
export function watch(run, ended, waiting) {
  const [start, stop] = [byId("start"), byId("stop")];
  start.disabled = true;
  stop.hidden = false;
  stop.onclick = () => api(`runs/${run.id}`, undefined, { method: "DELETE" });
  byId("live").hidden = false;
  progress(run, waiting);
  const events = new EventSource(`/api/runs/${run.id}/events`);
  const end = () => { events.close(); start.disabled = false; stop.hidden = true; };
  events.onmessage = (event) => {
    const state = JSON.parse(event.data);
    progress(state, waiting);
    if (goesOn(state)) return;
    end();
    byId("live").hidden = true;
    ended(state);
  };
  events.onerror = () => { end(); alertOf(new Error("the workbench has ended, or the run was forgotten")); };
}

function progress(state, waiting) {
  const bar = byId("bar");
  const done = state.total === null ? counted(state.done, "test") : `${number(state.done)} of ${counted(state.total, "test")}`;
  byId("live-text").textContent = state.status === "waiting" ? waiting : `${done}, ${counted(state.steps, "step")}, ${seconds(state.seconds)} s`;
  if (state.total) { bar.max = state.total; bar.value = state.done; } else bar.removeAttribute("value");
}
