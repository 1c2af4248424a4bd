// What the toolbar and the keys do to a document.
import { NodeSelection, Selection, TextSelection, lift, setBlockType, wrapIn, wrapInList, liftListItem } from "../vendor/prosemirror.js";
import { schema } from "./schema.js";

/** @typedef {(state: any, dispatch?: (transaction: any) => void, view?: any) => boolean} Command */

/** Elements that say the same, each under its usual name. @type {Record<string, string[]>} */
const SAME = { strong: ["strong", "b"], em: ["em", "i"], code: ["code"], s: ["s", "del", "strike"], a: ["a"] };

/** Tell whether all of a selection, or what would be typed, is in an element. */
export function isMarked(/** @type {any} */ state, /** @type {string} */ name) {
  const { from, to, empty, $from } = state.selection;
  const matches = (/** @type {any} */ mark) => mark.type.name === "phrase" && SAME[name].includes(mark.attrs.name);
  if (empty) return (state.storedMarks ?? $from.marks()).some(matches);
  let all = true;
  let any = false;
  state.doc.nodesBetween(from, to, (/** @type {any} */ node) => {
    if (!node.isText) return;
    any = true;
    all = all && node.marks.some(matches);
  });
  return any && all;
}

/**
 * Put an element around a selection, or take it away where all of it is in one.
 * @param {string} name
 * @returns {Command}
 */
export function togglePhrase(name) {
  return (state, dispatch) => {
    const { empty, $from } = state.selection;
    if (!$from.parent.inlineContent || !$from.parent.type.allowsMarkType(schema.marks.phrase)) return false;
    if (!dispatch) return true;
    const has = isMarked(state, name);
    const mark = schema.marks.phrase.create({ name });
    const transaction = state.tr;
    if (empty) {
      const marks = (state.storedMarks ?? $from.marks()).filter((/** @type {any} */ each) => !isSame(each, name));
      transaction.setStoredMarks(has ? marks : [...marks, mark]);
    } else {
      removePhrase(transaction, state.selection, name);
      if (!has) transaction.addMark(state.selection.from, state.selection.to, mark);
    }
    dispatch(transaction.scrollIntoView());
    return true;
  };
}

function isSame(/** @type {any} */ mark, /** @type {string} */ name) {
  return mark.type.name === "phrase" && SAME[name].includes(mark.attrs.name);
}

function removePhrase(/** @type {any} */ transaction, /** @type {any} */ selection, /** @type {string} */ name) {
  const { from, to } = selection;
  transaction.doc.nodesBetween(from, to, (/** @type {any} */ node) => {
    for (const mark of node.marks) {
      if (isSame(mark, name)) transaction.removeMark(from, to, mark);
    }
  });
}

/** The link around the cursor, with its range. */
export function findLink(/** @type {any} */ state) {
  const { $from, from, to, empty } = state.selection;
  if (!empty) return { from, to, mark: state.doc.nodeAt(from)?.marks.find((/** @type {any} */ mark) => isSame(mark, "a")) ?? null };
  const parent = $from.parent;
  const around = parent.childAfter($from.parentOffset).node ?? parent.childBefore($from.parentOffset).node;
  const mark = around?.marks.find((/** @type {any} */ each) => isSame(each, "a"));
  if (!mark) return { from, to, mark: null };
  let begin = -1;
  let end = -1;
  parent.forEach((/** @type {any} */ child, /** @type {number} */ offset) => {
    if (!mark.isInSet(child.marks)) return;
    if (begin < 0 || offset !== end) begin = end >= $from.parentOffset ? begin : offset;
    end = offset + child.nodeSize;
  });
  return { from: $from.start() + begin, to: $from.start() + end, mark };
}

/**
 * Make a link of the selection, change the one around it, or remove it where there is no tag.
 * @param {string | null} tag
 * @returns {Command}
 */
export function setLink(tag) {
  return (state, dispatch) => {
    const { from, to } = findLink(state);
    if (!dispatch) return from !== to;
    const transaction = state.tr;
    removePhrase(transaction, { from, to }, "a");
    if (tag && from === to) {
      const text = /="([^"]*)"/.exec(tag)?.[1] ?? "";
      transaction.insert(from, schema.text(text, [schema.marks.phrase.create({ name: "a", open: tag })]));
    } else if (tag) {
      transaction.addMark(from, to, schema.marks.phrase.create({ name: "a", open: tag }));
    }
    dispatch(transaction.scrollIntoView());
    return true;
  };
}

/** @param {string} name @param {any} [attrs] @returns {Command} */
export function makeBlock(name, attrs) {
  return (state, dispatch) => {
    const type = schema.nodes[name];
    if (!setBlockType(type, attrs)(state)) return false;
    const { from, to } = state.selection;
    dispatch?.(state.tr.setBlockType(from, to, type, (/** @type {any} */ old) => ({ ...attrs, origin: old.attrs.origin, lead: old.attrs.lead })).scrollIntoView());
    return true;
  };
}

/** Put blocks into a list, or take them out of one of this kind. @param {string} name @returns {Command} */
export function toggleList(name) {
  return (state, dispatch, view) => {
    const list = findAround(state, (node) => node.type.name.endsWith("_list"));
    if (list?.node.type.name === name) return liftListItem(schema.nodes.list_item)(state, dispatch);
    if (!list) return wrapInList(schema.nodes[name], originOf(state))(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.pos, schema.nodes[name], { origin: list.node.attrs.origin, lead: list.node.attrs.lead }));
    return true;
  };
}

/** @type {Command} */
export function toggleQuote(state, dispatch) {
  if (findAround(state, (node) => node.type.name === "quote")) return lift(state, dispatch);
  return wrapIn(schema.nodes.quote, originOf(state))(state, dispatch && ((transaction) => dispatch(withoutLead(transaction, state))));
}

/** The space before what is put into a quote is before the quote then. */
function withoutLead(/** @type {any} */ transaction, /** @type {any} */ state) {
  const { pos } = findOpenBlock(state);
  return "lead" in (transaction.doc.nodeAt(pos + 1)?.attrs ?? {}) ? transaction.setNodeAttribute(pos + 1, "lead", null) : transaction;
}

/** What is put around a block takes its place. */
/** @returns {any} */
function originOf(/** @type {any} */ state) {
  const { origin, lead } = findOpenBlock(state).node.attrs;
  return { origin, lead };
}

/** @param {any} state @param {(node: any) => boolean} matches */
export function findAround(state, matches) {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    if (matches($from.node(depth))) return { node: $from.node(depth), pos: $from.before(depth) };
  }
  return null;
}

/** What holds blocks that are moved and deleted one by one; blocks of any kind are in the first two. */
const OPEN = ["doc", "container"];
const HOLDERS = [...OPEN, "gallery"];

/**
 * The block that is selected, or in which the selection begins: the innermost one.
 * @param {any} state
 * @param {string[]} [holders]
 */
export function findBlock(state, holders = HOLDERS) {
  const { $from } = state.selection;
  let { depth } = $from;
  while (!holders.includes($from.node(depth).type.name)) depth--;
  const parent = $from.node(depth);
  const index = Math.min($from.index(depth), parent.childCount - 1);
  return { parent, depth, index, pos: $from.posAtIndex(index, depth), node: parent.child(index) };
}

/** The block of the selection that may be of any kind: a picture of an old gallery has to stay one. */
export function findOpenBlock(/** @type {any} */ state) {
  return findBlock(state, OPEN);
}

/** Move the block one place up or down in what it stands in. @param {-1 | 1} by @returns {Command} */
export function moveBlock(by) {
  return (state, dispatch) => {
    const { parent, index, pos, node } = findBlock(state);
    if (index + by < 0 || index + by >= parent.childCount) return false;
    if (!dispatch) return true;
    const target = by < 0 ? pos - parent.child(index - 1).nodeSize : pos + parent.child(index + 1).nodeSize;
    const transaction = state.tr.delete(pos, pos + node.nodeSize).insert(target, node);
    const isWhole = state.selection instanceof NodeSelection && state.selection.from === pos;
    dispatch(select(transaction, target, isWhole ? -1 : state.selection.from - pos).scrollIntoView());
    return true;
  };
}

/** @type {Command} */
export function duplicateBlock(state, dispatch) {
  const { pos, node } = findBlock(state);
  dispatch?.(select(state.tr.insert(pos + node.nodeSize, node), pos + node.nodeSize, 0).scrollIntoView());
  return true;
}

/** Delete the block of the selection; a gallery goes with its last picture. @type {Command} */
export function deleteBlock(state, dispatch) {
  const found = findBlock(state);
  const { node, pos } = found.parent.type.name === "gallery" && found.parent.childCount === 1 ? findOpenBlock(state) : found;
  if (!dispatch) return true;
  const transaction = state.tr;
  if (state.doc.resolve(pos).parent.childCount === 1) transaction.replaceWith(pos, pos + node.nodeSize, schema.nodes.paragraph.create());
  else transaction.delete(pos, pos + node.nodeSize);
  dispatch(transaction.setSelection(Selection.near(transaction.doc.resolve(Math.min(pos, transaction.doc.content.size)))).scrollIntoView());
  return true;
}

/** Put a block behind the one of the selection, or in the place of an empty paragraph. @param {any} node @returns {Command} */
export function insertBlock(node) {
  return (state, dispatch) => {
    const top = findBlock(state, node.type.name === "image" ? HOLDERS : OPEN);
    const isEmpty = top.node.type.name === "paragraph" && top.node.content.size === 0;
    const at = isEmpty ? top.pos : top.pos + top.node.nodeSize;
    const transaction = isEmpty ? state.tr.replaceWith(at, at + top.node.nodeSize, node) : state.tr.insert(at, node);
    dispatch?.(select(transaction, at, 0).scrollIntoView());
    return true;
  };
}

/** Select the block at a place, or set the cursor into it; an offset of -1 stands for the whole block. */
function select(/** @type {any} */ transaction, /** @type {number} */ pos, /** @type {number} */ offset) {
  const node = transaction.doc.nodeAt(pos);
  if (node?.isAtom || offset < 0) return transaction.setSelection(NodeSelection.create(transaction.doc, pos));
  return transaction.setSelection(TextSelection.near(transaction.doc.resolve(pos + Math.max(offset, 1))));
}
