// What an editor offers to complete: keys where a key stands, names of the model elsewhere.
import { api } from "./bench.js";

let keys = null;
try { keys = await api("keys"); } catch { /* without keys, names alone are offered */ }

const NAME = /[A-Za-z_][\w.-]*/g;
const option = (type, detail) => (label) => ({ label, type, detail });
const all = (table) => [...new Set(Object.values(table || {}).flat())];

// ``before`` is the line up to the word; ``states`` are those of the model as last read.
export function offered(before, text, states) {
  const kind = /^machine:\s*(\w+)/m.exec(text)?.[1];
  const of = (table) => (table?.[kind] ? table[kind] : all(table));
  const names = [...new Set(text.match(NAME) || [])].filter((name) => !states.includes(name));
  if (/\b(to|initial):\s*["']?$/.test(before)) return states.map(option("constant", "state"));
  if (/^\s*machine:\s*$/.test(before)) return Object.keys(keys?.model || {}).map(option("keyword", "kind"));
  if (/^\s*-\s*\{[^}]*$|^\s*-\s*$/.test(before) && /[{,-]\s*$/.test(before)) return of(keys?.transition).map((key) => ({ label: `${key}:`, type: "keyword", detail: "transition" }));
  if (before === "") return of(keys?.model).map((key) => ({ label: `${key}:`, type: "keyword", detail: "model" }));
  if (/^\s+$/.test(before)) return [...of(keys?.state), ...of(keys?.transition)].map((key) => ({ label: `${key}:`, type: "keyword" }));
  return [...states.map(option("constant", "state")), ...names.map(option("text"))];
}
