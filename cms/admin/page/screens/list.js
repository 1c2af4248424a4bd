// The list of any resource: its columns, states, filters, order and pages, and what is done with several items at once.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {href, route, setQuery} from "../router.js";
import {describe, statuses, taxonomies, termField, typeOf} from "../schema.js";
import {t} from "../texts.js";
import {BulkBar} from "../parts/bulk.js";
import {Filters} from "../parts/filters.js";
import {Loaded, useRead} from "../parts/loading.js";
import {Pages} from "../parts/pages.js";
import {spelled} from "../parts/labels.js";
import {StateTabs} from "../parts/state_tabs.js";
import {ItemTable} from "../parts/item_table.js";

/** What the screen itself uses of the address; everything else is a filter of the list. */
const SHOWN = 20;

export default function List({path: [base]}) {
  const state = useRead(() => readList(base), [base]);
  return html`<${Loaded} state=${state}>${(list) => html`<${Listed} key=${base} list=${list} />`}<//>`;
}

/** Return what the screen has to know of a list before it reads a page of it. */
export async function readList(base) {
  const [description, type, states, groups] = await Promise.all(
    [describe(`/${base}`), typeOf(base), statuses(), taxonomies()]);
  const fields = {};
  for (const taxonomy of Object.values(groups)) {
    if (!type || taxonomy.types.includes(type.slug)) fields[termField(taxonomy)] = taxonomy;
  }
  return {base, description, type, statuses: states, taxonomies: fields, title: type?.labels?.name || spelled(base)};
}

function Listed({list}) {
  const {query} = route.value;
  const [selected, setSelected] = useState([]);
  const asked = listQuery(list, query);
  const state = useRead(() => readPage(list, asked), [JSON.stringify(asked)]);
  const again = () => {
    setSelected([]);
    state.again();
  };
  const mayCreate = list.description.allow.includes("POST");
  return html`
    <header><h1>${list.title}</h1>
      ${mayCreate && html`<a class="button main" href=${href(`${list.base}/new`)}>${list.type?.labels?.add_new || t("Add new")}</a>`}</header>
    ${list.description.filters?.status?.items?.enum && html`<${StateTabs} list=${list} round=${state.value} />`}
    <${Filters} list=${list} />
    <${Loaded} state=${state}>${({items, total, pages}) => html`
      <${BulkBar} list=${list} items=${items} selected=${selected} again=${again} total=${total} />
      <${ItemTable} list=${list} items=${items} selected=${selected} setSelected=${setSelected} again=${again} />
      <${Pages} pages=${pages} total=${total} />`}<//>`;
}

/** Return the arguments of a page of the list: those of the address that the list declares, and what the screen needs. */
export function listQuery({description, type}, query) {
  const filters = description.filters || {};
  const asked = {per_page: SHOWN};
  for (const [name, value] of Object.entries(query)) if (name.split("[")[0] in filters) asked[name] = value;
  if (filters.status && !asked.status) asked.status = "any";
  if (filters.context?.enum?.includes("edit")) asked.context = "edit";
  if (type) asked._embed = "author,wp:term";
  return asked;
}

async function readPage(list, asked) {
  const read = (query) => request(`/${list.base}`, {query});
  let answer;
  try {
    answer = await read(asked);
  } catch (error) {
    if (error.code === "rest_post_invalid_page_number") setQuery({page: ""});
    if (![401, 403].includes(error.status)) throw error;
    // Whoever may not have the editable form of all items sees what everybody sees.
    answer = await read({...asked, context: "view", status: asked.status === "any" ? "" : asked.status});
  }
  const {data, headers} = answer;
  return {items: data, total: Number(headers.get("X-WP-Total") || data.length), pages: Number(headers.get("X-WP-TotalPages") || 1)};
}
