// Runs machines with XState: one line of JSON in, one line of JSON out.
//
// In: {"machine": a machine as JSON, "events": [names], "given": {names of guards: truth values}}.
// Out: for the start and for each event, {"states": active atomic states, "sent": actions by name, "context": values}.
// Guards that are names are looked up in "given", other guards and assignments are evaluated.
const { createMachine, createActor, assign, raise } = require("xstate");
const readline = require("readline");

const isName = (text) => /^[A-Za-z_]\w*$/.test(text);
const evaluated = (text, context) => new Function(...Object.keys(context), `return (${text});`)(...Object.values(context));

function converted(node, sent, given) {
  const guard = (value) =>
    ({ context }) => (isName(value) && !(value in context) ? Boolean(given[value]) : Boolean(evaluated(value, context)));
  const action = (value) => {
    if (typeof value === "object") return raise(value.event);
    const match = /^\s*(\w+)\s*=(?!=)(.*)$/.exec(value);
    if (match) return assign(({ context }) => ({ [match[1]]: evaluated(match[2], context) }));
    return () => sent.push(value);
  };
  const actions = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]).map(action);
  const transition = (value) => {
    if (Array.isArray(value)) return value.map(transition);
    if (typeof value === "string") return value;
    const { guard: condition, actions: done, ...rest } = value;
    return { ...rest, actions: actions(done), ...(condition === undefined ? {} : { guard: guard(condition) }) };
  };
  const { on, always, onDone, entry, exit, states, ...rest } = node;
  const found = { ...rest, entry: actions(entry), exit: actions(exit) };
  if (on) found.on = Object.fromEntries(Object.entries(on).map(([event, value]) => [event, transition(value)]));
  if (always) found.always = transition(always);
  if (onDone) found.onDone = transition(onDone);
  if (states)
    found.states = Object.fromEntries(Object.entries(states).map(([key, value]) => [key, converted(value, sent, given)]));
  if (node.type === "history") {
    delete found.entry;
    delete found.exit;
  }
  return found;
}

function run({ machine, events, given }) {
  const sent = [];
  const config = { ...converted(machine, sent, given || {}), options: { maxIterations: 200 } };
  const actor = createActor(createMachine(config));
  let failure;
  actor.subscribe({ error: (error) => (failure = error) });
  const shown = () => {
    const snapshot = actor.getSnapshot();
    const atomic = snapshot._nodes.filter((node) => node.type === "atomic" || node.type === "final");
    return { states: atomic.map((node) => node.key).sort(), sent: sent.splice(0), context: snapshot.context };
  };
  actor.start();
  const answers = [shown()];
  for (const type of events) {
    if (actor.getSnapshot().status === "active") actor.send({ type });
    if (failure) throw failure;
    answers.push(shown());
  }
  return answers;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    answer = { answers: run(JSON.parse(line)) };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
