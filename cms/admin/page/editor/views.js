// How blocks and pictures stand in the editor where their element alone isn't enough.
import { NodeSelection } from "../vendor/prosemirror.js";
import { deleteBlock, duplicateBlock, moveBlock } from "./commands.js";
import { buildPreview } from "./preview.js";
import { restoreLineEnds } from "./source.js";

/** @typedef {(text: string, values?: Record<string, string>) => string} Translate */

/** A block that isn't edited visually: what is seen of it, and what can be done with it. */
export class OpaqueView {
  /** @param {any} node @param {any} view @param {() => number} getPos @param {any} editor */
  constructor(node, view, getPos, editor) {
    this.node = node;
    this.view = view;
    this.getPos = getPos;
    this.editor = editor;
    this.dom = document.createElement("div");
    this.dom.className = "opaque";
    this.dom.setAttribute("role", "group");
    this.dom.contentEditable = "false";
    this.draw();
  }

  draw() {
    const { t } = this.editor;
    const label = nameOf(this.node.attrs.name, t);
    this.dom.setAttribute("aria-label", label);
    const name = document.createElement("span");
    name.className = "opaque-name";
    name.textContent = label;
    const bar = document.createElement("div");
    bar.className = "opaque-bar";
    bar.append(name, ...this.buttons());
    const seen = document.createElement("div");
    seen.className = "opaque-preview";
    seen.append(buildPreview(this.node.attrs.source));
    if (!seen.textContent?.trim() && !seen.querySelector("img, hr, table")) seen.textContent = this.node.attrs.source.slice(0, 300);
    this.dom.replaceChildren(bar, seen);
  }

  buttons() {
    const { t } = this.editor;
    const select = () => this.view.dispatch(this.view.state.tr.setSelection(NodeSelection.create(this.view.state.doc, this.getPos())));
    const run = (/** @type {any} */ command) => () => {
      select();
      command(this.view.state, this.view.dispatch, this.view);
      this.view.focus();
    };
    /** @type {[string, () => void][]} */
    const rows = [
      [t("Edit as HTML"), () => { select(); this.editor.editAsHTML(); }],
      [t("Move up"), run(moveBlock(-1))], [t("Move down"), run(moveBlock(1))],
      [t("Duplicate"), run(duplicateBlock)], [t("Delete"), run(deleteBlock)],
    ];
    return rows.map(([label, act]) => button(label, act));
  }

  /** @param {any} node */
  update(node) {
    if (node.type !== this.node.type) return false;
    const same = node.attrs.source === this.node.attrs.source;
    this.node = node;
    if (!same) this.draw();
    return true;
  }

  selectNode() {
    this.dom.classList.add("selected");
  }

  deselectNode() {
    this.dom.classList.remove("selected");
  }

  stopEvent(/** @type {Event} */ event) {
    return event.target instanceof HTMLButtonElement;
  }

  ignoreMutation() {
    return true;
  }
}

/** A block that holds others: a bar with its name, which selects it, what is seen of what stands before them, and they. */
export class ContainerView {
  /** @param {any} node @param {any} view @param {() => number} getPos @param {any} editor */
  constructor(node, view, getPos, editor) {
    this.node = node;
    const { t } = editor;
    const label = nameOf(node.attrs.name ?? "gallery", t);
    this.dom = document.createElement("div");
    this.dom.className = "container";
    this.dom.dataset.name = node.attrs.name ?? "gallery";
    this.dom.setAttribute("role", "group");
    this.dom.setAttribute("aria-label", label);
    const name = button(label, () => {
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, getPos())));
      view.focus();
    });
    name.setAttribute("aria-label", t("Select: %(name)s", { name: label }));
    this.bar = document.createElement("div");
    this.bar.className = "container-bar";
    this.bar.contentEditable = "false";
    this.bar.append(name);
    const before = buildPreview(node.attrs.head ?? "");
    if (before.querySelector("img") || before.textContent?.trim()) this.bar.append(before);
    this.contentDOM = document.createElement("div");
    this.contentDOM.className = "container-parts";
    this.dom.append(this.bar, this.contentDOM);
  }

  /** @param {any} node */
  update(node) {
    const isSame = node.type === this.node.type && node.attrs.name === this.node.attrs.name && node.attrs.head === this.node.attrs.head;
    this.node = node;
    return isSame;
  }

  selectNode() {
    this.dom.classList.add("selected");
  }

  deselectNode() {
    this.dom.classList.remove("selected");
  }

  stopEvent(/** @type {Event} */ event) {
    return event.target instanceof HTMLButtonElement && this.bar.contains(event.target);
  }

  ignoreMutation(/** @type {any} */ mutation) {
    return mutation.type !== "selection" && !this.contentDOM.contains(mutation.target);
  }
}

/** The name of a block for people. @param {string} name @param {Translate} t */
export function nameOf(name, t) {
  /** @type {Record<string, string>} */
  const names = {
    "columns": t("Columns"), "column": t("Column"), "group": t("Group"), "cover": t("Cover"), "gallery": t("Gallery"), "buttons": t("Buttons"),
    "media-text": t("Media and text"), "table": t("Table"), "separator": t("Separator"), "more": t("More"), "nextpage": t("Page break"), "": t("HTML"),
  };
  return names[name] ?? t("Block: %(name)s", { name });
}

/** @param {string} label @param {() => void} act */
export function button(label, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", act);
  return made;
}

/**
 * Ask for the HTML of a piece in a dialog of the page.
 * @param {HTMLElement} parent
 * @param {{title: string, value: string, t: Translate, done: (value: string | null) => void}} options
 */
export function askHTML(parent, { title, value, t, done }) {
  const field = document.createElement("textarea");
  field.value = value;
  field.rows = 12;
  field.spellcheck = false;
  field.dir = "ltr";
  field.setAttribute("aria-label", title);
  askInDialog(parent, { title, t, fields: [field], accept: t("Apply"), done: (accepted) => done(accepted ? restoreLineEnds(value, field.value) : null) });
}

/**
 * Open a dialog with fields; `done` is called once with what was decided.
 * @param {HTMLElement} parent
 * @param {{title: string, t: Translate, fields: HTMLElement[], accept: string, more?: HTMLButtonElement, done: (accepted: boolean) => void}} options
 */
export function askInDialog(parent, { title, t, fields, accept, more, done }) {
  const dialog = document.createElement("dialog");
  dialog.className = "editor-dialog";
  dialog.setAttribute("aria-label", title);
  const heading = document.createElement("h2");
  heading.textContent = title;
  let decided = false;
  // At once, not when the event of closing comes: what is typed next is meant for the text.
  const decide = (/** @type {boolean} */ accepted) => {
    if (decided) return;
    decided = true;
    dialog.close();
    dialog.remove();
    done(accepted);
  };
  const ok = button(accept, () => decide(true));
  ok.className = "primary";
  const buttons = document.createElement("div");
  buttons.className = "editor-dialog-buttons";
  buttons.append(ok, button(t("Cancel"), () => decide(false)), ...(more ? [more] : []));
  more?.addEventListener("click", () => decide(false));
  dialog.append(heading, ...fields, buttons);
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) { event.preventDefault(); ok.click(); }
    event.stopPropagation();
  });
  dialog.addEventListener("close", () => decide(false));
  parent.append(dialog);
  dialog.showModal();
  fields[0]?.querySelector("input")?.focus();
  return dialog;
}

/** A field with its label. @param {string} label @param {string} value @param {string} [help] */
export function labelled(label, value, help) {
  const made = document.createElement("label");
  const field = document.createElement("input");
  field.value = value;
  made.append(label, field);
  if (help) {
    const text = document.createElement("small");
    text.textContent = help;
    made.append(text);
  }
  return { made, field };
}
