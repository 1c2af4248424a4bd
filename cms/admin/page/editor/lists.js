// Lists with their items and the lists in them, read so that every piece of space and every comment has its place.
import { parseInline } from "./inline.js";
import { schema } from "./schema.js";
import { findClose, isBlank, joinTokens, readAttribute } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").Token} Token
 */

const ITEM_BEGIN = /^<!--\s+wp:list-item[\s{]/;
const ITEM_END = /^<!--\s+\/wp:list-item\s/;
const LIST_BEGIN = /^<!--\s+wp:list[\s{]/;
const LIST_END = /^<!--\s+\/wp:list\s/;

/**
 * Return the node of a list, or null where something stands in it that is no item.
 * @param {string} head
 * @param {Token[]} body
 * @param {string} tail
 * @param {string} tag
 * @param {{classic: boolean}} style
 * @returns {any}
 */
export function parseList(head, body, tail, tag, style) {
  const items = [];
  let at = 0;
  for (;;) {
    const begin = at;
    at = skip(body, at, ITEM_BEGIN);
    const first = body[at];
    if (!first) return items.length ? create(tag, head, items, joinTokens(body.slice(begin)) + tail) : null;
    if (first.kind !== "open" || first.name !== "li") return null;
    const close = findClose(body, at);
    if (close < 0) return null;
    const after = skipEnd(body, close + 1, ITEM_END);
    const item = parseItem(joinTokens(body.slice(begin, at + 1)), body.slice(at + 1, close), joinTokens(body.slice(close, after)), style);
    if (!item) return null;
    items.push(item);
    at = after;
  }
}

function create(/** @type {string} */ tag, /** @type {string} */ head, /** @type {any[]} */ items, /** @type {string} */ tail) {
  if (tag === "ul") return schema.nodes.bullet_list.create({ head, tail }, items);
  const start = Number.parseInt(readAttribute(/<ol\b[^>]*>$/i.exec(head)?.[0] ?? "", "start"), 10);
  return schema.nodes.ordered_list.create({ head, tail, start: Number.isNaN(start) ? 1 : start }, items);
}

/** Skip space and comments of one kind. */
function skip(/** @type {Token[]} */ tokens, /** @type {number} */ at, /** @type {RegExp} */ comment) {
  let next = at;
  while (isBlank(tokens[next]) || (tokens[next]?.kind === "comment" && comment.test(tokens[next].source))) next++;
  return next;
}

/** Skip a closing comment with the space before it, if there is one. */
function skipEnd(/** @type {Token[]} */ tokens, /** @type {number} */ at, /** @type {RegExp} */ comment) {
  const next = isBlank(tokens[at]) ? at + 1 : at;
  return tokens[next]?.kind === "comment" && comment.test(tokens[next].source) ? next + 1 : at;
}

/**
 * @param {string} head
 * @param {Token[]} body
 * @param {string} tail
 * @param {{classic: boolean}} style
 * @returns {any}
 */
function parseItem(head, body, tail, style) {
  let at = body.findIndex((token) => token.name === "ul" || token.name === "ol" || (token.kind === "comment" && LIST_BEGIN.test(token.source)));
  if (at < 0) at = body.length;
  const { line, space } = cutSpace(body.slice(0, at), at < body.length);
  const content = parseInline(line, { breaks: style.classic });
  if (!content) return null;
  const children = [schema.nodes.paragraph.create(null, content)];
  let before = space;
  while (at < body.length) {
    const begin = at;
    at = skip(body, at, LIST_BEGIN);
    if (at === body.length) {
      before += joinTokens(body.slice(begin));
      break;
    }
    const { kind, name } = body[at];
    const close = kind === "open" && (name === "ul" || name === "ol") ? findClose(body, at) : -1;
    if (close < 0) return null;
    const after = skipEnd(body, close + 1, LIST_END);
    const outside = before + joinTokens(body.slice(begin, at + 1));
    const list = parseList(outside, body.slice(at + 1, close), joinTokens(body.slice(close, after)), name, style);
    if (!list) return null;
    children.push(list);
    before = "";
    at = after;
  }
  const lead = /^\s*/.exec(head)?.[0] ?? "";
  return schema.nodes.list_item.create({ lead, head: head.slice(lead.length), tail: before + tail }, children);
}

/** Give the space at the end of an item's line to the list that follows. */
function cutSpace(/** @type {Token[]} */ line, /** @type {boolean} */ cut) {
  const last = line.at(-1);
  const space = cut && last?.kind === "text" ? /\s*$/.exec(last.source)?.[0] ?? "" : "";
  if (!last || !space) return { line, space: "" };
  const rest = last.source.slice(0, -space.length);
  return { line: [...line.slice(0, -1), ...(rest ? [{ ...last, source: rest }] : [])], space };
}
