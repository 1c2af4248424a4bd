// Nodes written as HTML: as they were written where that is known, new ones in WordPress' form.
import { writeInline } from "./inline.js";
import { readAttribute } from "./tokens.js";

/**
 * @typedef {object} Style
 * @property {boolean} classic  the text has no blocks
 * @property {string} eol
 *
 * @typedef {"top"|"quote"|"item"|"gallery"} Place
 * @typedef {{head: string, tail: string}} Wrapping
 */

/**
 * Write a node of a document.
 * @param {any} node
 * @param {Style} style
 * @returns {string}
 */
export function writeNode(node, style) {
  return write(node, style, "top");
}

/** @param {any} node @param {Style} style @param {Place} place @returns {string} */
function write(node, style, place) {
  if (node.type.name === "opaque") return node.attrs.source;
  const { head, tail } = fits(node, style, place) ? node.attrs : newWrapping(node, style, place);
  return head + writeContent(node, style) + tail;
}

/** Tell whether what stands around a node may stand around it here: it may have been moved. */
function fits(/** @type {any} */ node, /** @type {Style} */ style, /** @type {Place} */ place) {
  const { head } = node.attrs;
  if (head === null) return false;
  const isBlock = /^\s*<!--\s+wp:/.test(head);
  if (place === "top") return isBlock !== style.classic;
  if (place === "item" || place === "gallery") return !isBlock;
  return !isBlock || !style.classic;
}

function writeContent(/** @type {any} */ node, /** @type {Style} */ style) {
  switch (node.type.name) {
    case "raw": return node.textContent;
    case "image": return writePicture(node, style);
    case "quote": return writeQuote(node, style);
    case "bullet_list": case "ordered_list": return writeItems(node, style);
    case "container": return writeParts(node, style, "top");
    case "gallery": return writeParts(node, style, "gallery");
    case "button": return (node.attrs.link ?? '<a class="wp-block-button__link wp-element-button">') + writeInline(node, style);
    case "table": case "table_section": case "table_row": return writeCells(node, style);
    default: return writeInline(node, style);
  }
}

/** Blocks in a block, and pictures in a gallery; a paragraph that nothing was written into isn't written. */
function writeParts(/** @type {any} */ node, /** @type {Style} */ style, /** @type {Place} */ place) {
  const usual = place === "gallery" ? "" : style.eol + style.eol;
  const parts = node.children.filter((/** @type {any} */ child) => !isUnwritten(child));
  return parts.map((/** @type {any} */ child, /** @type {number} */ index) => {
    const lead = index ? child.attrs.lead ?? usual : "";
    return lead + write(child, style, place);
  }).join("");
}

function isUnwritten(/** @type {any} */ node) {
  return node.type.name === "paragraph" && node.attrs.head === null && node.content.size === 0;
}

/** What a table is made of: sections, rows, cells, the caption. */
function writeCells(/** @type {any} */ node, /** @type {Style} */ style) {
  return node.children.map((/** @type {any} */ child) => {
    const name = child.type.name === "table_section" ? child.attrs.name : child.type.name === "table_row" ? "tr" : child.attrs.header ? "th" : "td";
    const { lead, head, tail } = child.attrs;
    return (lead ?? "") + (head ?? `<${name}>`) + writeContent(child, style) + (tail ?? `</${name}>`);
  }).join("");
}

function writePicture(/** @type {any} */ node, /** @type {Style} */ style) {
  const { img, mid, caption, captionEnd } = node.attrs;
  const text = writeInline(node, style);
  if (caption === null && text === "") return img + mid;
  return img + mid + (caption ?? '<figcaption class="wp-element-caption">') + text + (captionEnd ?? "</figcaption>");
}

function writeQuote(/** @type {any} */ node, /** @type {Style} */ style) {
  /** @type {string[]} */
  const parts = [];
  node.forEach((/** @type {any} */ child, /** @type {number} */ _offset, /** @type {number} */ index) => {
    const usual = index === 0 || child.type.name === "cite" ? "" : style.eol + style.eol;
    const lead = index > 0 && needsLine(node.child(index - 1), child, child.attrs.lead ?? usual, style) ? style.eol + style.eol : child.attrs.lead;
    parts.push(lead ?? usual, write(child, style, "quote"));
  });
  return parts.join("");
}

/**
 * Tell whether two paragraphs without elements of their own would be one.
 * @param {any} before
 * @param {any} after
 * @param {string} gap
 * @param {Style} style
 */
export function needsLine(before, after, gap, style) {
  const isBare = (/** @type {any} */ node) => (
    node.type.name === "paragraph" && (node.attrs.head === "" || (style.classic && !fits(node, style, "top")))
  );
  return isBare(before) && isBare(after) && (gap.match(/\r\n|\n|\r/g) ?? []).length < 2;
}

function writeItems(/** @type {any} */ list, /** @type {Style} */ style) {
  const known = list.children.find((/** @type {any} */ item) => item.attrs.head !== null);
  const commented = known ? known.attrs.head.includes("wp:list-item") : !style.classic && isCommented(list);
  const between = list.children.slice(1).find((/** @type {any} */ item) => item.attrs.lead !== null)?.attrs.lead;
  const usual = between ?? (commented ? style.eol + style.eol : known && !style.classic ? "" : style.eol);
  const parts = list.children.map((/** @type {any} */ item, /** @type {number} */ index) => {
    const { head, tail } = item.attrs.head === null ? newItem(commented, style) : item.attrs;
    const first = commented || (known && !style.classic) ? "" : style.eol;
    return (item.attrs.lead ?? (index ? usual : first)) + head + writeItem(item, style, commented) + tail;
  });
  const end = list.attrs.head === null && !commented ? style.eol : "";
  return parts.join("") + end;
}

function isCommented(/** @type {any} */ list) {
  return list.attrs.head === null || list.attrs.head.includes("wp:list");
}

function newItem(/** @type {boolean} */ commented, /** @type {Style} */ style) {
  if (!commented) return { head: "<li>", tail: "</li>" };
  return { head: `<!-- wp:list-item -->${style.eol}<li>`, tail: `</li>${style.eol}<!-- /wp:list-item -->` };
}

function writeItem(/** @type {any} */ item, /** @type {Style} */ style, /** @type {boolean} */ commented) {
  return item.children.map((/** @type {any} */ child) => {
    if (child.type.name === "paragraph") return write(child, style, "item");
    if (child.attrs.head !== null) return child.attrs.head + writeItems(child, style) + child.attrs.tail;
    const { head, tail } = newWrapping(child, { ...style, classic: !commented }, "top");
    return head + writeItems(child, { ...style, classic: !commented }) + tail;
  }).join("");
}

/** What stands around a node that is new here. */
function newWrapping(/** @type {any} */ node, /** @type {Style} */ style, /** @type {Place} */ place) {
  if (place === "item") return { head: "", tail: "" };
  if (place === "gallery") return { head: '<li class="blocks-gallery-item"><figure>', tail: "</figure></li>" };
  const { name, attributes, open, close } = newElement(node, style);
  if (style.classic || name === "") return { head: open, tail: close };
  const json = Object.keys(attributes).length ? ` ${writeJson(attributes)}` : "";
  return { head: `<!-- wp:${name}${json} -->${style.eol}${open}`, tail: `${close}${style.eol}<!-- /wp:${name} -->` };
}

/** Write a block's attributes as WordPress does, so that they can't end its comment. */
function writeJson(/** @type {object} */ attributes) {
  return JSON.stringify(attributes).replace(/--/g, "\\u002d\\u002d").replace(/</g, "\\u003c").replace(/>/g, "\\u003e").replace(/&/g, "\\u0026");
}

/** @returns {{name: string, attributes: Record<string, unknown>, open: string, close: string}} */
function newElement(/** @type {any} */ node, /** @type {Style} */ style) {
  const classes = (/** @type {string} */ names) => (style.classic ? "" : ` class="${names}"`);
  const { level } = node.attrs;
  switch (node.type.name) {
    case "heading":
      return element("heading", `h${level}`, classes("wp-block-heading"), level === 2 ? {} : { level });
    case "bullet_list": return element("list", "ul", classes("wp-block-list"));
    case "ordered_list": return newOrdered(node, classes);
    case "quote": return element("quote", "blockquote", classes("wp-block-quote"));
    case "cite": return element("", "cite", "");
    case "code": return { name: "code", attributes: {}, open: `<pre${classes("wp-block-code")}><code>`, close: "</code></pre>" };
    case "preformatted": return element("preformatted", "pre", classes("wp-block-preformatted"));
    case "raw": return { name: node.attrs.name, attributes: {}, open: "", close: "" };
    case "image": return newPicture(node, style);
    case "table": return style.classic ? element("table", "table", "") : around("table", '<figure class="wp-block-table"><table>', "</table></figure>");
    case "button": return around("button", '<div class="wp-block-button">', "</a></div>");
    case "container": return newContainer(node.attrs.name);
    default: return style.classic ? { name: "", attributes: {}, open: "", close: "" } : element("paragraph", "p", "");
  }
}

function element(/** @type {string} */ name, /** @type {string} */ tag, /** @type {string} */ rest, /** @type {object} */ attributes = {}) {
  return { name, attributes: /** @type {any} */ (attributes), open: `<${tag}${rest}>`, close: `</${tag}>` };
}

function around(/** @type {string} */ name, /** @type {string} */ open, /** @type {string} */ close, /** @type {object} */ attributes = {}) {
  return { name, attributes: /** @type {any} */ (attributes), open, close };
}

function newContainer(/** @type {string} */ name) {
  if (name !== "gallery") return element(name, "div", ` class="wp-block-${name}"`);
  return around(name, '<figure class="wp-block-gallery has-nested-images columns-default is-cropped">', "</figure>", { linkTo: "none" });
}

function newOrdered(/** @type {any} */ node, /** @type {(names: string) => string} */ classes) {
  const { start } = node.attrs;
  const attribute = start === 1 ? "" : ` start="${start}"`;
  return element("list", "ol", attribute + classes("wp-block-list"), start === 1 ? { ordered: true } : { ordered: true, start });
}

function newPicture(/** @type {any} */ node, /** @type {Style} */ style) {
  const id = Number(/\bwp-image-(\d+)/.exec(readAttribute(node.attrs.img, "class"))?.[1] ?? 0);
  if (style.classic) return element("image", "figure", "");
  if (!id) return element("image", "figure", ' class="wp-block-image"');
  const attributes = { id, sizeSlug: "full", linkDestination: "none" };
  return element("image", "figure", ' class="wp-block-image size-full"', attributes);
}
