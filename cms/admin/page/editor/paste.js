// What is pasted from Word, Google Docs, Figma and web pages, cleaned to what the editor knows.
import { safeAddress } from "./preview.js";
import { escapeAttribute, escapeText, readAttribute, rewriteTags } from "./tokens.js";

const BLOCKS = new Set("p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li table figure div section article header footer main aside dl dt dd hr tr td th".split(" "));
const DROPPED = new Set("style script template meta link title head noscript iframe object embed svg math select textarea button input".split(" "));
const PHRASES = new Set("strong em code s u sub sup mark kbd".split(" "));
/** @type {Record<string, string>} */
const RENAMED = { b: "strong", i: "em", del: "s", strike: "s" };
const READ = ["style", "class", "href", "src", "alt", "start"];

/**
 * Return HTML with nothing in it but what the editor's schema reads.
 * @param {string} html
 * @param {boolean} classic  whether the text has no blocks
 */
export function cleanPasted(html, classic) {
  const parsed = new DOMParser().parseFromString(withReadAttributes(html), "text/html");
  return writeBlocks([...parsed.body.childNodes], classic);
}

/** The attributes that are looked at, under other names: the page's policy would report styles even here. */
function withReadAttributes(/** @type {string} */ html) {
  return rewriteTags(html, (token) => {
    const tag = token.source.replace(/[\r\n]+/g, " ");
    const written = READ.map((name) => [name, readAttribute(tag, name)]).filter(([, value]) => value);
    return `<${token.name}${written.map(([name, value]) => ` data-${name}="${escapeAttribute(value)}"`).join("")}>`;
  });
}

function attribute(/** @type {Element} */ element, /** @type {string} */ name) {
  return element.getAttribute(`data-${name}`) ?? "";
}

function isBlock(/** @type {Node} */ node) {
  return node instanceof Element && BLOCKS.has(node.localName);
}

function holdsBlocks(/** @type {Element} */ element) {
  return [...element.querySelectorAll("*")].some(isBlock);
}

/** @param {Node[]} nodes @param {boolean} classic @returns {string} */
function writeBlocks(nodes, classic) {
  let out = "";
  let line = "";
  const flush = () => {
    if (line.replace(/<br>/g, "").trim()) out += `<p>${trimBreaks(line)}</p>`;
    line = "";
  };
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const isWrapper = node instanceof Element && !DROPPED.has(node.localName) && !isBlock(node) && holdsBlocks(node);
    if (!isBlock(node) && !isWrapper) {
      line += writeInline(node);
      continue;
    }
    flush();
    const element = /** @type {Element} */ (node);
    if (readWordList(element)) {
      const items = [];
      const first = readWordList(element)?.list;
      while (nodes[i] && (readWordList(nodes[i])?.list === first || isSpace(nodes[i]))) {
        const item = readWordList(nodes[i]);
        if (item) items.push(item);
        i++;
      }
      i--;
      out += writeWordList(items);
    } else {
      out += isWrapper ? writeBlocks([...node.childNodes], classic) : writeBlock(element, classic);
    }
  }
  flush();
  return out;
}

function isSpace(/** @type {Node} */ node) {
  return node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() === "";
}

function trimBreaks(/** @type {string} */ line) {
  return line.replace(/^(?:\s|<br>)+/, "").replace(/(?:\s|<br>)+$/, "");
}

/** @param {Element} element @param {boolean} classic @returns {string} */
function writeBlock(element, classic) {
  const name = element.localName;
  const children = [...element.childNodes];
  if (name === "hr") return "";
  if (/^h[1-6]$/.test(name)) return wrap(name, trimBreaks(children.map(writeInline).join("")));
  if (name === "pre") return `<pre>${escapeText(element.textContent ?? "")}</pre>`;
  if (name === "ul" || name === "ol") return writeList(element, classic);
  if (name === "table") return writeTable(element, classic);
  if (name === "blockquote") return wrap(name, writeBlocks(children, classic));
  if (name === "figure") return writeFigure(element, classic);
  return writeBlocks(children, classic);
}

function wrap(/** @type {string} */ name, /** @type {string} */ content) {
  return content.trim() ? `<${name}>${content}</${name}>` : "";
}

/** @param {Element} list @param {boolean} classic @returns {string} */
function writeList(list, classic) {
  let items = "";
  for (const child of list.children) {
    const lists = child.localName === "li" ? [...child.children].filter((each) => each.localName === "ul" || each.localName === "ol") : [];
    const nested = lists.map((each) => writeList(each, classic)).join("");
    // Google Docs and old pages put the lists inside of a list between its items.
    if (child.localName === "ul" || child.localName === "ol") items = items.replace(/<\/li>$/, `${writeList(child, classic)}</li>`);
    if (child.localName !== "li") continue;
    const line = [...child.childNodes].filter((node) => !lists.includes(/** @type {any} */ (node))).map(writeInline).join("");
    items += `<li><p>${trimBreaks(line)}</p>${nested}</li>`;
  }
  return wrap(list.localName, items);
}

function writeFigure(/** @type {Element} */ figure, /** @type {boolean} */ classic) {
  const img = figure.querySelector("img");
  const caption = figure.querySelector("figcaption");
  if (!img || figure.querySelector("table")) return writeBlocks([...figure.childNodes], classic);
  return `<figure>${writeInline(img)}<figcaption>${caption ? [...caption.childNodes].map(writeInline).join("") : ""}</figcaption></figure>`;
}

/** A table is taken whole, as one block. */
function writeTable(/** @type {Element} */ table, /** @type {boolean} */ classic) {
  const rows = [...table.querySelectorAll("tr")].map((row) => {
    const cells = [...row.children].filter((cell) => /^t[dh]$/.test(cell.localName));
    return `<tr>${cells.map((cell) => `<${cell.localName}>${trimBreaks(writeInline(cell))}</${cell.localName}>`).join("")}</tr>`;
  });
  const html = `<table><tbody>${rows.join("")}</tbody></table>`;
  const block = `<!-- wp:table -->\n<figure class="wp-block-table">${html}</figure>\n<!-- /wp:table -->`;
  return `<table data-source="${escapeAttribute(classic ? html : block)}"></table>`;
}

/** @param {Node} node @returns {string} */
function writeInline(node) {
  if (node.nodeType === Node.TEXT_NODE) return escapeText((node.textContent ?? "").replace(/[\s\u00a0]+/g, " "));
  if (!(node instanceof Element) || DROPPED.has(node.localName)) return "";
  const style = attribute(node, "style").toLowerCase();
  if (/mso-list:\s*ignore/.test(style)) return "";
  const name = RENAMED[node.localName] ?? node.localName;
  if (name === "br") return "<br>";
  if (name === "img") return writeImage(node);
  const content = [...node.childNodes].map(writeInline).join("");
  if (content.trim() === "" && !content.includes("<img")) return content;
  return withStyle(name, style, isBlock(node) ? `${content}<br>` : content, node);
}

/** @param {string} name @param {string} style @param {string} content @param {Element} node */
function withStyle(name, style, content, node) {
  const names = new Set(PHRASES.has(name) ? [name] : []);
  const says = (/** @type {string} */ property) => new RegExp(`(?:^|;)\\s*${property}:\\s*([^;]*)`).exec(style)?.[1] ?? "";
  const weight = says("font-weight");
  if (weight) names.delete("strong");
  if (weight.startsWith("bold") || Number.parseInt(weight, 10) >= 600) names.add("strong");
  if (says("font-style").startsWith("normal")) names.delete("em");
  if (says("font-style").startsWith("italic")) names.add("em");
  if (/line-through/.test(says("text-decoration(?:-line)?"))) names.add("s");
  if (/^su[bp]/.test(says("vertical-align"))) names.add(says("vertical-align").slice(0, 3));
  let out = content;
  for (const each of names) out = `<${each}>${out}</${each}>`;
  const href = name === "a" ? safeAddress(attribute(node, "href")) : "";
  return href && !href.startsWith("#") ? `<a href="${escapeAttribute(href)}">${out}</a>` : out;
}

function writeImage(/** @type {Element} */ img) {
  const src = safeAddress(attribute(img, "src"));
  return /^(https?:)?\/\//i.test(src) ? `<img src="${escapeAttribute(src)}" alt="${escapeAttribute(attribute(img, "alt"))}">` : "";
}

/** What Word writes for an item of a list: a paragraph with its level, and the mark as text. */
function readWordList(/** @type {Node} */ node) {
  if (!(node instanceof Element) || node.localName !== "p") return null;
  const level = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(attribute(node, "style"));
  if (!level) return null;
  const mark = [...node.querySelectorAll("[data-style]")].find((each) => /mso-list:\s*ignore/i.test(attribute(each, "style")));
  const ordered = /^\s*\(?(?:\d+|[a-z]|[ivxlc]+)[.)]/i.test(mark?.textContent ?? "");
  return { list: level[1], level: Number(level[2]), ordered, html: trimBreaks([...node.childNodes].map(writeInline).join("")) };
}

/** @param {{list: string, level: number, ordered: boolean, html: string}[]} items @returns {string} */
function writeWordList(items) {
  const top = Math.min(...items.map((item) => item.level));
  const name = items[0].ordered ? "ol" : "ul";
  let out = "";
  for (let i = 0; i < items.length; i++) {
    const deeper = [];
    while (items[i + 1] && items[i + 1].level > top) deeper.push(items[++i]);
    const first = items[i - deeper.length];
    out += `<li><p>${first.html}</p>${deeper.length ? writeWordList(deeper) : ""}</li>`;
  }
  return `<${name}>${out}</${name}>`;
}
