// How a block that isn't edited visually is seen: elements of a short list are made anew, nothing else of its HTML gets into the page.
import { readAttribute, rewriteTags } from "./tokens.js";

const SEEN = new Set((
  "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code strong em b i u s sub sup small mark kbd cite q abbr table thead tbody tfoot tr " +
  "td th caption figure figcaption div section article aside header footer main span hr br img"
).split(" "));
const HIDDEN = new Set("script style template noscript iframe object embed svg math title textarea select head".split(" "));

/**
 * Return an address that may be followed, or "": one of http, https or mail, or one without a scheme.
 * @param {string} address
 */
export function safeAddress(address) {
  const text = address.trim();
  const plain = text.replace(/[\u0000-\u0020\u007f-\u00a0]/g, "").toLowerCase();
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(plain);
  return !scheme || ["http", "https", "mailto", "tel"].includes(scheme[1]) ? text : "";
}

/**
 * Return what is seen of some HTML. It is parsed into a document of its own, which runs and loads nothing.
 * @param {string} html
 * @param {number} [most]  how many elements are made at most
 */
export function buildPreview(html, most = 500) {
  const parsed = new DOMParser().parseFromString(withoutAttributes(html), "text/html");
  const fragment = document.createDocumentFragment();
  let left = most;
  const copy = (/** @type {Node} */ from, /** @type {Node} */ to) => {
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) to.appendChild(document.createTextNode(child.textContent ?? ""));
      if (!(child instanceof Element)) continue;
      const name = child.localName;
      if (HIDDEN.has(name) || left-- <= 0) continue;
      const target = SEEN.has(name) ? to.appendChild(makeElement(child)) : to;
      copy(child, target);
    }
  };
  copy(parsed.body, fragment);
  return fragment;
}

/**
 * Return HTML with the attributes alone that are looked at: others, as styles, would be reported against the page's policy.
 * @param {string} html
 */
export function withoutAttributes(html) {
  return rewriteTags(html, (token) => {
    const values = ["src", "alt", "colspan", "rowspan"].map((name) => [name, readAttribute(token.source, name)]);
    const written = values.filter(([, value]) => value).map(([name, value]) => ` data-${name}="${encodeURIComponent(value.toWellFormed())}"`);
    return `<${token.name}${written.join("")}>`;
  });
}

function makeElement(/** @type {Element} */ from) {
  const made = document.createElement(from.localName);
  const value = (/** @type {string} */ name) => decodeURIComponent(from.getAttribute(`data-${name}`) ?? "");
  if (made instanceof HTMLImageElement) {
    const src = safeAddress(value("src"));
    made.alt = value("alt") || src;
    if (src && isHere(src)) made.src = src;
  }
  if (made instanceof HTMLTableCellElement) {
    made.colSpan = Number(value("colspan")) || 1;
    made.rowSpan = Number(value("rowspan")) || 1;
  }
  return made;
}

/** Tell whether an address is one of this host; others aren't asked for anything. */
export function isHere(/** @type {string} */ address) {
  try {
    return new URL(address, document.baseURI).origin === location.origin;
  } catch {
    return false;
  }
}
