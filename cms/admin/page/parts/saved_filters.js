// Filters that somebody saved under a name, in this browser: each is the state of a list as its address has it.
import {html, useState} from "../vendor/preact.js";
import {session} from "../api.js";
import {href, route} from "../router.js";
import {t} from "../texts.js";

function place(base) {
  return `cms-admin-filters:${session.value.user.id}:${base}`;
}

function read(base) {
  try {
    return JSON.parse(localStorage.getItem(place(base))) || [];
  } catch {
    return [];
  }
}

function write(base, filters) {
  try {
    localStorage.setItem(place(base), JSON.stringify(filters));
  } catch {
    // The browser stores nothing: the filters are there until the page is left.
  }
}

export function SavedFilters({base}) {
  const [filters, setFilters] = useState(() => read(base));
  const {page: _page, ...query} = route.value.query;
  const put = (changed) => {
    setFilters(changed);
    write(base, changed);
  };
  const save = (event) => {
    event.preventDefault();
    const name = event.currentTarget.elements.name.value.trim();
    if (name) put([...filters.filter((one) => one.name !== name), {name, query}]);
    event.currentTarget.reset();
  };
  const isUsed = Object.keys(query).length > 0;
  if (!filters.length && !isUsed) return null;
  return html`<div class="row end">
    ${filters.length > 0 && html`<ul class="chips" aria-label=${t("Saved filters")}>${filters.map((one) => html`<li key=${one.name}>
      <a href=${href(base, one.query)}>${one.name}</a>
      <button type="button" class="plain small" aria-label=${t("Remove the saved filter %(name)s", {name: one.name})}
        onClick=${() => put(filters.filter((other) => other !== one))}>✕</button></li>`)}</ul>`}
    ${isUsed && html`<details><summary>${t("Save this filter")}</summary><form class="row end" onSubmit=${save}><label><span>${t("Name of the filter")}</span><input name="name" required maxlength="60" /></label>
      <button>${t("Save")}</button></form></details>`}</div>`;
}
