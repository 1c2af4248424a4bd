// A text as a document of the editor and back. Each block knows where it comes from: one that is as it was read is written as it was.
import { parseSegment } from "./parse.js";
import { schema } from "./schema.js";
import { hasBlocks, splitText } from "./segments.js";
import { needsLine, writeNode } from "./serialise.js";

/**
 * @typedef {object} Origin
 * @property {string} source
 * @property {any} node  what it was read as
 * @property {string} gap  the space before it
 * @property {number | null} previous  the place before its own in its text
 * @property {number} place  its place in the text: that of what it was made of, if it has been edited as HTML
 */

function withLead(/** @type {any} */ node, /** @type {string} */ lead) {
  return node.type.create({ ...node.attrs, lead }, node.content, node.marks);
}

/** The blocks that were read, and how texts are made of documents. */
export class Origins {
  /** @type {Origin[]} */
  read = [];

  /**
   * Read a text.
   * @param {string} text
   * @returns {any} the document
   */
  open(text) {
    const { segments, tail } = splitText(text);
    const style = { classic: text.trim() !== "" && !hasBlocks(text), eol: text.includes("\r\n") ? "\r\n" : "\n" };
    const nodes = this.addAll(segments, style);
    const lead = segments[0]?.gap ?? "";
    if (nodes.length === 0) nodes.push(schema.nodes.paragraph.create());
    return schema.nodes.doc.create({ ...style, lead, tail }, nodes);
  }

  /**
   * Read the HTML that takes a block's place.
   * @param {string} html
   * @param {any} node  the block that was there
   * @param {import("./serialise.js").Style} style
   */
  replace(html, node, style) {
    const nodes = this.addAll(splitText(html).segments, style);
    const before = node.attrs.origin === null ? null : this.read[node.attrs.origin];
    if (nodes.length && node.attrs.lead !== null) nodes[0] = withLead(nodes[0], node.attrs.lead);
    if (before && nodes.length) {
      const first = this.read[nodes[0].attrs.origin];
      Object.assign(first, { previous: before.previous, gap: before.gap });
      this.read[nodes[nodes.length - 1].attrs.origin].place = before.place;
    }
    return nodes;
  }

  /** @param {import("./segments.js").Segment[]} segments @param {any} style */
  addAll(segments, style) {
    const nodes = [];
    let previous = null;
    for (const segment of segments) {
      const parsed = parseSegment(segment, style);
      const origin = this.read.length;
      const node = parsed.type.create({ ...parsed.attrs, origin }, parsed.content);
      this.read.push({ source: segment.source, node, gap: segment.gap, previous, place: origin });
      nodes.push(node);
      previous = origin;
    }
    return nodes;
  }

  /**
   * Write a document.
   * @param {any} doc
   * @returns {string}
   */
  write(doc) {
    const style = doc.attrs;
    const nodes = doc.children.filter((/** @type {any} */ node) => !this.isEmpty(node));
    let text = style.lead;
    nodes.forEach((/** @type {any} */ node, /** @type {number} */ index) => {
      if (index > 0) text += this.gap(nodes[index - 1], node, style);
      text += this.isUntouched(node) ? this.read[node.attrs.origin].source : writeNode(node, style);
    });
    return text + style.tail;
  }

  /** @param {any} node */
  isUntouched(node) {
    const { origin } = node.attrs;
    return origin !== null && node.eq(this.read[origin].node);
  }

  /** A paragraph that nothing has been written into, or that has been emptied. */
  isEmpty(/** @type {any} */ node) {
    return node.type.name === "paragraph" && node.content.size === 0 && !this.isUntouched(node);
  }

  /** The space between two blocks: what was there if they stood side by side. */
  gap(/** @type {any} */ before, /** @type {any} */ after, /** @type {any} */ style) {
    const usual = style.eol + style.eol;
    const origin = after.attrs.origin === null ? null : this.read[after.attrs.origin];
    const stood = origin !== null && before.attrs.origin !== null && origin.previous === this.read[before.attrs.origin].place;
    const gap = stood ? origin.gap : usual;
    return needsLine(before, after, gap, style) ? usual : gap;
  }
}
