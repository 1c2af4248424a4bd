// What is read off an item of any kind: its name, its state, and where it is edited.
import {localeTag, t} from "../texts.js";

const reader = document.implementation.createHTMLDocument("").createElement("textarea");
const UNSEEN = /<(script|style)\b[^>]*>[^]*?<\/\1\s*>|<!--[^]*?-->/gi;

/** Return HTML as plain text. No element is ever made of it: the tags go first, and a text area then holds text alone. */
export function plainText(markup) {
  reader.innerHTML = (markup || "").replace(UNSEEN, "").replace(/<\/?[a-z!][^>]*>?/gi, "");
  return reader.value.trim();
}

/** Return what an item is called in lists. */
export function titleOf(item) {
  const title = item.title?.raw ?? item.title?.rendered ?? item.title ?? item.name ?? item.description ?? item.url ?? item.slug;
  const text = typeof title === "string" ? plainText(title) : "";
  if (!text && item.author_name !== undefined) return t("Comment by %(name)s", {name: item.author_name || t("Anonymous")});
  return text || t("(no title)");
}

/** Return a value of a text field, however the API writes it. */
export function rawOf(value) {
  if (value && typeof value === "object" && "raw" in value) return value.raw ?? "";
  return value;
}

/** Return the text of a value for a cell of a list. */
export function cellText(value) {
  if (value === null || value === undefined || value === "") return "";
  if (value === true) return t("Yes");
  if (value === false) return t("No");
  if (Array.isArray(value)) return value.every((one) => typeof one !== "object") ? value.join(", ") : String(value.length);
  if (typeof value === "object") return "rendered" in value ? plainText(value.rendered) : JSON.stringify(value);
  return String(value);
}

/** Return a number of bytes as people write it. */
export function byteText(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const options = {style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: step > 1 ? 1 : 0};
  return (bytes / 1000 ** step).toLocaleString(localeTag(), options);
}
