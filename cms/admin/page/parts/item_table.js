// The rows of a list: their columns by the schema, what can be done with each, and quick edit in its place.
import {html, useState} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {href, route, setQuery} from "../router.js";
import {t} from "../texts.js";
import {isSure} from "./dialog.js";
import {siteTime} from "./dates.js";
import {cellText, plainText, titleOf} from "./items.js";
import {valueName} from "./controls.js";
import {labelOf, stateName} from "./labels.js";
import {say, sayError} from "./messages.js";
import {QuickEdit} from "./quick_edit.js";

const MOST_OWN = 4;
const STANDARD = new Set(["id", "date", "date_gmt", "guid", "modified", "modified_gmt", "slug", "status", "type", "link", "title", "author",
  "comment_status", "ping_status", "meta", "template", "password", "content", "excerpt", "featured_media", "sticky", "format", "parent",
  "menu_order", "name", "description", "url", "capabilities", "extra_capabilities", "avatar_urls", "locale", "nickname", "first_name",
  "last_name"]);

/** Return the columns of a list, `{name, label, order}`, without fields of its own in which no item has anything. */
export function columnsOf(list, items) {
  const {schema, filters} = list.description;
  const orders = filters?.orderby?.enum || [];
  const found = [];
  if (schema.author && list.type) found.push("author");
  found.push(...Object.keys(list.taxonomies).filter((name) => name in schema));
  const own = Object.keys(schema).filter((name) => !STANDARD.has(name) && !(name in list.taxonomies) && isPlain(schema[name])
    && (!list.type || isTelling(name, schema[name], filters, orders)) && items.some((item) => cellText(item[name]) && item[name] !== false));
  found.push(...own.slice(0, list.type ? MOST_OWN : MOST_OWN + 1));
  if (schema.date) found.push("date");
  return found.map((name) => ({
    name,
    label: schema[name].title || list.taxonomies[name]?.labels?.name || labelOf(name, schema[name]),
    order: orders.includes(name) ? name : "",
  }));
}

/** Whether a field tells items of a type apart: by a choice or a moment, or as one that lists are narrowed or ordered by. */
function isTelling(name, schema, filters, orders) {
  return Boolean(schema.enum || schema.format === "date-time") || name in (filters || {}) || orders.includes(name);
}

function isPlain(schema) {
  return [schema.type].flat().some((type) => type !== "object" && type !== "null")
    && (schema.context || ["view"]).some((context) => context !== "embed") && schema.items?.type !== "object";
}

export function ItemTable({list, items, selected, setSelected, again}) {
  const [edited, setEdited] = useState(0);
  const columns = columnsOf(list, items);
  const isAll = items.length > 0 && selected.length === items.length;
  const toggle = (id, isOn) => setSelected(isOn ? [...selected, id] : selected.filter((one) => one !== id));
  if (items.length === 0) return html`<p class="paper">${route.value.query.search ? t("Nothing found.") : list.type?.labels?.not_found || t("Nothing is here yet.")}</p>`;
  return html`<div class="table"><table class="narrow">
    <caption class="hidden">${list.title}</caption>
    <thead><tr>
      <th class="pick" scope="col"><input type="checkbox" aria-label=${t("Select all")} checked=${isAll}
        onChange=${() => setSelected(isAll ? [] : items.map((item) => item.id))} /></th>
      <${Head} label=${list.description.schema.title ? t("Title") : t("Name")} order=${orderOfTitle(list)} />
      ${columns.map((column) => html`<${Head} key=${column.name} ...${column} />`)}
    </tr></thead>
    <tbody>${items.map((item) => edited === item.id
      ? html`<tr key=${item.id}><td colspan=${columns.length + 2}>
          <${QuickEdit} list=${list} item=${item} onClose=${(isSaved) => { setEdited(0); if (isSaved) again(); }} /></td></tr>`
      : html`<${Row} key=${item.id} list=${list} item=${item} columns=${columns} isSelected=${selected.includes(item.id)}
          onSelect=${(isOn) => toggle(item.id, isOn)} onQuick=${() => setEdited(item.id)} again=${again} />`)}</tbody>
  </table></div>`;
}

function orderOfTitle(list) {
  const orders = list.description.filters?.orderby?.enum || [];
  return ["title", "name"].find((name) => orders.includes(name)) || "";
}

function Head({label, order}) {
  const {query} = route.value;
  const isUsed = order && query.orderby === order;
  const next = isUsed && query.order === "asc" ? "desc" : "asc";
  const sorted = isUsed ? (query.order === "desc" ? "descending" : "ascending") : undefined;
  const turn = (event) => {
    event.preventDefault();
    setQuery({orderby: order, order: next, page: ""});
  };
  return html`<th scope="col" aria-sort=${sorted}>${order
    ? html`<a href=${href(route.value.path.join("/"), {...query, orderby: order, order: next})} onClick=${turn}>
        ${label}${isUsed && html`<span aria-hidden="true"> ${query.order === "desc" ? "↓" : "↑"}</span>`}</a>`
    : label}</th>`;
}

function Row({list, item, columns, isSelected, onSelect, onQuick, again}) {
  const title = titleOf(item);
  const state = item.status;
  return html`<tr aria-selected=${isSelected}>
    <td class="pick"><input type="checkbox" aria-label=${t("Select %(title)s", {title})} checked=${isSelected}
      onChange=${(event) => onSelect(event.currentTarget.checked)} /></td>
    <td><a class="title" href=${href(`${list.base}/${item.id}`)}>${title}</a>
      ${state && state !== "publish" && html` <span class="state">${stateName(state, list.statuses)}</span>`}
      ${item.sticky && html` <span class="state">${t("Pinned")}</span>`}
      <${Acts} list=${list} item=${item} title=${title} onQuick=${onQuick} again=${again} /></td>
    ${columns.map((column) => html`<td key=${column.name} data-label=${column.label}>${cell(column.name, item, list)}</td>`)}
  </tr>`;
}

/** Return what a cell shows. */
function cell(name, item, list) {
  if (name === "author") return item._embedded?.author?.[0]?.name || item.author;
  if (name === "date") return siteTime(item.date_gmt) || item.date;
  if (name in list.taxonomies) return embeddedTerms(item, list.taxonomies[name]);
  if (list.description.schema[name].format === "date-time") return siteTime(item[name]);
  const schema = list.description.schema[name];
  if (schema.enum && item[name]) return valueName(name, item[name], schema, list);
  return cellText(item[name]).slice(0, 200);
}

function embeddedTerms(item, taxonomy) {
  const names = [];
  for (const term of (item._embedded?.["wp:term"] || []).flat()) {
    if (term.taxonomy === taxonomy.slug) names.push(plainText(term.name));
  }
  return names.join(", ");
}

function Acts({list, item, title, onQuick, again}) {
  const hasTrash = "trash" in list.statuses && Boolean(item.status) && Boolean(list.type);
  const isInTrash = item.status === "trash";
  const act = async (options, text) => {
    try {
      await request(`/${list.base}/${item.id}`, options);
      say(text);
      again();
    } catch (error) {
      sayError(error);
    }
  };
  const remove = () => isSure(t("Delete “%(title)s” for good?", {title}))
    && act({method: "DELETE", query: {force: true}}, t("“%(title)s” was deleted.", {title}));
  return html`<div class="acts">
    <a href=${href(`${list.base}/${item.id}`)} aria-label=${t("Edit %(title)s", {title})}>${t("Edit")}</a>
    ${list.type && !isInTrash && html`<button type="button" onClick=${onQuick} aria-label=${t("Quick edit of %(title)s", {title})}>${t("Quick edit")}</button>`}
    ${session.value.has_front_end && item.link && list.type?.viewable && item.status === "publish" && html`<a href=${safeAddress(item.link)} target="_blank" rel="noreferrer"
      aria-label=${t("View %(title)s", {title})}>${t("View")}</a>`}
    ${isInTrash && html`<button type="button" onClick=${() => act({method: "POST", body: {status: "draft"}}, t("“%(title)s” is a draft again.", {title}))}>
      ${t("Restore")}</button>`}
    ${hasTrash && !isInTrash
      ? html`<button type="button" class="danger" aria-label=${t("Move %(title)s to the trash", {title})}
          onClick=${() => act({method: "DELETE"}, t("“%(title)s” is in the trash.", {title}))}>${t("Trash")}</button>`
      : list.base !== "users" && html`<button type="button" class="danger" aria-label=${t("Delete %(title)s", {title})} onClick=${remove}>${t("Delete")}</button>`}
  </div>`;
}

/** Return an address that may stand in a link: one of the web. */
export function safeAddress(address) {
  return /^https?:\/\//i.test(address) ? address : undefined;
}
