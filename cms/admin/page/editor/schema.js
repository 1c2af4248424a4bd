// What a text is made of in the editor. Nodes and marks hold how they were written: `head` and `tail` stand around a node's
// content, `open` is a tag, `written` a character. A null is written in the form of new ones.
import { Schema } from "../vendor/prosemirror.js";
import { isHere, safeAddress } from "./preview.js";
import { escapeAttribute, readAttribute } from "./tokens.js";

const WRITTEN = { origin: { default: null }, lead: { default: null }, head: { default: null }, tail: { default: null } };

/** Elements that are marks of text; which one a mark is stands in its name. */
export const PHRASES = new Set((
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var"
).split(" "));

/** @returns {any} */
function textBlock(/** @type {string} */ tag, /** @type {object} */ more = {}) {
  return {
    content: "inline*", group: "block flow", attrs: WRITTEN, defining: tag !== "p",
    parseDOM: [{ tag }],
    toDOM: () => [tag, 0],
    ...more,
  };
}

/** @type {any} */
const nodes = {
  doc: { content: "block+", attrs: { lead: { default: "" }, tail: { default: "" }, classic: { default: false }, eol: { default: "\n" } } },
  paragraph: textBlock("p"),
  heading: textBlock("h2", {
    attrs: { ...WRITTEN, level: { default: 2 } },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: (/** @type {any} */ node) => [`h${node.attrs.level}`, 0],
  }),
  bullet_list: {
    content: "list_item+", group: "block flow list", attrs: WRITTEN,
    parseDOM: [{ tag: "ul" }], toDOM: () => ["ul", 0],
  },
  ordered_list: {
    content: "list_item+", group: "block flow list", attrs: { ...WRITTEN, start: { default: 1 } },
    parseDOM: [{ tag: "ol" }], toDOM: (/** @type {any} */ node) => ["ol", { start: node.attrs.start }, 0],
  },
  list_item: {
    content: "paragraph list*", attrs: WRITTEN, defining: true,
    parseDOM: [{ tag: "li" }], toDOM: () => ["li", 0],
  },
  quote: {
    content: "flow+ cite?", group: "block", attrs: WRITTEN, defining: true,
    parseDOM: [{ tag: "blockquote" }], toDOM: () => ["blockquote", 0],
  },
  cite: textBlock("cite", { group: "", parseDOM: [{ tag: "cite", context: "quote/" }] }),
  code: {
    content: "text*", group: "block", marks: "written", attrs: WRITTEN, code: true, defining: true,
    parseDOM: [{ tag: "pre", preserveWhitespace: "full" }],
    toDOM: () => ["pre", ["code", { spellcheck: "false" }, 0]],
  },
  preformatted: {
    content: "inline*", group: "block", attrs: WRITTEN, whitespace: "pre", defining: true,
    toDOM: () => ["pre", { class: "preformatted" }, 0],
  },
  raw: {
    content: "text*", group: "block", marks: "", attrs: { ...WRITTEN, name: { default: "html" } }, code: true, defining: true,
    toDOM: (/** @type {any} */ node) => ["pre", { class: "raw", "data-name": node.attrs.name }, ["code", { spellcheck: "false" }, 0]],
  },
  image: {
    content: "inline*", group: "block", isolating: true, defining: true,
    attrs: { ...WRITTEN, img: { default: "<img>" }, mid: { default: "" }, caption: { default: null }, captionEnd: { default: null } },
    parseDOM: [{ tag: "figure", contentElement: captionOf, getAttrs: readFigure }],
    toDOM: (/** @type {any} */ node) => ["figure", ["img", imageAttributes(node.attrs.img)], ["figcaption", 0]],
  },
  // What stands in it are blocks in their own right; `name` is that of its block.
  container: {
    content: "block+", group: "block", isolating: true, defining: true, attrs: { ...WRITTEN, name: { default: "group" } },
    toDOM: (/** @type {any} */ node) => ["div", { "class": "container", "data-name": node.attrs.name }, 0],
  },
  gallery: { content: "image+", group: "block", isolating: true, defining: true, attrs: WRITTEN, toDOM: () => ["div", { class: "gallery" }, 0] },
  button: textBlock("span", {
    group: "block", isolating: true, attrs: { ...WRITTEN, link: { default: null } }, parseDOM: [], toDOM: () => ["div", { class: "button" }, 0],
  }),
  table: {
    content: "table_section+ table_caption?", group: "block", isolating: true, defining: true, attrs: WRITTEN, toDOM: () => ["table", 0],
  },
  table_section: {
    content: "table_row+", attrs: { ...WRITTEN, name: { default: "tbody" } }, toDOM: (/** @type {any} */ node) => [node.attrs.name, 0],
  },
  table_row: { content: "table_cell+", attrs: WRITTEN, toDOM: () => ["tr", 0] },
  table_cell: {
    content: "inline*", isolating: true, attrs: { ...WRITTEN, header: { default: false }, span: { default: 1 } },
    toDOM: (/** @type {any} */ node) => [node.attrs.header ? "th" : "td", { colspan: node.attrs.span }, 0],
  },
  table_caption: { content: "inline*", isolating: true, attrs: WRITTEN, toDOM: () => ["caption", 0] },
  opaque: {
    group: "block", atom: true, attrs: { origin: { default: null }, lead: { default: null }, source: { default: "" }, name: { default: "" } },
    parseDOM: [{ tag: "table[data-source]", getAttrs: (/** @type {HTMLElement} */ dom) => ({ source: dom.dataset.source, name: "table" }) }],
    toDOM: (/** @type {any} */ node) => ["div", { class: "opaque" }, node.attrs.source],
  },
  text: { group: "inline" },
  line_break: {
    inline: true, group: "inline", selectable: false, attrs: { written: { default: null } },
    parseDOM: [{ tag: "br" }], toDOM: () => ["br"], leafText: () => "\n",
  },
  inline_image: {
    inline: true, group: "inline", draggable: true, attrs: { img: { default: "<img>" } },
    parseDOM: [{ tag: "img[src]", getAttrs: (/** @type {HTMLElement} */ dom) => ({ img: writeImage(dom) }) }],
    toDOM: (/** @type {any} */ node) => ["img", imageAttributes(node.attrs.img)],
  },
  inline_raw: {
    inline: true, group: "inline", selectable: false, attrs: { source: { default: "" } },
    toDOM: (/** @type {any} */ node) => ["span", { class: "inline-raw", title: node.attrs.source }, shorten(node.attrs.source)],
  },
};

/** @type {any} */
const marks = {
  // All elements in one type, so that they nest as they were written.
  phrase: {
    attrs: { name: {}, open: { default: null } }, excludes: "",
    parseDOM: ["strong", "em", "code", "s", "u", "sub", "sup", "mark", "kbd"].map((tag) => ({ tag, attrs: { name: tag } })).concat(
      /** @type {any} */ ([
        { tag: "b", attrs: { name: "strong" } }, { tag: "i", attrs: { name: "em" } }, { tag: "del", attrs: { name: "s" } },
        { tag: "a[href]", getAttrs: (/** @type {HTMLElement} */ dom) => readLink(dom) },
      ])),
    toDOM: (/** @type {any} */ mark) => phraseDOM(mark),
  },
  written: { attrs: { source: {} }, inclusive: false, toDOM: () => ["span", 0] },
};

export const schema = new Schema({ nodes, marks });

/** @returns {any} */
function phraseDOM(/** @type {any} */ mark) {
  const { name, open } = mark.attrs;
  if (name !== "a") return [name === "font" ? "span" : name, 0];
  const href = safeAddress(readAttribute(open ?? "", "href"));
  return ["a", href ? { title: href } : {}, 0];
}

/** @returns {any} */
function readLink(/** @type {HTMLElement} */ dom) {
  const href = safeAddress(dom.getAttribute("href") ?? "");
  return href ? { name: "a", open: linkTag(href) } : false;
}

/** The tag of a new link. */
export function linkTag(/** @type {string} */ href) {
  return `<a href="${escapeAttribute(href)}">`;
}

/** @returns {any} */
function readFigure(/** @type {HTMLElement} */ dom) {
  const img = dom.querySelector("img[src]");
  return img ? { img: writeImage(/** @type {HTMLElement} */ (img)) } : false;
}

function captionOf(/** @type {HTMLElement} */ dom) {
  return /** @type {HTMLElement} */ (dom.querySelector("figcaption") ?? dom.ownerDocument.createElement("figcaption"));
}

function writeImage(/** @type {HTMLElement} */ dom) {
  const src = safeAddress(dom.getAttribute("src") ?? "");
  return imageTag({ src, alt: dom.getAttribute("alt") ?? "" });
}

/**
 * The tag of a new picture.
 * @param {{src: string, alt: string, id?: number, width?: number, height?: number}} picture
 */
export function imageTag({ src, alt, id, width, height }) {
  const size = width && height ? ` width="${Number(width)}" height="${Number(height)}"` : "";
  return `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(alt)}"${size}${id ? ` class="wp-image-${Number(id)}"` : ""}/>`;
}

/** What a picture is seen with: one of another host isn't loaded, its address is named. */
function imageAttributes(/** @type {string} */ tag) {
  const src = safeAddress(readAttribute(tag, "src"));
  const alt = readAttribute(tag, "alt");
  return src && isHere(src) ? { src, alt } : { alt: alt || src, "data-address": src, title: src };
}

function shorten(/** @type {string} */ source) {
  return source.length > 24 ? `${source.slice(0, 23)}…` : source;
}
