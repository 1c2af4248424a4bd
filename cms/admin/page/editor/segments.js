// A text as a row of segments with the space between them: blocks of WordPress' grammar, or the paragraphs of a classic text.
import { tokenize, trimSpace } from "./tokens.js";

/**
 * @typedef {object} Segment
 * @property {string} source
 * @property {string} gap   the space before it
 * @property {string} name  a block's name, "" for what is no block
 * @property {string} [open]   a block's opening comment
 * @property {string} [inner]  what stands between its comments
 * @property {string} [close]  its closing comment
 *
 * @typedef {object} Split
 * @property {Segment[]} segments
 * @property {string} tail  the space behind the last segment
 */

const BLOCK_MARK = /<!--\s+\/?wp:/;
const DELIMITER = /<!--\s+(\/?)wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)\s+([^]*?)-->/g;
const BLANK_LINE = /(?:\r\n|\n|\r(?!\n))[ \t\f\v]*(?:\r\n|\n|\r)\s*/g;
// Elements that end a paragraph, as the server's rendering sees them.
const BLOCKS = new Set((
  "address article aside blockquote center details dialog dd dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
  "header hgroup hr legend main menu nav ol p pre section summary table ul li script style math svg"
).split(" "));

/** @param {string} text */
export function hasBlocks(text) {
  return BLOCK_MARK.test(text);
}

/**
 * Split a text; the gaps, sources and the tail joined are the text again.
 * @param {string} text
 * @returns {Split}
 */
export function splitText(text) {
  return hasBlocks(text) ? splitBlocks(text) : splitClassic(text);
}

/**
 * Write a text from its segments.
 * @param {Split} split
 */
export function joinSegments({ segments, tail }) {
  return segments.map((segment) => segment.gap + segment.source).join("") + tail;
}

/**
 * @param {string} text
 * @returns {Split}
 */
function splitBlocks(text) {
  const row = new Row();
  let end = 0;
  /** @type {{name: string, start: number, inner: number}[]} */
  const open = [];
  for (const found of text.matchAll(DELIMITER)) {
    const [source, closing, name, attributes] = found;
    const delimiter = readDelimiter(attributes);
    if (!delimiter) continue;
    const after = found.index + source.length;
    if (closing) {
      const depth = open.findLastIndex((each) => each.name === name);
      if (depth < 0) continue;
      const [outer] = open.splice(depth);
      if (depth > 0) continue;
      row.addFree(text.slice(end, outer.start));
      row.add({ name, source: text.slice(outer.start, after), open: text.slice(outer.start, outer.inner),
        inner: text.slice(outer.inner, found.index), close: source });
      end = after;
    } else if (!delimiter.empty) {
      open.push({ name, start: found.index, inner: after });
    } else if (open.length === 0) {
      row.addFree(text.slice(end, found.index));
      row.add({ name, source, open: source, inner: "", close: "" });
      end = after;
    }
  }
  row.addFree(text.slice(end));
  return row.finish();
}

/**
 * Tell whether what stands behind a block's name is its attributes, and whether the block is empty.
 * @param {string} attributes
 */
function readDelimiter(attributes) {
  const empty = attributes.endsWith("/");
  const json = (empty ? attributes.slice(0, -1) : attributes).trim();
  return json === "" || (json.startsWith("{") && json.endsWith("}")) ? { empty } : null;
}

/**
 * Split at empty lines outside of elements, and around elements that end a paragraph.
 * @param {string} text
 * @returns {Split}
 */
export function splitClassic(text) {
  const tokens = tokenize(text);
  const closed = findClosed(tokens);
  const row = new Row();
  let depth = 0;
  let held = "";
  const cut = () => {
    row.addFree(held);
    held = "";
  };
  tokens.forEach((token, index) => {
    const isBlock = BLOCKS.has(token.name);
    if (token.kind === "text" && depth === 0) {
      for (const part of splitLines(token.source)) {
        if (part.blank) cut();
        held += part.text;
      }
      return;
    }
    if (depth === 0 && isBlock && token.kind !== "close") cut();
    held += token.source;
    if (closed.has(index)) depth += token.kind === "open" ? 1 : -1;
    if (depth === 0 && isBlock) cut();
    if (depth === 0 && token.kind === "comment" && /^<!--(more|nextpage)/.test(token.source)) {
      held = held.slice(0, -token.source.length);
      cut();
      row.addFree(token.source);
    }
  });
  row.addFree(held);
  return row.finish();
}

/**
 * @param {string} text
 * @returns {{text: string, blank: boolean}[]}
 */
function splitLines(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(BLANK_LINE)) {
    parts.push({ text: text.slice(end, found.index), blank: false }, { text: found[0], blank: true });
    end = found.index + found[0].length;
  }
  parts.push({ text: text.slice(end), blank: false });
  return parts;
}

/**
 * Return the positions of tags that have their counterpart; others open and close nothing.
 * @param {import("./tokens.js").Token[]} tokens
 */
function findClosed(tokens) {
  /** @type {Set<number>} */
  const closed = new Set();
  /** @type {number[]} */
  const open = [];
  tokens.forEach((token, index) => {
    if (token.kind === "open") open.push(index);
    if (token.kind !== "close") return;
    const place = open.findLastIndex((each) => tokens[each].name === token.name);
    if (place < 0) return;
    closed.add(open[place]).add(index);
    open.splice(place);
  });
  return closed;
}

/** Segments in the making: space at the ends of what is added becomes the gaps. */
class Row {
  /** @type {Segment[]} */
  segments = [];
  gap = "";

  /** @param {Omit<Segment, "gap">} segment */
  add(segment) {
    this.segments.push({ ...segment, gap: this.gap });
    this.gap = "";
  }

  /** @param {string} text */
  addFree(text) {
    const source = trimSpace(text);
    const begin = text.indexOf(source);
    this.gap += text.slice(0, begin);
    if (source) this.add({ name: "", source });
    this.gap += text.slice(begin + source.length);
  }

  /** @returns {Split} */
  finish() {
    return { segments: this.segments, tail: this.gap };
  }
}
