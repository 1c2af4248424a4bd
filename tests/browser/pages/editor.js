// The editor alone, for tests: what they ask of it.
import { mountEditor } from "/admin/assets/editor/index.js";
import { splitText } from "/admin/assets/editor/segments.js";
import { canSplit, closeHistory, undo } from "/admin/assets/vendor/prosemirror.js";

const element = document.getElementById("place");
window.changes = [];
window.chosen = null;

window.mount = (value) => {
  window.editor?.destroy();
  window.changes = [];
  window.editor = mountEditor(element, {
    value, label: "Text", t: (text, values) => text.replace("%(name)s", values?.name), onChange: (text) => window.changes.push(text), chooseMedia: async () => window.chosen,
  });
};

// Texts that don't come back byte for byte.
window.openAll = (texts) => texts.filter((text) => {
  window.mount(text);
  return window.editor.getValue() !== text;
});

/** The blocks of the text that is open: what each was read from, and whether it is edited visually. */
window.blocks = () => {
  const { view } = window.editor;
  return view.state.doc.children.map((node) => ({ type: node.type.name, name: node.attrs.name ?? "", content: node.content.size }));
};

window.segmentsOf = (text) => splitText(text).segments;
window.tailOf = (text) => splitText(text).tail;
window.undo = () => undo(window.editor.view.state, window.editor.view.dispatch);

/** A place for typed text in the n-th block, or null where it isn't edited visually. */
window.placeIn = (n) => {
  const { doc } = window.editor.view.state;
  const at = doc.children.findIndex((node) => node.attrs.origin === n);
  if (at < 0 || doc.child(at).type.name === "opaque") return null;
  let start = 0;
  for (let i = 0; i < at; i++) start += doc.child(i).nodeSize;
  if (doc.child(at).isTextblock) return start + 1 + doc.child(at).content.size;
  let place = null;
  doc.child(at).descendants((node, pos) => {
    if (node.isTextblock && place === null) place = start + 1 + pos + 1 + node.content.size;
  });
  return place;
};

/** Change some blocks of a text by chance; returns what happened to the others, and what undoing all of it gives. */
window.changeByChance = (text, seed) => {
  let state = seed;
  const random = (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  window.mount(text);
  const { editor } = window;
  const segments = splitText(text).segments;
  const touched = new Set();
  let steps = 0;
  for (let i = 0; i < 5; i++) {
    const n = random(segments.length);
    const place = window.placeIn(n);
    if (place === null) continue;
    touched.add(n);
    steps += changeOne(editor.view, place, random(4));
  }
  const changed = editor.getValue();
  let at = 0;
  const lost = segments.filter((segment, n) => {
    if (touched.has(n)) return false;
    const found = changed.indexOf(segment.source, at);
    at = found < 0 ? at : found + segment.source.length;
    return found < 0;
  });
  for (let i = 0; i < steps; i++) window.undo();
  return { lost: lost.map((segment) => segment.source), undone: editor.getValue() === text, touched: touched.size };
};

function changeOne(view, place, kind) {
  const { state } = view;
  const from = Math.max(place - 3, state.doc.resolve(place).start());
  const before = state.doc;
  if (kind === 0) view.dispatch(closeHistory(state.tr.insertText("more & <more>", place)));
  else if (kind === 1) view.dispatch(closeHistory(state.tr.delete(from, place)));
  else if (kind === 2 && canSplit(state.doc, place)) view.dispatch(closeHistory(state.tr.split(place)));
  else view.dispatch(closeHistory(state.tr.insertText("x", from)));
  return view.state.doc.eq(before) ? 0 : 1;
}
