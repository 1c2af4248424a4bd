// Segments of a text as nodes of the editor. What can't be written again exactly as it was becomes an opaque block.
import { parseInline } from "./inline.js";
import { parseList } from "./lists.js";
import { parseNested } from "./nested.js";
import { schema } from "./schema.js";
import { splitClassic, splitText } from "./segments.js";
import { writeNode } from "./serialise.js";
import { parseTable } from "./tables.js";
import { isBlank, joinTokens, readAttribute, tokenize } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").Token} Token
 * @typedef {import("./segments.js").Segment} Segment
 * @typedef {object} Whole  an element that is all of a segment, with what stands around it
 * @property {string} head
 * @property {string} tag
 * @property {Token[]} body
 * @property {string} tail
 */

const HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"];
/** @type {Record<string, string[]>} */
const ELEMENTS = {
  "paragraph": ["p"], "heading": HEADINGS, "list": ["ul", "ol"], "quote": ["blockquote"], "code": ["pre"], "preformatted": ["pre"],
  "verse": ["pre"], "image": ["figure", "div"], "table": ["figure"],
  "": ["p", ...HEADINGS, "ul", "ol", "blockquote", "pre", "figure", "table"],
};

/**
 * Return the node of a segment.
 * @param {Segment} segment
 * @param {{classic: boolean, eol: string}} style
 */
export function parseSegment(segment, style) {
  const name = segment.name.replace(/^core\//, "");
  for (const read of [tryNode, tryNested]) {
    const node = read(segment, name, style);
    if (node && writeNode(node, style) === segment.source) return node;
  }
  return schema.nodes.opaque.create({ source: segment.source, name: name || commentName(segment.source) });
}

/** @returns {any} */
function tryNested(/** @type {Segment} */ segment, /** @type {string} */ name, /** @type {any} */ style) {
  return name === "" || name in ELEMENTS ? null : parseNested(segment, name, style, parseSegment);
}

/** @returns {any} */
function tryNode(/** @type {Segment} */ segment, /** @type {string} */ name, /** @type {any} */ style) {
  if (name === "html" || name === "shortcode") return segment.close ? parseRaw(segment, name) : null;
  const names = ELEMENTS[name];
  if (!names) return null;
  const tokens = tokenize(segment.inner ?? segment.source);
  const whole = findWhole(tokens, names, segment);
  if (whole) return parseElement(whole, name, style);
  return name === "" && style.classic ? parseBare(tokens, style) : null;
}

function parseRaw(/** @type {Segment} */ segment, /** @type {string} */ name) {
  const found = /^(\s*)([^]*?)(\s*)$/.exec(segment.inner ?? "");
  if (!found || found[2].includes("\r")) return null;
  const attrs = { name, head: segment.open + found[1], tail: found[3] + segment.close };
  return schema.nodes.raw.create(attrs, found[2] ? schema.text(found[2]) : null);
}

/** A paragraph without an element of its own. */
function parseBare(/** @type {Token[]} */ tokens, /** @type {any} */ style) {
  if (tokens.length === 1 && tokens[0].kind === "comment") return null;
  const content = parseInline(tokens, { breaks: style.classic });
  return content && schema.nodes.paragraph.create({ head: "", tail: "" }, content);
}

/**
 * @param {Token[]} tokens
 * @param {string[]} names
 * @param {Segment} segment
 * @returns {Whole | null}
 */
function findWhole(tokens, names, segment) {
  let begin = 0;
  let end = tokens.length - 1;
  while (isBlank(tokens[begin])) begin++;
  while (end > begin && isBlank(tokens[end])) end--;
  const first = tokens[begin];
  const last = tokens[end];
  if (end <= begin || first.kind !== "open" || !names.includes(first.name)) return null;
  if (last.kind !== "close" || last.name !== first.name) return null;
  return {
    head: (segment.open ?? "") + joinTokens(tokens.slice(0, begin + 1)), tag: first.source, body: tokens.slice(begin + 1, end),
    tail: joinTokens(tokens.slice(end)) + (segment.close ?? ""),
  };
}

/**
 * @param {Whole} whole
 * @param {string} name
 * @param {any} style
 * @returns {any}
 */
function parseElement(whole, name, style) {
  const tag = /^<([a-z0-9]+)/i.exec(whole.tag)?.[1].toLowerCase() ?? "";
  if (HEADINGS.includes(tag)) return parseLine("heading", whole, style, { level: Number(tag[1]) });
  if (tag === "p") return parseLine("paragraph", whole, style, {});
  if (tag === "pre") return name === "code" || whole.body[0]?.name === "code" ? parseCode(whole) : parsePreformatted(whole);
  if (tag === "ul" || tag === "ol") return parseList(whole.head, whole.body, whole.tail, tag, style);
  if (tag === "blockquote") return parseQuote(whole, style);
  if (tag === "table" || name === "table") return parseTable(whole);
  const figure = tag === "div" ? findWhole(whole.body, ["figure"], { name, source: "", gap: "", open: whole.head, close: whole.tail }) : whole;
  return figure && (parseImage(figure) ?? parseTable(figure));
}

function parseLine(/** @type {string} */ type, /** @type {Whole} */ whole, /** @type {any} */ style, /** @type {object} */ attrs) {
  const content = parseInline(whole.body, { breaks: style.classic });
  return content && schema.nodes[type].create({ ...attrs, head: whole.head, tail: whole.tail }, content);
}

function parsePreformatted(/** @type {Whole} */ whole) {
  const content = parseInline(whole.body, { breaks: false, verbatim: true });
  return content && schema.nodes.preformatted.create({ head: whole.head, tail: whole.tail }, content);
}

function parseCode(/** @type {Whole} */ whole) {
  const [first, last] = [whole.body[0], whole.body.at(-1)];
  if (first?.kind !== "open" || first.name !== "code" || last?.kind !== "close" || last.name !== "code") return null;
  const body = whole.body.slice(1, -1);
  if (body.some((token) => token.kind !== "text")) return null;
  const content = parseInline(body, { breaks: false, verbatim: true });
  return content && schema.nodes.code.create({ head: whole.head + first.source, tail: last.source + whole.tail }, content);
}

function parseQuote(/** @type {Whole} */ whole, /** @type {any} */ style) {
  const html = joinTokens(whole.body);
  const { segments, tail } = style.classic ? splitClassic(html) : splitText(html);
  const children = [];
  for (const segment of segments) {
    const node = parseCite(segment, style) ?? parseSegment(segment, { ...style, classic: style.classic || segment.name === "" });
    if (node.type.name === "opaque") return null;
    children.push(withLead(node, segment.gap));
  }
  const type = schema.nodes.quote;
  const attrs = { head: whole.head, tail: tail + whole.tail };
  return type.validContent(schemaFragment(children)) ? type.create(attrs, children) : null;
}

function parseCite(/** @type {Segment} */ segment, /** @type {any} */ style) {
  const whole = segment.name === "" ? findWhole(tokenize(segment.source), ["cite"], segment) : null;
  return whole && parseLine("cite", whole, style, {});
}

/** @returns {any} */
function schemaFragment(/** @type {any[]} */ nodes) {
  return schema.nodes.doc.create(null, nodes).content;
}

function withLead(/** @type {any} */ node, /** @type {string} */ lead) {
  return node.type.create({ ...node.attrs, lead }, node.content, node.marks);
}

/** A figure with one picture, which may be a link, and its caption. */
function parseImage(/** @type {Whole} */ whole) {
  const at = whole.body.findIndex((token) => token.name === "img");
  const caption = whole.body.findIndex((token) => token.name === "figcaption");
  if (at < 0) return null;
  const captionBegin = caption < 0 ? whole.body.length : caption;
  const captionEnd = caption < 0 ? captionBegin : whole.body.findLastIndex((token) => token.name === "figcaption");
  const before = whole.body.slice(0, at);
  const between = whole.body.slice(at + 1, captionBegin);
  const after = whole.body.slice(captionEnd + 1);
  if (caption >= 0 && captionEnd <= captionBegin) return null;
  if (![...before, ...between, ...after].every((token) => isBlank(token) || token.name === "a")) return null;
  const content = parseInline(whole.body.slice(captionBegin + 1, captionEnd), { breaks: false });
  const attrs = {
    head: whole.head + joinTokens(before), img: whole.body[at].source, mid: joinTokens(between),
    caption: whole.body[captionBegin]?.source ?? null, captionEnd: caption < 0 ? null : whole.body[captionEnd].source,
    tail: joinTokens(after) + whole.tail,
  };
  return content && readAttribute(attrs.img, "src") ? schema.nodes.image.create(attrs, content) : null;
}

/** What an opaque piece without a block's name is called. */
function commentName(/** @type {string} */ source) {
  return /^<!--(more|nextpage)/.exec(source)?.[1] ?? (/^<hr[\s/>]/i.test(source) ? "separator" : "");
}
