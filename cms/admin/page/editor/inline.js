// Text with its elements: read from HTML and written again as it was.
import { PHRASES, schema } from "./schema.js";
import { decodeEntity, escapeText } from "./tokens.js";

/**
 * @typedef {import("./tokens.js").Token} Token
 * @typedef {object} Reading
 * @property {boolean} breaks  line ends are breaks, as in classic texts
 * @property {boolean} [verbatim]  line ends are characters, as in preformatted texts
 */

const LINE_END = /\r\n|\n|\r/;
const SPACES = /[ \t]*(?:\r\n|\n|\r)[ \t\r\n]*/;
const ENTITY = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/**
 * Return the nodes of a line, or null where it has what they can't hold.
 * @param {Token[]} tokens
 * @param {Reading} reading
 * @returns {any[] | null}
 */
export function parseInline(tokens, reading) {
  const reader = new Reader(reading);
  for (const token of tokens) {
    if (!reader.read(token)) return null;
  }
  return reader.open.length ? null : reader.nodes;
}

class Reader {
  /** @type {any[]} */
  nodes = [];
  /** @type {{mark: any, token: Token, begin: number}[]} */
  open = [];

  /** @param {Reading} reading */
  constructor(reading) {
    this.reading = reading;
  }

  /** @param {Token} token */
  read(token) {
    if (token.kind === "text") this.addText(token.source);
    else if (token.kind === "comment") this.add(schema.nodes.inline_raw, { source: token.source });
    else if (token.kind === "open") return this.enter(token);
    else if (token.kind === "close") return this.leave(token);
    else if (token.kind === "void") return this.addVoid(token);
    else return false;
    return true;
  }

  get marks() {
    return this.open.map((each) => each.mark);
  }

  /** @param {any} type @param {object} attrs */
  add(type, attrs) {
    this.nodes.push(type.create(attrs, null, this.marks));
  }

  /** @param {Token} token */
  enter(token) {
    if (!PHRASES.has(token.name)) return false;
    const mark = schema.marks.phrase.create({ name: token.name, open: token.source });
    this.open.push({ mark, token, begin: this.nodes.length });
    return true;
  }

  /** @param {Token} token */
  leave(token) {
    const last = this.open.pop();
    if (!last || last.token.name !== token.name) return false;
    if (this.nodes.length === last.begin) {
      this.add(schema.nodes.inline_raw, { source: last.token.source + token.source });
    }
    return true;
  }

  /** @param {Token} token */
  addVoid(token) {
    if (token.name === "br") this.add(schema.nodes.line_break, { written: token.source });
    else if (token.name === "img") this.add(schema.nodes.inline_image, { img: token.source });
    else if (token.name === "wbr") this.add(schema.nodes.inline_raw, { source: token.source });
    else return false;
    return true;
  }

  /** @param {string} text */
  addText(text) {
    let rest = text;
    if (this.reading.breaks) rest = this.extendBreak(rest);
    const special = new RegExp(`${(this.reading.breaks || this.reading.verbatim ? LINE_END : SPACES).source}|${ENTITY.source}|[&<>\\u00a0]`, "gi");
    let end = 0;
    for (const found of rest.matchAll(special)) {
      this.addPlain(rest.slice(end, found.index));
      const taken = this.addSpecial(found[0]);
      end = found.index + taken;
      special.lastIndex = end;
    }
    this.addPlain(rest.slice(end));
  }

  /** Add a character that isn't written as itself, or a line end, and return how much of its source it took. */
  addSpecial(/** @type {string} */ source) {
    if (/[\r\n]/.test(source)) {
      if (this.reading.breaks) this.add(schema.nodes.line_break, { written: source });
      else this.addWritten(this.reading.verbatim ? "\n" : " ", source);
      return source.length;
    }
    const text = source.length > 1 ? decodeEntity(source) : source;
    if (text && !/[\r\n\0]/.test(text)) this.addWritten(text, source);
    else this.addAmpersand(source);
    return source.length;
  }

  /** An entity that is none: its ampersand stands for itself. */
  addAmpersand(/** @type {string} */ source) {
    this.addWritten("&", "&");
    this.addPlain(source.slice(1));
  }

  /** @param {string} text @param {string} source */
  addWritten(text, source) {
    const plain = text === "\n" ? source === "\n" : escapeText(text) === source;
    const marks = plain ? this.marks : [...this.marks, schema.marks.written.create({ source })];
    this.nodes.push(schema.text(text, marks));
  }

  /** @param {string} text */
  addPlain(text) {
    if (text) this.nodes.push(schema.text(text, this.marks));
  }

  /** The line end behind `<br />` belongs to the break. */
  extendBreak(/** @type {string} */ text) {
    const last = this.nodes.at(-1);
    const found = /^[ \t]*(?:\r\n|\n|\r)/.exec(text);
    if (!found || !last || last.type.name !== "line_break" || !last.attrs.written.endsWith(">")) return text;
    this.nodes[this.nodes.length - 1] = last.type.create({ written: last.attrs.written + found[0] }, null, last.marks);
    return text.slice(found[0].length);
  }
}

/**
 * Write the content of a node.
 * @param {any} parent
 * @param {{classic: boolean, eol: string}} style
 * @returns {string}
 */
export function writeInline(parent, style) {
  /** @type {any[]} */
  let open = [];
  let out = "";
  const closeTo = (/** @type {number} */ depth) => {
    for (const mark of open.slice(depth).reverse()) out += closingTag(mark);
    open = open.slice(0, depth);
  };
  parent.forEach((/** @type {any} */ node) => {
    const phrases = node.marks.filter((/** @type {any} */ mark) => mark.type.name === "phrase");
    let shared = 0;
    while (shared < open.length && shared < phrases.length && open[shared].eq(phrases[shared])) shared++;
    closeTo(shared);
    for (const mark of phrases.slice(shared)) out += mark.attrs.open ?? `<${mark.attrs.name}>`;
    open = phrases;
    out += writeLeaf(node, style);
  });
  closeTo(0);
  return out;
}

function closingTag(/** @type {any} */ mark) {
  const named = /^<([^\s/<>]+)/.exec(mark.attrs.open ?? "");
  return `</${named ? named[1] : mark.attrs.name}>`;
}

/** @param {any} node @param {{classic: boolean, eol: string}} style */
function writeLeaf(node, style) {
  const { attrs, type } = node;
  if (type.name === "line_break") return attrs.written ?? (style.classic ? style.eol : "<br>");
  if (type.name === "inline_image") return attrs.img;
  if (type.name === "inline_raw") return attrs.source;
  const written = node.marks.find((/** @type {any} */ mark) => mark.type.name === "written");
  return written ? written.attrs.source.repeat([...node.text].length) : escapeText(node.text);
}
