// Search, filters and order of a list, made of the arguments that it declares and held in the address.
import {html, useEffect, useState} from "../vendor/preact.js";
import {route, setQuery} from "../router.js";
import {accounts, termsOf} from "../schema.js";
import {t} from "../texts.js";
import {plainText} from "./items.js";
import {labelOf, spelled} from "./labels.js";
import {valueName} from "./controls.js";
import {useRead} from "./loading.js";
import {SavedFilters} from "./saved_filters.js";
import {asTree} from "./terms_field.js";

/** Arguments of lists that aren't filters for people, or have a place of their own on the screen. */
const OTHERS = new Set(["context", "page", "per_page", "offset", "include", "exclude", "order", "orderby", "search", "status", "cursor",
  "cursor_total", "slug", "password", "author_exclude", "parent_exclude", "menus_exclude", "type"]);

export function Filters({list}) {
  const {query} = route.value;
  const filters = list.description.filters || {};
  const names = Object.keys(filters).filter((name) => !OTHERS.has(name) && !(name.endsWith("_exclude") && name.slice(0, -8) in filters));
  const isUsed = names.some((name) => query[name] !== undefined);
  const change = (changes) => setQuery({...changes, page: ""});
  return html`<search class="filters">
    <div class="row end">
      ${filters.search && html`<${Search} help=${filters.search.description} change=${change} />`}
      ${filters.orderby?.enum && html`<${Order} filters=${filters} change=${change} />`}
    </div>
    ${names.length > 0 && html`<details open=${isUsed}><summary>${t("Filters")}</summary><div class="row end">
      ${names.map((name) => html`<${Filter} key=${name} name=${name} schema=${filters[name]} list=${list}
        value=${query[name] ?? ""} onChange=${(value) => change({[name]: value})} />`)}
      ${isUsed && html`<button type="button" onClick=${() => change(Object.fromEntries(names.map((name) => [name, ""])))}>
        ${t("Without filters")}</button>`}
    </div></details>`}
    <${SavedFilters} base=${list.base} />
  </search>`;
}

function Search({change}) {
  const {query} = route.value;
  const [words, setWords] = useState(query.search || "");
  useEffect(() => {
    if (words === (query.search || "")) return undefined;
    const waiting = setTimeout(() => change({search: words}), 350);
    return () => clearTimeout(waiting);
  }, [words]);
  return html`<label><span>${t("Search")}</span>
    <input type="search" value=${words} onInput=${(event) => setWords(event.currentTarget.value)} /></label>`;
}

function Order({filters, change}) {
  const {query} = route.value;
  const names = filters.orderby.enum.filter((name) => !name.startsWith("include") && (name !== "relevance" || query.search));
  const set = (changes) => change(changes);
  return html`
    <label><span>${t("Order by")}</span><select value=${query.orderby || filters.orderby.default}
        onChange=${(event) => set({orderby: event.currentTarget.value})}>
      ${names.map((name) => html`<option key=${name} value=${name}>${labelOf(name)}</option>`)}</select></label>
    <label><span>${t("Direction")}</span><select value=${query.order || filters.order?.default}
        onChange=${(event) => set({order: event.currentTarget.value})}>
      <option value="asc">${t("Ascending")}</option><option value="desc">${t("Descending")}</option></select></label>`;
}

function Filter({name, schema, list, value, onChange}) {
  const label = list.description.schema[name]?.title || list.taxonomies[name]?.labels?.name || labelOf(name);
  const changed = (event) => onChange(event.currentTarget.value);
  const type = list.description.schema[name]?.format === "date-time" || ["after", "before"].includes(name) ? "date" : "text";
  if (name in list.taxonomies) return html`<${TermFilter} label=${label} base=${list.taxonomies[name].rest_base} value=${value} changed=${changed} />`;
  if (name === "author") return html`<${AuthorFilter} label=${label} value=${value} changed=${changed} />`;
  const choices = schema.enum || schema.items?.enum;
  if (choices) return html`<${Select} label=${label} value=${value} changed=${changed}
    options=${choices.map((one) => [one, valueName(name, one, schema, list)])} />`;
  if (schema.type === "boolean") return html`<${Select} label=${label} value=${value} changed=${changed} options=${[["true", t("Yes")], ["false", t("No")]]} />`;
  if (type === "date") return html`<label><span>${label}</span><input type="date" value=${value.slice(0, 10)}
    onChange=${(event) => onChange(event.currentTarget.value && `${event.currentTarget.value}T00:00:00`)} /></label>`;
  return html`<label title=${schema.description}><span>${label}</span>
    <input type=${schema.type === "integer" ? "number" : "text"} value=${value} onChange=${changed} /></label>`;
}

function Select({label, value, changed, options}) {
  return html`<label><span>${label}</span><select value=${value} onChange=${changed}><option value="">${t("All")}</option>
    ${options.map(([one, name]) => html`<option key=${one} value=${one}>${name || spelled(one)}</option>`)}</select></label>`;
}

function TermFilter({base, ...given}) {
  const {value: terms} = useRead(() => termsOf(base).catch(() => []), [base]);
  return html`<${Select} ...${given} options=${asTree(terms || []).map((term) => [String(term.id), "– ".repeat(term.depth) + plainText(term.name)])} />`;
}

function AuthorFilter(given) {
  const {value: all} = useRead(accounts, []);
  return html`<${Select} ...${given} options=${(all || []).map((account) => [String(account.id), account.name])} />`;
}
