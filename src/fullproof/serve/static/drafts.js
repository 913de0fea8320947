// Texts that were neither saved nor downloaded, each under its tab, in the storage of the browser: they outlive the tab and
// the workbench, as long as it is started on the same port.
import { keep, kept } from "./bench.js";

const PREFIX = "fullproof.draft.";
const MOST = 10;
const tab = kept("tab") || `${Date.now()}-${Math.random()}`;
keep("tab", tab);

// Those of other tabs, the newest first: {id, name, text, when}.
export function drafts() {
  try {
    const ids = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== PREFIX + tab);
    return ids.map((key) => ({ id: key.slice(PREFIX.length), ...JSON.parse(localStorage.getItem(key)) })).sort((a, b) => b.when - a.when);
  } catch { return []; /* there is no storage */ }
}

// What stands in this tab; null: nothing that could be lost.
export function draft(model) {
  try {
    if (!model) return localStorage.removeItem(PREFIX + tab);
    localStorage.setItem(PREFIX + tab, JSON.stringify({ ...model, when: Date.now() }));
    drafts().slice(MOST - 1).forEach(({ id }) => forget(id));
  } catch { /* too large to keep: the tab still has it */ }
}

export function forget(id) { try { localStorage.removeItem(PREFIX + id); } catch { /* there is no storage */ } }
