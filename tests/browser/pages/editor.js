// The editor alone, for tests: what they ask of it.
import { mountEditor } from "/admin/assets/editor/index.js";
import { splitText } from "/admin/assets/editor/segments.js";
import { TextSelection, canSplit, closeHistory, undo } from "/admin/assets/vendor/prosemirror.js";

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

/** Type one character at several places of every line, each time undone: where more changed than that, and how many blocks there are. */
window.typeEverywhere = (text) => {
  window.mount(text);
  const { view } = window.editor;
  const wrong = [];
  let nested = 0;
  view.state.doc.descendants((node, pos, parent) => {
    // What isn't written yet is written as a whole.
    const isNew = (node.type.name === "paragraph" && node.attrs.head === null && parent.type.name !== "list_item") || node.attrs.caption === null;
    if (!node.isTextblock || isNew) return;
    nested += parent.type.name === "doc" ? 0 : 1;
    for (const place of new Set([0, Math.floor(node.content.size / 2), node.content.size])) {
      view.dispatch(closeHistory(view.state.tr.insertText("Q", pos + 1 + place)));
      const changed = window.editor.getValue();
      let same = 0;
      while (same < text.length && changed[same] === text[same]) same++;
      if (changed[same] !== "Q" || changed.slice(0, same) + changed.slice(same + 1) !== text) wrong.push([node.type.name, place, changed]);
      window.undo();
      if (window.editor.getValue() !== text) wrong.push([node.type.name, "undo"]);
    }
  });
  const blocks = view.state.doc.children;
  return { wrong, nested, blocks: blocks.length, opaque: blocks.filter((node) => node.type.name === "opaque").length };
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

/** Set the cursor before a word and the focus into the text. */
window.placeBefore = (word) => {
  const { view } = window.editor;
  let place = null;
  view.state.doc.descendants((node, pos) => {
    if (node.isText && place === null && node.text.includes(word)) place = pos + node.text.indexOf(word);
  });
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, place)));
  view.focus();
};
