// CodeMirror with what the workbench asks of an editor. It lives in a shadow root, so that its styles are constructed
// sheets, which the content security policy of the pages allows; colours come from custom properties of the page.
import { autocompletion, completeFromList, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const WORD = /[\w.-]+/;
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: tags.comment, color: "var(--code-note)", fontStyle: "italic" },
]);
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "inherit", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--code-note)", backgroundColor: "var(--bg)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--panel)", backgroundColor: "var(--accent)" },
  ".cm-panels input, .cm-panels button": { font: "inherit" },
});

function language(name) {
  if (/\.ya?ml$/i.test(name)) return yaml();
  return /\.json$/i.test(name) ? json() : [];
}

// ``words`` gives what can be completed at a place: [{label, detail}], given the text before it on its line.
export function open({ parent, label, described, changed, words }) {
  const root = parent.attachShadow({ mode: "open" });
  const syntax = new Compartment();
  const complete = (context) => {
    const word = context.matchBefore(WORD);
    if (!word && !context.explicit) return null;
    const line = context.state.doc.lineAt(context.pos);
    const offered = words(line.text.slice(0, (word ? word.from : context.pos) - line.from), context.state.doc.toString());
    return completeFromList(offered)(context);
  };
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), indentOnInput(), indentUnit.of("  "), bracketMatching(),
        highlightActiveLine(), highlightSelectionMatches(), autocompletion({ override: [complete] }),
        syntaxHighlighting(colours), theme, syntax.of([]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": described, spellcheck: "false" }),
        keymap.of([...completionKeymap, indentWithTab, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ],
    }),
  });
  const at = (line, column) => {
    const place = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
    return Math.min(place.from + Math.max(0, column - 1), place.to);
  };
  return {
    get text() { return view.state.doc.toString(); },
    // One change that undo takes back, like everything else; what a page begins with is none.
    set text(value) {
      const from = view.state.doc.length;
      const annotations = [isolateHistory.of("full"), Transaction.addToHistory.of(from > 0)];
      view.dispatch({ changes: { from: 0, to: from, insert: value }, selection: { anchor: 0 }, scrollIntoView: true, annotations });
    },
    get line() { return view.state.doc.lineAt(view.state.selection.main.head).number; },
    named(name) { view.dispatch({ effects: syntax.reconfigure(language(name)) }); },
    fault(error) {
      const found = [];
      if (error?.line) {
        const from = at(error.line, error.column || 1);
        const word = view.state.doc.sliceString(from, view.state.doc.lineAt(from).to).match(/^[\w.-]+/);
        found.push({ from, to: from + (word ? word[0].length : 0), severity: "error", message: error.message });
      }
      view.dispatch(setDiagnostics(view.state, found));
    },
    go(line, column) {
      const place = at(line, column);
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
      view.focus();
    },
    focus() { view.focus(); },
  };
}
