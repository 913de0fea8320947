// The way of a sequence of inputs through a model, on its diagram.
import { api } from "./bench.js";
import { Diagram, moveOf } from "./diagram.js";

// Draws a model in a box with the states and arrows that the inputs lead along; the last step is marked as wrong.
// Where a model leaves a choice, the way is one of those possible. Resolves to the diagram and its steps.
export async function path(box, model, inputs, { label, signal, take } = {}) {
  const diagram = new Diagram(box, { label, take });
  try {
    const [drawn, played] = await Promise.all([
      api("draw", { model }, { signal }),
      api("simulate", { model, moves: inputs.map(moveOf) }, { signal }),
    ]);
    diagram.show(drawn);
    along(diagram, played.steps, played.steps.length, inputs.length);
    return { diagram, steps: played.steps };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    diagram.message(error.message);
    return { diagram, steps: [] };
  }
}

// Marks the first so many steps; the one of the number ``bad`` is the wrong one.
export function along(diagram, steps, count, bad) {
  const done = steps.slice(0, count);
  const here = done.length ? done.at(-1).active : steps.length ? [steps[0].from] : [];
  const wrong = count === bad && done.length ? [done.at(-1)] : [];
  diagram.mark({ here, taken: done.slice(0, done.length - wrong.length), wrong });
}
