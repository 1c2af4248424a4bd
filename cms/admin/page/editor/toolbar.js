// The toolbar: one stop of the Tab key, arrow keys inside, menus for blocks that are new and for what is done with one.
import { liftListItem, redo, redoDepth, sinkListItem, undo, undoDepth } from "../vendor/prosemirror.js";
import * as commands from "./commands.js";
import { askGallery, askImage } from "./forms.js";
import { schema } from "./schema.js";
import * as tables from "./tables.js";

/**
 * @typedef {object} Tool
 * @property {string} label
 * @property {string} [sign]  what stands on the button
 * @property {() => void} run
 * @property {(state: any) => boolean} [pressed]
 * @property {(state: any) => boolean} [enabled]
 */

/** Make the toolbar of an editor. @param {any} editor */
export function buildToolbar(editor) {
  const { t } = editor;
  const bar = document.createElement("div");
  bar.className = "editor-toolbar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", t("Format"));
  bar.setAttribute("aria-controls", editor.id);
  /** @type {{element: HTMLButtonElement, tool: Tool}[]} */
  const made = listTools(editor).map((tool) => ({ tool, element: makeButton(tool) }));
  bar.append(...made.map(({ element }) => element), menu(t("Insert"), listInsertions(editor), editor), menu(t("Block"), listActions(editor), editor));
  const source = makeButton({ label: t("Source"), run: () => editor.toggleSource() });
  source.setAttribute("aria-pressed", "false");
  bar.append(source);
  rove(bar);
  const update = () => {
    const { state } = editor.view;
    for (const { element, tool } of made) {
      if (tool.pressed) element.setAttribute("aria-pressed", String(tool.pressed(state)));
      setDisabled(element, editor.inSource || (tool.enabled !== undefined && !tool.enabled(state)));
    }
    for (const opener of bar.querySelectorAll("button[aria-haspopup]")) setDisabled(/** @type {any} */ (opener), editor.inSource);
    source.setAttribute("aria-pressed", String(editor.inSource));
  };
  return { bar, update };
}

/** Buttons that can't be used stay in reach, so that the focus doesn't get lost. */
function setDisabled(/** @type {HTMLButtonElement} */ element, /** @type {boolean} */ disabled) {
  element.setAttribute("aria-disabled", String(disabled));
}

/** The name of a button holds what is seen on it, for those who speak to the page. @param {Tool} tool */
function nameOf(tool) {
  const sign = tool.sign ?? "";
  if (!/[\p{L}\p{N}]/u.test(sign) || tool.label.toLowerCase().includes(sign.toLowerCase())) return tool.label;
  return `${sign} ${tool.label}`;
}

/** @param {Tool} tool */
function makeButton(tool) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = tool.sign ?? tool.label;
  element.setAttribute("aria-label", nameOf(tool));
  element.title = tool.label;
  element.addEventListener("mousedown", (event) => event.preventDefault());
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") tool.run();
  });
  return element;
}

/** @param {any} editor @returns {Tool[]} */
function listTools(editor) {
  const { t } = editor;
  const command = (/** @type {any} */ act) => ({
    run: () => { editor.run(act); }, enabled: (/** @type {any} */ state) => act(state),
  });
  const phrase = (/** @type {string} */ name) => ({
    ...command(commands.togglePhrase(name)), pressed: (/** @type {any} */ state) => commands.isMarked(state, name),
  });
  const isIn = (/** @type {string} */ name, level = 0) => (/** @type {any} */ state) => (
    commands.findAround(state, (node) => node.type.name === name && (!level || node.attrs.level === level)) !== null
  );
  const heading = (/** @type {number} */ level) => ({
    run: () => { editor.run(isIn("heading", level)(editor.view.state) ? commands.makeBlock("paragraph") : commands.makeBlock("heading", { level })); },
    pressed: isIn("heading", level),
  });
  const item = schema.nodes.list_item;
  return [
    { label: t("Bold"), sign: "B", ...phrase("strong") },
    { label: t("Italic"), sign: "I", ...phrase("em") },
    { label: t("Code in the line"), sign: "</>", ...phrase("code") },
    { label: t("Link"), run: () => editor.askLink(), pressed: (state) => commands.findLink(state).mark !== null },
    { label: t("Paragraph"), sign: "¶", ...command(commands.makeBlock("paragraph")), pressed: isIn("paragraph") },
    { label: t("Heading 2"), sign: "H2", ...heading(2) },
    { label: t("Heading 3"), sign: "H3", ...heading(3) },
    { label: t("Heading 4"), sign: "H4", ...heading(4) },
    { label: t("List"), sign: "•", ...command(commands.toggleList("bullet_list")), pressed: isIn("bullet_list") },
    { label: t("Numbered list"), sign: "1.", ...command(commands.toggleList("ordered_list")), pressed: isIn("ordered_list") },
    { label: t("Deeper in the list"), sign: "⇥", ...command(sinkListItem(item)) },
    { label: t("Less deep in the list"), sign: "⇤", ...command(liftListItem(item)) },
    { label: t("Quote"), sign: "❝", ...command(commands.toggleQuote), pressed: isIn("quote") },
    { label: t("Code"), sign: "{ }", ...command(commands.makeBlock("code")), pressed: isIn("code") },
    { label: t("Image"), run: () => editor.askImage() },
    { label: t("Undo"), sign: "↶", ...command(undo), enabled: (state) => undoDepth(state) > 0 },
    { label: t("Redo"), sign: "↷", ...command(redo), enabled: (state) => redoDepth(state) > 0 },
  ];
}

/** Blocks that can be made, each in WordPress' form. @param {any} editor @returns {Tool[]} */
export function listInsertions(editor) {
  const { t } = editor;
  const { nodes } = schema;
  const insert = (/** @type {string} */ label, /** @type {() => any} */ make) => ({ label, run: () => editor.run(commands.insertBlock(make())) });
  const fixed = (/** @type {string} */ name, /** @type {string} */ html) => () => {
    const { classic, eol } = editor.view.state.doc.attrs;
    const source = classic ? html : `<!-- wp:${name} -->${eol}${blockForm(name, html)}${eol}<!-- /wp:${name} -->`;
    return nodes.opaque.create({ source, name });
  };
  const inBlocks = (/** @type {any} */ state) => !state.doc.attrs.classic;
  const columns = (/** @type {number} */ number) => {
    const column = () => nodes.container.create({ name: "column" }, nodes.paragraph.create());
    return nodes.container.create({ name: "columns" }, Array.from({ length: number }, column));
  };
  const list = (/** @type {any} */ type) => () => type.create(null, nodes.list_item.create(null, nodes.paragraph.create()));
  return [
    insert(t("Paragraph"), () => nodes.paragraph.create()),
    insert(t("Heading"), () => nodes.heading.create()),
    insert(t("List"), list(nodes.bullet_list)),
    insert(t("Numbered list"), list(nodes.ordered_list)),
    insert(t("Quote"), () => nodes.quote.create(null, nodes.paragraph.create())),
    { label: t("Image"), run: () => askImage(editor, true) },
    { label: t("Gallery"), run: () => askGallery(editor), enabled: inBlocks },
    insert(t("Table"), () => tables.newTable(3, 2)),
    { ...insert(t("Columns"), () => columns(2)), enabled: inBlocks },
    { ...insert(t("Group"), () => nodes.container.create({ name: "group" }, nodes.paragraph.create())), enabled: inBlocks },
    insert(t("Code"), () => nodes.code.create()),
    insert(t("Preformatted"), () => nodes.preformatted.create()),
    insert(t("Separator"), fixed("separator", "<hr />")),
    insert(t("More"), fixed("more", "<!--more-->")),
    insert(t("Page break"), fixed("nextpage", "<!--nextpage-->")),
    insert(t("Shortcode"), () => nodes.raw.create({ name: "shortcode" })),
    insert(t("HTML"), () => nodes.raw.create({ name: "html" })),
  ];
}

function blockForm(/** @type {string} */ name, /** @type {string} */ html) {
  return name === "separator" ? '<hr class="wp-block-separator has-alpha-channel-opacity"/>' : html;
}

/** @param {any} editor @returns {Tool[]} */
function listActions(editor) {
  const { t } = editor;
  const inTable = (/** @type {string} */ label, /** @type {any} */ act) => ({
    label, run: () => editor.run(act), enabled: (/** @type {any} */ state) => act(state),
  });
  return [
    { label: t("Edit as HTML"), run: () => editor.editAsHTML() },
    { label: t("Move up"), run: () => editor.run(commands.moveBlock(-1)) },
    { label: t("Move down"), run: () => editor.run(commands.moveBlock(1)) },
    { label: t("Duplicate"), run: () => editor.run(commands.duplicateBlock) },
    { label: t("Delete"), run: () => editor.run(commands.deleteBlock) },
    inTable(t("Add row"), tables.addRow), inTable(t("Add column"), tables.addColumn),
    inTable(t("Delete row"), tables.deleteRow), inTable(t("Delete column"), tables.deleteColumn),
  ];
}

/** A button that opens a menu below it. @param {string} label @param {Tool[]} tools @param {any} editor */
function menu(label, tools, editor) {
  const holder = document.createElement("div");
  holder.className = "editor-menu";
  const list = document.createElement("div");
  list.setAttribute("role", "menu");
  list.setAttribute("aria-label", label);
  list.hidden = true;
  const show = (/** @type {boolean} */ shown) => {
    list.hidden = !shown;
    opener.setAttribute("aria-expanded", String(shown));
  };
  const opener = makeButton({ label, run: () => {
    show(list.hidden);
    tools.forEach((tool, index) => { /** @type {HTMLElement} */ (list.children[index]).hidden = tool.enabled?.(editor.view.state) === false; });
    if (!list.hidden) /** @type {HTMLElement} */ (list.firstElementChild).focus();
  } });
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "false");
  for (const tool of tools) {
    const item = makeButton({ label: tool.label, run: () => { show(false); tool.run(); } });
    item.setAttribute("role", "menuitem");
    item.tabIndex = -1;
    list.append(item);
  }
  list.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...list.children]).filter((item) => !item.hidden);
    const at = items.indexOf(/** @type {any} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[(to + items.length) % items.length].focus();
    if (event.key === "Escape") { show(false); opener.focus(); }
    if (to !== undefined || event.key === "Escape") event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("focusout", (event) => {
    if (!list.contains(/** @type {any} */ (event.relatedTarget)) && event.relatedTarget !== opener) show(false);
  });
  holder.append(opener, list);
  return holder;
}

/** Let arrow keys move the focus in a toolbar that is one stop of the Tab key. */
function rove(/** @type {HTMLElement} */ bar) {
  const stops = /** @type {HTMLElement[]} */ ([...bar.querySelectorAll(":scope > button, :scope > div > button")]);
  const stop = (/** @type {HTMLElement} */ chosen) => stops.forEach((each) => { each.tabIndex = each === chosen ? 0 : -1; });
  stop(stops[0]);
  bar.addEventListener("focusin", (event) => {
    if (stops.includes(/** @type {any} */ (event.target))) stop(/** @type {any} */ (event.target));
  });
  bar.addEventListener("keydown", (event) => {
    const at = stops.indexOf(/** @type {any} */ (event.target));
    const forward = getComputedStyle(bar).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const back = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const to = { [forward]: at + 1, [back]: at - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    stops[(to + stops.length) % stops.length].focus();
  });
}
