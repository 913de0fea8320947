// The tests are data: rows are made as they are shown, and their steps as they are opened.
const { texts, tests } = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = ["pass", "fail", "error", "inconclusive"];
const PAGE = 200;
const byId = (id) => document.getElementById(id);
const [box, list, more, count] = [byId("filter"), byId("tests"), byId("more"), byId("tests-count")];

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

// A test: its id, its verdict, its steps, its cause, why it did not pass, and the script that reproduces it. A step: input, output, what is allowed.
const word = (k) => (k < 0 ? "" : texts[k]);
const inputs = (test) => test[2].map((step) => word(step[0])).filter(Boolean);
const searched = new Map();
function haystack(test) {
  if (!searched.has(test)) {
    const cause = test[3] ? ` cause:${test[3]} ` : " ";
    searched.set(test, `${test[0]} ${VERDICTS[test[1]]}${cause}${inputs(test).join(" ")}`.toLowerCase());
  }
  return searched.get(test);
}

function stepsOf(test) {
  const bad = test[1] !== 0;
  const heads = bad ? ["step", "input", "the model allows", "observed"] : ["step", "input", "output"];
  const rows = test[2].map((step, k) => {
    const cells = [word(step[0]), ...(bad ? [word(step[2])] : []), word(step[1])].map((text) => el("td", "mono", text));
    return el("tr", step[3] ? "bad" : "", el("td", "num", String(k + 1)), ...cells);
  });
  const head = el("tr", "", ...heads.map((text) => el("th", "", text)));
  const table = el("div", "scroll", el("table", "steps", el("thead", "", head), el("tbody", "", ...rows)));
  const parts = test[4] ? [el("p", "", test[4]), table] : [table];
  if (test[5]) {
    const link = el("a", "", el("code", "", test[5]));
    link.href = encodeURIComponent(test[5]);
    parts.push(el("p", "", "Reproduce it: ", link));
  }
  return parts;
}

function rowOf(test) {
  const verdict = VERDICTS[test[1]];
  const summary = el("summary", "", el("span", `badge ${verdict}`, verdict), el("code", "", test[0]), el("span", "mono line", inputs(test).slice(0, 40).join(" · ")));
  const row = el("details", "test", summary);
  row.addEventListener("toggle", () => { if (row.open && row.children.length === 1) row.append(...stepsOf(test)); });
  return row;
}

let found = tests;
let shown = 0;
function show() {
  const rows = found.slice(shown, shown + PAGE).map(rowOf);
  list.append(...rows);
  shown += rows.length;
  more.hidden = shown >= found.length;
  count.textContent = `${found.length.toLocaleString("en")} of ${tests.length.toLocaleString("en")} tests${more.hidden ? "" : `, the first ${shown.toLocaleString("en")} are shown`}`;
}

function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  found = words.length ? tests.filter((test) => words.every((w) => haystack(test).includes(w.startsWith("cause:") ? `${w} ` : w))) : tests;
  list.replaceChildren();
  shown = 0;
  show();
}

box.addEventListener("input", filter);
more.addEventListener("click", show);
for (const link of document.querySelectorAll("[data-filter]")) {
  link.addEventListener("click", () => { box.value = link.dataset.filter; filter(); });
}
show();
