// Tables: read so that every piece of space and every tag has its place, and what is done to their rows and columns.
import { TextSelection } from "../vendor/prosemirror.js";
import { deleteBlock } from "./commands.js";
import { parseInline } from "./inline.js";
import { schema } from "./schema.js";
import { findClose, isBlank, joinTokens, readAttribute } from "./tokens.js";

/** @typedef {import("./tokens.js").Token} Token */
/** @typedef {import("./parse.js").Whole} Whole */

const SECTIONS = ["thead", "tbody", "tfoot"];

/**
 * Return the node of a table, or null where something else stands in it, or where its rows aren't of one length.
 * @param {Whole} whole  a table, or a figure with one
 */
export function parseTable(whole) {
  const isBare = /^<table[\s>]/i.test(whole.tag);
  const begin = isBare ? -1 : whole.body.findIndex((token) => !isBlank(token));
  const first = whole.body[begin];
  if (!isBare && (first?.kind !== "open" || first.name !== "table")) return null;
  const close = isBare ? whole.body.length : findClose(whole.body, begin);
  const read = close < 0 ? null : readSections(whole.body.slice(begin + 1, close));
  if (!read) return null;
  const rest = readCaption(whole.body.slice(close), read.space, whole.tail);
  if (!rest) return null;
  const attrs = { head: whole.head + joinTokens(whole.body.slice(0, begin + 1)), tail: rest.tail };
  const table = schema.nodes.table.create(attrs, [...read.parts, ...rest.captions]);
  return isRegular(table) ? table : null;
}

/** What stands behind the last row: a caption, where a figure has one. */
function readCaption(/** @type {Token[]} */ tokens, /** @type {string} */ space, /** @type {string} */ tail) {
  const at = tokens.findIndex((token) => token.name === "figcaption");
  if (at < 0) return tokens.slice(1).every(isBlank) ? { captions: [], tail: space + joinTokens(tokens) + tail } : null;
  const close = findClose(tokens, at);
  const around = [...tokens.slice(1, at), ...tokens.slice(close + 1)];
  const content = close < 0 || !around.every(isBlank) ? null : parseInline(tokens.slice(at + 1, close), { breaks: false });
  if (!content) return null;
  const attrs = { head: space + joinTokens(tokens.slice(0, at + 1)), tail: tokens[close].source };
  return { captions: [schema.nodes.table_caption.create(attrs, content)], tail: joinTokens(tokens.slice(close + 1)) + tail };
}

/** Sections, and rows that are in none. @param {Token[]} tokens */
function readSections(tokens) {
  if (!tokens.some((token) => SECTIONS.includes(token.name))) {
    const read = readParts(tokens, ["tr"], readRow);
    return read?.parts.length ? { parts: [schema.nodes.table_section.create({ lead: "", head: "", tail: "" }, read.parts)], space: read.space } : null;
  }
  return readParts(tokens, SECTIONS, (name, attrs, body) => {
    const read = readParts(body, ["tr"], readRow);
    if (!read?.parts.length) return null;
    return schema.nodes.table_section.create({ ...attrs, name, tail: read.space + attrs.tail }, read.parts);
  });
}

/** @param {string} _name @param {any} attrs @param {Token[]} body */
function readRow(_name, attrs, body) {
  const read = readParts(body, ["td", "th"], readCell);
  return read?.parts.length ? schema.nodes.table_row.create({ ...attrs, tail: read.space + attrs.tail }, read.parts) : null;
}

/** @param {string} name @param {any} attrs @param {Token[]} body */
function readCell(name, attrs, body) {
  const content = parseInline(body, { breaks: false });
  const span = (/** @type {string} */ which) => Number.parseInt(readAttribute(attrs.head, which), 10) || 1;
  return content && span("rowspan") === 1 ? schema.nodes.table_cell.create({ ...attrs, header: name === "th", span: span("colspan") }, content) : null;
}

/**
 * Read a row of elements with space between them, or return null where there is anything else.
 * @param {Token[]} tokens
 * @param {string[]} names
 * @param {(name: string, attrs: {lead: string, head: string, tail: string}, body: Token[]) => any} make
 */
function readParts(tokens, names, make) {
  const parts = [];
  let at = 0;
  for (;;) {
    const begin = at;
    while (isBlank(tokens[at])) at++;
    const lead = joinTokens(tokens.slice(begin, at));
    if (at >= tokens.length) return { parts, space: lead };
    const close = tokens[at].kind === "open" && names.includes(tokens[at].name) ? findClose(tokens, at) : -1;
    const part = close < 0 ? null : make(tokens[at].name, { lead, head: tokens[at].source, tail: tokens[close].source }, tokens.slice(at + 1, close));
    if (!part) return null;
    parts.push(part);
    at = close + 1;
  }
}

/** Tell whether all rows of a table are of one length. */
export function isRegular(/** @type {any} */ table) {
  const lengths = new Set();
  table.descendants((/** @type {any} */ node) => {
    if (node.type.name === "table_row") lengths.add(node.children.reduce((/** @type {number} */ sum, /** @type {any} */ cell) => sum + cell.attrs.span, 0));
    return node.type.name === "table_section";
  });
  return lengths.size === 1;
}

/** Tell whether all tables of a document are regular: what would tear one apart isn't done. */
export function hasRegularTables(/** @type {any} */ doc) {
  let all = true;
  doc.descendants((/** @type {any} */ node) => {
    if (node.type.name === "table") all = all && isRegular(node);
    return !node.isTextblock && node.type.name !== "table";
  });
  return all;
}

/** Make a table with empty cells. @param {number} rows @param {number} columns */
export function newTable(rows, columns) {
  const { table, table_section: section, table_row: row, table_cell: cell } = schema.nodes;
  const made = Array.from({ length: rows }, () => row.create(null, Array.from({ length: columns }, () => cell.create())));
  return table.create(null, section.create(null, made));
}

/** The cell of the selection, with what is around it. @param {any} state @returns {any} */
function findCell(state) {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 3; depth--) {
    if ($from.node(depth).type.name !== "table_cell") continue;
    const [table, section, row] = [3, 2, 1].map((up) => $from.node(depth - up));
    return { $from, depth, table, section, row, column: $from.index(depth - 1) };
  }
  return null;
}

/** Move to the next cell or the one before; behind the last one a row begins. @param {1 | -1} by @returns {import("./commands.js").Command} */
export function goToCell(by) {
  return (state, dispatch, view) => {
    const found = findCell(state);
    if (!found) return false;
    const { $from, depth } = found;
    const inside = { from: $from.before(depth - 3), to: $from.after(depth - 3) };
    /** @type {number[]} */
    const places = [];
    state.doc.nodesBetween(inside.from, inside.to, (/** @type {any} */ node, /** @type {number} */ pos) => {
      if (node.type.name === "table_cell") places.push(pos);
    });
    const target = places[places.indexOf($from.before(depth)) + by];
    if (target === undefined) return by > 0 ? addRow(state, dispatch, view) : true;
    const end = target + state.doc.nodeAt(target).nodeSize - 1;
    dispatch?.(state.tr.setSelection(TextSelection.create(state.doc, target + 1, end)).scrollIntoView());
    return true;
  };
}

function emptied(/** @type {any} */ cell) {
  return cell.type.create(cell.attrs);
}

/** Add a row below the one of the selection. @type {import("./commands.js").Command} */
export function addRow(state, dispatch) {
  const found = findCell(state);
  if (!found) return false;
  const at = found.$from.after(found.depth - 1);
  const transaction = state.tr.insert(at, found.row.type.create(found.row.attrs, found.row.children.map(emptied)));
  dispatch?.(transaction.setSelection(TextSelection.near(transaction.doc.resolve(at + 1))).scrollIntoView());
  return true;
}

/** @type {import("./commands.js").Command} */
export function deleteRow(state, dispatch, view) {
  const found = findCell(state);
  if (!found) return false;
  const { $from, depth, table, section } = found;
  const sections = table.children.filter((/** @type {any} */ child) => child.type.name === "table_section").length;
  if (section.childCount === 1 && sections === 1) return deleteBlock(state, dispatch, view);
  const level = section.childCount === 1 ? depth - 2 : depth - 1;
  dispatch?.(state.tr.delete($from.before(level), $from.after(level)).scrollIntoView());
  return true;
}

/** The places of the cells of a column, the last first; null where cells reach over several. */
function columnOf(/** @type {any} */ state, /** @type {any} */ found) {
  const from = found.$from.before(found.depth - 3);
  /** @type {number[]} */
  const places = [];
  let isPlain = true;
  found.table.descendants((/** @type {any} */ node, /** @type {number} */ pos, /** @type {any} */ parent, /** @type {number} */ index) => {
    if (node.type.name !== "table_cell") return;
    isPlain = isPlain && node.attrs.span === 1;
    if (index === found.column) places.unshift(from + 1 + pos);
  });
  return isPlain ? places : null;
}

/** Add a column behind the one of the selection. @type {import("./commands.js").Command} */
export function addColumn(state, dispatch) {
  const found = findCell(state);
  const places = found && columnOf(state, found);
  if (!places) return false;
  const transaction = state.tr;
  for (const place of places) {
    const cell = state.doc.nodeAt(place);
    transaction.insert(place + cell.nodeSize, emptied(cell));
  }
  dispatch?.(transaction.scrollIntoView());
  return true;
}

/** @type {import("./commands.js").Command} */
export function deleteColumn(state, dispatch, view) {
  const found = findCell(state);
  const places = found && columnOf(state, found);
  if (!places) return false;
  if (found.row.childCount === 1) return deleteBlock(state, dispatch, view);
  const transaction = state.tr;
  for (const place of places) transaction.delete(place, place + state.doc.nodeAt(place).nodeSize);
  dispatch?.(transaction.scrollIntoView());
  return true;
}
