// The editor of texts: what isn't touched stays as it is written, byte for byte.
import { EditorState, EditorView, Fragment, Plugin, Slice, gapCursor, history } from "../vendor/prosemirror.js";
import { findOpenBlock } from "./commands.js";
import { Origins } from "./document.js";
import { askImage, askLink } from "./forms.js";
import { editorKeys } from "./keys.js";
import { cleanPasted } from "./paste.js";
import { parseSegment } from "./parse.js";
import { hasBlocks, splitText } from "./segments.js";
import { restoreLineEnds } from "./source.js";
import { writeNode } from "./serialise.js";
import { hasRegularTables } from "./tables.js";
import { buildToolbar } from "./toolbar.js";
import { ContainerView, OpaqueView, askHTML } from "./views.js";

/**
 * @typedef {object} Options
 * @property {string} value  the text as it is stored
 * @property {(text: string) => void} [onChange]  is called with the whole text after each change
 * @property {string} label  the editor's name for screen readers
 * @property {(path: string, options?: object) => Promise<any>} [request]  asks the API; plugins' editors may need it
 * @property {(wish: {kind: string}) => Promise<any>} [chooseMedia]  lets a person choose a picture, and gives its item or null
 * @property {import("./views.js").Translate} t  translates
 */

/** Lines that stand alone in what is around them: several blocks that are pasted there become one line with breaks. */
const LINES = ["table_cell", "table_caption", "button", "image", "cite"];

/** Return blocks as a line, null where they are one already. @param {any} content */
function asLine(content) {
  /** @type {any[]} */
  const line = [];
  let blocks = 0;
  content.descendants((/** @type {any} */ node) => {
    if (!node.isTextblock) return;
    if (blocks++) line.push(node.type.schema.nodes.line_break.create());
    line.push(...node.children);
    return false;
  });
  return blocks > 1 ? new Slice(Fragment.from(line), 0, 0) : null;
}

let count = 0;
const WHOLE_TABLES = new Plugin({ filterTransaction: (/** @type {any} */ transaction) => !transaction.docChanged || hasRegularTables(transaction.doc) });

/**
 * Put an editor into an element.
 * @param {HTMLElement} element
 * @param {Options} options
 */
export function mountEditor(element, options) {
  const editor = new Editor(element, options);
  return {
    getValue: () => editor.value,
    setValue: (/** @type {string} */ text) => editor.load(text),
    focus: () => editor.focus(),
    destroy: () => editor.destroy(),
    /** For plugins that add to the editor. */
    view: editor.view,
  };
}

class Editor {
  inSource = false;
  id = `editor-${++count}`;

  /** @param {HTMLElement} element @param {Options} options */
  constructor(element, { value, onChange, label, chooseMedia, t }) {
    this.element = element;
    this.t = t;
    this.chooseMedia = chooseMedia;
    this.onChange = onChange ?? (() => {});
    this.origins = new Origins();
    this.text = value;
    this.copied = { html: "", slice: /** @type {any} */ (null) };
    element.classList.add("editor");
    this.view = this.makeView(value, label);
    this.source = this.makeSource(label);
    const { bar, update } = buildToolbar(this);
    this.updateToolbar = update;
    element.replaceChildren(bar, this.view.dom, this.source);
    update();
  }

  /** @param {string} value @param {string} label @returns {any} */
  makeView(value, label) {
    const names = { "role": "textbox", "aria-multiline": "true", "aria-label": label, "id": this.id, "class": "editor-text" };
    return new EditorView(null, /** @type {any} */ ({
      state: this.makeState(value),
      attributes: names,
      nodeViews: { opaque: this.viewOf(OpaqueView), container: this.viewOf(ContainerView), gallery: this.viewOf(ContainerView) },
      dispatchTransaction: this.apply.bind(this),
      transformPastedHTML: (/** @type {string} */ html) => cleanPasted(html, this.view.state.doc.attrs.classic),
      transformPasted: this.readTables.bind(this),
      handlePaste: this.paste.bind(this),
      handleDOMEvents: { copy: this.copy.bind(this), cut: this.copy.bind(this) },
    }));
  }

  /** @param {any} View */
  viewOf(View) {
    return (/** @type {any} */ node, /** @type {any} */ view, /** @type {() => number} */ getPos) => new View(node, view, getPos, this);
  }

  makeState(/** @type {string} */ text) {
    const keys = editorKeys({
      link: () => this.askLink(), editAsHTML: () => this.editAsHTML(),
      toolbar: () => { /** @type {any} */ (this.element.querySelector('[role=toolbar] > [tabindex="0"]'))?.focus(); return true; },
    });
    return EditorState.create({ doc: this.origins.open(text), plugins: [...keys, history(), gapCursor(), WHOLE_TABLES] });
  }

  makeSource(/** @type {string} */ label) {
    const field = document.createElement("textarea");
    field.className = "editor-source";
    field.hidden = true;
    field.spellcheck = false;
    field.setAttribute("aria-label", `${label}: ${this.t("Source")}`);
    field.addEventListener("input", () => this.onChange(this.value));
    return field;
  }

  /** @returns {string} */
  get value() {
    return this.inSource ? restoreLineEnds(this.text, this.source.value) : this.origins.write(this.view.state.doc);
  }

  /** Show another text; what was undone before can't be undone any more. */
  load(/** @type {string} */ text) {
    if (text === this.value) return;
    this.text = text;
    this.source.value = text;
    this.view.updateState(this.makeState(text));
    this.updateToolbar();
  }

  apply(/** @type {any} */ transaction) {
    this.view.updateState(this.view.state.apply(transaction));
    this.updateToolbar?.();
    if (transaction.docChanged) this.onChange(this.value);
  }

  /** Run a command and give the focus back to the text. @param {import("./commands.js").Command} command */
  run(command) {
    const done = command(this.view.state, this.view.dispatch, this.view);
    this.view.focus();
    return done;
  }

  focus() {
    if (this.inSource) this.source.focus();
    else this.view.focus();
  }

  destroy() {
    this.view.destroy();
    this.element.replaceChildren();
    this.element.classList.remove("editor");
  }

  askLink() {
    askLink(this);
    return true;
  }

  askImage() {
    return askImage(this);
  }

  /** Change between the blocks and the text as it is written. */
  toggleSource() {
    const { value } = this;
    this.inSource = !this.inSource;
    this.source.hidden = !this.inSource;
    this.view.dom.hidden = this.inSource;
    if (this.inSource) {
      this.text = value;
      this.source.value = value;
    } else if (value !== this.text) {
      this.replaceAll(value);
    }
    this.updateToolbar();
    this.focus();
  }

  /** Show another text in such a way that it can be undone. */
  replaceAll(/** @type {string} */ text) {
    const doc = this.origins.open(text);
    const { state } = this.view;
    const transaction = state.tr.replaceWith(0, state.doc.content.size, doc.content);
    for (const [name, value] of Object.entries(doc.attrs)) transaction.setDocAttribute(name, value);
    this.view.dispatch(transaction);
  }

  /** Ask for the HTML of the block in which the selection begins. */
  editAsHTML() {
    const { node, pos, depth } = findOpenBlock(this.view.state);
    const style = this.view.state.doc.attrs;
    const html = depth === 0 && this.origins.isUntouched(node) ? this.origins.read[node.attrs.origin].source : writeNode(node, style);
    const done = (/** @type {string | null} */ edited) => {
      if (edited !== null && edited !== html) this.replaceBlock(node, pos, edited);
      this.view.focus();
    };
    askHTML(this.element, { title: this.t("Edit as HTML"), value: html, t: this.t, done });
    return true;
  }

  replaceBlock(/** @type {any} */ node, /** @type {number} */ pos, /** @type {string} */ html) {
    const { state } = this.view;
    const nodes = this.origins.replace(html, node, state.doc.attrs);
    const transaction = state.tr;
    if (nodes.length || state.doc.resolve(pos).parent.childCount > 1) transaction.replaceWith(pos, pos + node.nodeSize, nodes);
    else transaction.replaceWith(pos, pos + node.nodeSize, state.schema.nodes.paragraph.create());
    this.view.dispatch(transaction);
    // With its first block a classic text becomes one of blocks: all of it is read anew.
    if (state.doc.attrs.classic && hasBlocks(html)) this.replaceAll(this.value);
  }

  /** What is copied here is pasted here as it is, with all that the clipboard can't hold. */
  copy(/** @type {any} */ view, /** @type {ClipboardEvent} */ event) {
    const { selection } = view.state;
    if (selection.empty || !event.clipboardData || (/** @type {any} */ (event.target)).closest?.("textarea, input")) return false;
    const slice = selection.content();
    const { dom, text } = view.serializeForClipboard(slice);
    event.preventDefault();
    event.clipboardData.setData("text/html", dom.innerHTML);
    event.clipboardData.setData("text/plain", text);
    this.copied = { html: dom.innerHTML, slice };
    if (event.type === "cut") view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta("uiEvent", "cut"));
    return true;
  }

  /** A table that was pasted comes as its HTML. */
  readTables(/** @type {any} */ slice) {
    const read = (/** @type {any} */ node) => (
      node.type.name === "opaque" && node.attrs.name === "table" ? parseSegment(splitText(node.attrs.source).segments[0], this.view.state.doc.attrs) : node
    );
    const content = Fragment.from(slice.content.content.map(read));
    const { type } = this.view.state.selection.$from.parent;
    return LINES.includes(type.name) ? asLine(content) ?? slice : new Slice(content, slice.openStart, slice.openEnd);
  }

  paste(/** @type {any} */ view, /** @type {ClipboardEvent} */ event) {
    const { html, slice } = this.copied;
    const pasted = event.clipboardData?.getData("text/html").replace(/^[^]*<!--StartFragment-->|<!--EndFragment-->[^]*$/g, "") ?? "";
    if (!slice || pasted !== html) return false;
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
    return true;
  }
}
