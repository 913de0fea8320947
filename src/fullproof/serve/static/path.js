// The way of a sequence of moves through a model, on its diagram.
import { api } from "./bench.js";
import { Diagram } from "./diagram.js";

// Draws a model in a box with the states and arrows that the moves lead along; the last step is marked as wrong.
// Where a model leaves a choice, the way is one of those possible. Resolves to the diagram and what was played.
export async function path(box, model, moves, { label, signal, take } = {}) {
  const diagram = new Diagram(box, { label, take });
  try {
    const [drawn, played] = await Promise.all([
      api("draw", { model }, { signal }),
      api("simulate", { model, moves }, { signal }),
    ]);
    diagram.show(drawn);
    along(diagram, played, moves.length, moves.length);
    return { diagram, played };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    diagram.message(error.message);
    return { diagram, played: { steps: [], outgoing: [], refused: null } };
  }
}

// Marks the first so many steps; the one of the number ``bad`` is the wrong one. Where the model does not go on, what it
// would do instead is marked: the outputs that it has there.
export function along(diagram, { steps, outgoing, refused }, count, bad) {
  const done = steps.slice(0, count);
  const here = done.length ? done.at(-1).active : steps.length ? [steps[0].from] : [];
  const stuck = refused !== null && count > steps.length;
  const instead = stuck ? outgoing.filter((one) => one.try && !one.try.name).map((one) => ({ to: one.to, taken: one.of })) : [];
  const wrong = !stuck && count === bad && done.length ? [done.at(-1)] : [];
  diagram.mark({ here, taken: done.slice(0, done.length - wrong.length), wrong: [...wrong, ...instead] });
}
