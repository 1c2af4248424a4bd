// Tokens of HTML as it is written: joined they are the same text again. The browser's own parser would rewrite it.

/**
 * @typedef {object} Token
 * @property {"text"|"open"|"close"|"void"|"comment"|"raw"|"other"} kind
 * @property {string} name  the element's name in lower case, "" where there is none
 * @property {string} source
 */

const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
// Elements whose content is no markup.
const RAW = new Set("script style textarea title iframe noscript xmp noembed noframes plaintext".split(" "));
const NAME = /<\/?([a-zA-Z][^\s/<>]*)/y;

/**
 * Return the tokens of HTML.
 * @param {string} html
 * @returns {Token[]}
 */
export function tokenize(html) {
  /** @type {Token[]} */
  const tokens = [];
  let written = 0;
  let at = html.indexOf("<");
  while (at >= 0) {
    const token = readMarkup(html, at);
    if (token) {
      if (at > written) tokens.push({ kind: "text", name: "", source: html.slice(written, at) });
      tokens.push(token);
      written = at + token.source.length;
      written += takeRaw(html, written, token, tokens);
    }
    at = html.indexOf("<", Math.max(written, at + 1));
  }
  if (written < html.length) tokens.push({ kind: "text", name: "", source: html.slice(written) });
  return tokens;
}

/**
 * @param {string} html
 * @param {number} at
 * @returns {Token | null}
 */
function readMarkup(html, at) {
  if (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 4);
    return end < 0 ? null : { kind: "comment", name: "", source: html.slice(at, end + 3) };
  }
  if (html[at + 1] === "!" || html[at + 1] === "?") {
    const end = html.indexOf(">", at);
    return end < 0 ? null : { kind: "other", name: "", source: html.slice(at, end + 1) };
  }
  NAME.lastIndex = at;
  const found = NAME.exec(html);
  const end = found ? findTagEnd(html, NAME.lastIndex) : -1;
  if (!found || end < 0) return null;
  const name = found[1].toLowerCase();
  const kind = html[at + 1] === "/" ? "close" : VOID.has(name) ? "void" : "open";
  return { kind, name, source: html.slice(at, end) };
}

/**
 * Return where a tag ends; a quote counts only behind an equals sign.
 * @param {string} html
 * @param {number} at
 */
function findTagEnd(html, at) {
  for (let i = at; i < html.length; i++) {
    if (html[i] === ">") return i + 1;
    if (html[i] === "<") return -1;
    if (html[i] !== "=") continue;
    let next = i + 1;
    while (next < html.length && html[next].trim() === "") next++;
    if (html[next] === '"' || html[next] === "'") {
      const end = html.indexOf(html[next], next + 1);
      if (end > 0) i = end;
    }
  }
  return -1;
}

/**
 * Add the content of an element that holds no markup, and return its length.
 * @param {string} html
 * @param {number} at
 * @param {Token} token
 * @param {Token[]} tokens
 */
function takeRaw(html, at, token, tokens) {
  if (token.kind !== "open" || !RAW.has(token.name)) return 0;
  const rest = html.slice(at);
  const end = rest.search(new RegExp(`</${token.name}(?=[\\s/>])`, "i"));
  const source = end < 0 ? rest : rest.slice(0, end);
  if (source) tokens.push({ kind: "raw", name: "", source });
  return source.length;
}

/**
 * Rewrite HTML for a parser whose document is thrown away: tags are written by a function, all that isn't markup to be seen is left out.
 * @param {string} html
 * @param {(token: Token) => string} writeTag
 */
export function rewriteTags(html, writeTag) {
  return tokenize(html).map((token) => {
    if (token.kind === "text") return token.source.replace(/</g, "&lt;");
    if (!token.name || RAW.has(token.name)) return "";
    return token.kind === "close" ? `</${token.name}>` : writeTag(token);
  }).join("");
}

/** @param {Token[]} tokens */
export function joinTokens(tokens) {
  return tokens.map((token) => token.source).join("");
}

/**
 * Return where the element ends that a tag opens, or -1.
 * @param {Token[]} tokens
 * @param {number} at
 */
export function findClose(tokens, at) {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i].name !== tokens[at].name) continue;
    depth += tokens[i].kind === "open" ? 1 : tokens[i].kind === "close" ? -1 : 0;
    if (depth === 0) return i;
  }
  return -1;
}

/** @param {Token | undefined} token */
export function isBlank(token) {
  return token !== undefined && token.kind === "text" && trimSpace(token.source) === "";
}

/**
 * Return a text without HTML's space at its ends; a no-break space is none.
 * @param {string} text
 */
export function trimSpace(text) {
  return text.replace(/^[ \t\n\r\f\v]+/, "").replace(/(?<![ \t\n\r\f\v])[ \t\n\r\f\v]+$/, "");
}

/** @type {Map<string, string>} */
const decoded = new Map();

/**
 * Return the one character that an entity stands for, or "" where it stands for none or for several.
 * @param {string} entity
 */
export function decodeEntity(entity) {
  let text = decoded.get(entity);
  if (text === undefined) {
    const parsed = new DOMParser().parseFromString(`<!doctype html><body>x${entity}`, "text/html");
    text = (parsed.body.textContent ?? "").slice(1);
    if (text === entity || [...text].length !== 1) text = "";
    decoded.set(entity, text);
  }
  return text;
}

/**
 * Return a text as it is written in HTML.
 * @param {string} text
 */
export function escapeText(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");
}

/**
 * Return a text as it is written in an attribute between double quotes.
 * @param {string} text
 */
export function escapeAttribute(text) {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/** @param {string} tag @param {string} name */
function findAttribute(tag, name) {
  const begin = /^<[^\s/<>]+/.exec(tag)?.[0].length ?? 0;
  for (const found of tag.slice(begin).matchAll(ATTRIBUTE)) {
    if (found[1].toLowerCase() === name) return { at: begin + found.index, source: found[0], value: found[2] ?? "" };
  }
  return null;
}

/**
 * Return the value of an attribute of a tag, decoded, or "".
 * @param {string} tag
 * @param {string} name
 */
export function readAttribute(tag, name) {
  const value = findAttribute(tag, name)?.value.replace(/^["']|["']$/g, "") ?? "";
  return value.replace(/&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi, (entity) => decodeEntity(entity) || entity);
}

/**
 * Return a tag with another value of one attribute; the rest of it stays as it is written.
 * @param {string} tag
 * @param {string} name
 * @param {string} value
 */
export function writeAttribute(tag, name, value) {
  const written = `${name}="${escapeAttribute(value)}"`;
  const found = findAttribute(tag, name);
  if (found) return tag.slice(0, found.at) + written + tag.slice(found.at + found.source.length);
  return tag.replace(/\s*\/?>$/, (end) => ` ${written}${end}`);
}
