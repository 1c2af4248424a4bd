// A form over any resource: the fields that its schema declares, in sections, with what was changed held apart from what is.
import {html} from "../vendor/preact.js";
import {t} from "../texts.js";
import {Field} from "./field.js";

/** Where the fields of content stand; all others go to the section of further fields. */
const PLACES = {
  main: ["title", "name", "content", "excerpt", "caption", "description", "alt_text"],
  publish: ["status", "date", "slug", "author", "password", "sticky"],
  looks: ["featured_media", "format", "parent", "menu_order", "template", "post", "comment_status", "ping_status"],
};

/** Return the fields of each section of the form of an item of content: `{main, further, publish, terms, looks}`. */
export function sections(fields, taxonomies, type) {
  const found = {main: [], further: [], publish: [], terms: [], looks: []};
  if (!type) {
    const first = PLACES.main.filter((name) => name in fields);
    const others = Object.keys(fields).filter((name) => !first.includes(name) && !isEmptyMeta(name, fields[name]));
    return {...found, main: [...first, ...others]};
  }
  for (const place of Object.keys(PLACES)) {
    for (const name of PLACES[place]) if (name in fields) found[place].push(name);
  }
  const placed = new Set(Object.values(PLACES).flat());
  for (const name of Object.keys(fields)) {
    if (name in taxonomies) found.terms.push(name);
    else if (!placed.has(name) && !isEmptyMeta(name, fields[name])) found.further.push(name);
  }
  return found;
}

/** Further values that nothing has declared have nothing to fill in. */
function isEmptyMeta(name, schema) {
  return name === "meta" && !Object.keys(schema.properties || {}).length;
}

/** The fields of the given names. `values` are those of the item, `changes` those that were changed. */
export function Fields({names, fields, values, changes, errors, onChange, form}) {
  return names.map((name) => html`<${Field} key=${name} name=${name} schema=${fields[name]} form=${form} error=${errors[name]}
    value=${name in changes ? changes[name] : values[name]} onChange=${(value) => onChange(name, value)} />`);
}

/** What was refused, before the form: what belongs to a field leads to it. */
export function Refusal({error, fields}) {
  if (!error) return null;
  const others = Object.entries(error.params).filter(([name]) => !(name in fields));
  const names = Object.keys(error.params).filter((name) => name in fields);
  return html`<div class="message error" role="alert"><div>
    <p>${error.message}</p>
    ${names.length > 0 && html`<p>${t("Look at:")} ${names.map((name) => html`<button type="button" class="plain small" key=${name}
      onClick=${() => focusField(name)}>${name}</button>`)}</p>`}
    ${others.map(([name, text]) => html`<p key=${name}>${name}: ${text}</p>`)}
  </div></div>`;
}

/** Put the focus into a field of the form. */
export function focusField(name) {
  const place = document.querySelector(`[data-field="${CSS.escape(name)}"]`);
  place?.querySelector("input, select, textarea, [contenteditable=true], button")?.focus();
  place?.scrollIntoView({block: "center"});
}

/** Return the values that a new item begins with, as far as the schema says. */
export function defaults(fields) {
  const found = {};
  for (const [name, schema] of Object.entries(fields)) {
    if (schema.default !== undefined && schema.default !== null) found[name] = schema.default;
  }
  if (fields.status?.enum?.includes("draft") && !("status" in found)) found.status = "draft";
  return found;
}

/** Whether two values of a field are the same. */
export function isSame(one, other) {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
