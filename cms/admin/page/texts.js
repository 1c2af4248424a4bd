// The page's texts in the language of the person, from the catalogues that the server has.
import {signal} from "./vendor/preact.js";

const catalogue = signal({});
const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

export const language = signal("en");
/** Counts changes of the language after which what is on the screen may be read anew. */
export const languageRound = signal(0);

/** Return a text in the language of the page; `%(name)s` in it is replaced by the value of that name. */
export function t(text, values) {
  const said = catalogue.value[text] || text;
  if (!values) return said;
  return said.replace(/%\((\w+)\)s/g, (place, name) => (name in values ? String(values[name]) : place));
}

/** Read the texts of a language; those that it lacks stay English. */
export async function loadTexts(code) {
  language.value = code;
  const tag = code.replace("_", "-");
  document.documentElement.lang = tag;
  document.documentElement.dir = RIGHT_TO_LEFT.has(tag.split("-")[0]) ? "rtl" : "ltr";
  catalogue.value = {};
  // English is what stands in the modules themselves.
  if (code.startsWith("en")) return;
  try {
    const answer = await fetch(`api/texts?language=${encodeURIComponent(code)}`, {credentials: "same-origin"});
    catalogue.value = answer.ok ? await answer.json() : {};
  } catch {
    // Without the catalogue the page speaks English.
  }
}

/** Return the tag of the language for the browser's own formats of dates and numbers. */
export function localeTag() {
  return language.value.replace("_", "-");
}
