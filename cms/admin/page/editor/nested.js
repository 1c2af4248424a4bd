// Blocks that hold blocks, galleries that hold pictures, and buttons: read so that what stands around their parts stays as it is.
import { parseInline } from "./inline.js";
import { schema } from "./schema.js";
import { splitText } from "./segments.js";
import { findClose, isBlank, joinTokens, tokenize } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").Token} Token
 * @typedef {import("./segments.js").Segment} Segment
 * @typedef {(segment: Segment, style: any) => any} ParseSegment
 */

/** Blocks that are read as such although nothing is in them yet. */
const EMPTY = new Set(["column", "group"]);

/**
 * Return the node of a block that holds others, or null where it holds none.
 * @param {Segment} segment
 * @param {string} name
 * @param {any} style
 * @param {ParseSegment} parse
 */
export function parseNested(segment, name, style, parse) {
  if (!segment.close) return null;
  if (name === "button") return parseButton(segment);
  const inner = segment.inner ?? "";
  const { segments, tail } = splitText(inner);
  const first = segments.findIndex((each) => each.name !== "");
  if (first < 0) return name === "gallery" ? parseItems(segment, parse, style) : parseEmpty(segment, name);
  const last = segments.findLastIndex((each) => each.name !== "");
  const inside = segments.slice(first, last + 1);
  if (inside.some((each) => each.name === "")) return null;
  const children = inside.map((each, index) => withLead(parse(each, style), index ? each.gap : null));
  if (children.every((child) => child.type.name === "opaque")) return null;
  const join = (/** @type {Segment[]} */ row) => row.map((each) => each.gap + each.source).join("");
  const attrs = {
    name, head: segment.open + join(segments.slice(0, first)) + inside[0].gap, tail: join(segments.slice(last + 1)) + tail + segment.close,
  };
  return schema.nodes.container.create(attrs, children);
}

function withLead(/** @type {any} */ node, /** @type {string | null} */ lead) {
  return node.type.create({ ...node.attrs, lead }, node.content);
}

/** A block with one element that is empty: a paragraph that isn't written stands in it for the cursor. */
function parseEmpty(/** @type {Segment} */ segment, /** @type {string} */ name) {
  if (!EMPTY.has(name)) return null;
  const tokens = tokenize(segment.inner ?? "");
  const tags = tokens.filter((token) => !isBlank(token));
  if (tags.length !== 2 || tags[0].kind !== "open" || tags[1].kind !== "close" || tags[0].name !== tags[1].name) return null;
  const cut = tokens.indexOf(tags[1]);
  const attrs = { name, head: segment.open + joinTokens(tokens.slice(0, cut)), tail: joinTokens(tokens.slice(cut)) + segment.close };
  return schema.nodes.container.create(attrs, schema.nodes.paragraph.create());
}

/** A gallery as it was written before its pictures were blocks: items of a list. */
function parseItems(/** @type {Segment} */ segment, /** @type {ParseSegment} */ parse, /** @type {any} */ style) {
  const tokens = tokenize(segment.inner ?? "");
  const begin = tokens.findIndex((token) => token.kind === "open" && token.name === "li");
  if (begin < 0) return null;
  const images = [];
  let at = begin;
  let lead = "";
  for (;;) {
    const next = isBlank(tokens[at]) ? at + 1 : at;
    if (tokens[next]?.kind !== "open" || tokens[next].name !== "li") break;
    const close = findClose(tokens, next);
    const image = close < 0 ? null : parseItem(tokens.slice(next, close + 1), parse, style);
    if (!image) return null;
    lead = images.length ? joinTokens(tokens.slice(at, next)) : "";
    images.push(withLead(image, lead));
    at = close + 1;
  }
  const attrs = { head: segment.open + joinTokens(tokens.slice(0, begin)), tail: joinTokens(tokens.slice(at)) + segment.close };
  return schema.nodes.gallery.create(attrs, images);
}

/** A picture in an item: the figure in it is one by itself, with the item's tags around it. */
function parseItem(/** @type {Token[]} */ tokens, /** @type {ParseSegment} */ parse, /** @type {any} */ style) {
  const source = joinTokens(tokens.slice(1, -1));
  const image = parse({ name: "", source, gap: "" }, { ...style, classic: true });
  if (image.type.name !== "image") return null;
  const [head, tail] = [tokens[0].source + image.attrs.head, image.attrs.tail + tokens[tokens.length - 1].source];
  return image.type.create({ ...image.attrs, head, tail }, image.content);
}

/** A button: a link in an element of its own. */
function parseButton(/** @type {Segment} */ segment) {
  const tokens = tokenize(segment.inner ?? "");
  const begin = tokens.findIndex((token) => token.kind === "open" && token.name === "a");
  const end = begin < 0 ? -1 : findClose(tokens, begin);
  if (end < 0) return null;
  const around = [...tokens.slice(0, begin), ...tokens.slice(end + 1)];
  if (!around.every((token) => isBlank(token) || token.name === "div")) return null;
  const content = parseInline(tokens.slice(begin + 1, end), { breaks: false });
  const attrs = {
    head: segment.open + joinTokens(tokens.slice(0, begin)), link: tokens[begin].source, tail: joinTokens(tokens.slice(end)) + segment.close,
  };
  return content && schema.nodes.button.create(attrs, content);
}
