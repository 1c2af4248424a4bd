// The editor alone, for tests: what they ask of it.
import { mountEditor } from "/admin/assets/editor/editor.js";
import { splitText } from "/admin/assets/editor/segments.js";
import { undo } from "/admin/assets/vendor/prosemirror.js";

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
  let start = 0;
  for (let i = 0; i < n; i++) start += doc.child(i).nodeSize;
  if (doc.child(n).type.name === "opaque") return null;
  let place = null;
  doc.child(n).descendants((node, pos) => {
    if (node.isTextblock && place === null) place = start + 1 + pos + 1 + node.content.size;
  });
  return doc.child(n).isTextblock ? start + 1 + doc.child(n).content.size : place;
};
