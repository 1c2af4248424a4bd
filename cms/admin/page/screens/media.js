// The media library: a grid or rows with search and kinds, many uploads at once, and what one file says about itself.
import {html} from "../vendor/preact.js";
import {request} from "../api.js";
import {may} from "../session.js";
import {href, route, setQuery} from "../router.js";
import {t} from "../texts.js";
import {listQuery, readList} from "./list.js";
import {Filters} from "../parts/filters.js";
import {Loaded, useRead} from "../parts/loading.js";
import {Tile} from "../parts/media_choice.js";
import {MediaItem} from "../parts/media_item.js";
import {MediaRows} from "../parts/media_rows.js";
import {say} from "../parts/messages.js";
import {Pages} from "../parts/pages.js";
import {Uploads} from "../parts/uploads.js";

const SHOWN = 30;
const UNNAMED_PAGES = 5;

export default function Media({path}) {
  if (path[1]) return html`<${MediaItem} id=${path[1]} />`;
  return html`<${Library} />`;
}

function Library() {
  const state = useRead(() => readList("media"), []);
  return html`<${Loaded} state=${state}>${(list) => html`<${Files} list=${list} />`}<//>`;
}

function Files({list}) {
  const {query} = route.value;
  const isUnnamed = query.without === "alt";
  const isRows = query.view === "rows";
  const asked = {...listQuery(list, query), per_page: SHOWN, status: "", _embed: ""};
  const state = useRead(() => (isUnnamed ? readUnnamed(asked) : readPage(asked)), [JSON.stringify(asked), isUnnamed]);
  const arrived = (items) => {
    if (items.length) say(t("%(number)s files were uploaded.", {number: items.length}));
    state.again();
  };
  return html`
    <header><h1>${list.title}</h1></header>
    ${may("upload_files") && html`<${Uploads} onDone=${arrived} />`}
    <${Filters} list=${list} />
    <div class="row head"><label class="check"><input type="checkbox" checked=${isUnnamed}
      onChange=${(event) => setQuery({without: event.currentTarget.checked ? "alt" : "", page: ""})} />
      <span>${t("Only pictures without alternative text")}</span></label>
      <label class="check"><input type="checkbox" checked=${isRows} onChange=${(event) => setQuery({view: event.currentTarget.checked ? "rows" : ""})} />
        <span>${t("In rows")}</span></label></div>
    <${Loaded} state=${state}>${({items, total, pages}) => html`
      ${items.length === 0 && html`<p class="paper">${t("Nothing found.")}</p>`}
      ${isRows && items.length > 0 ? html`<${MediaRows} items=${items} again=${state.again} mayDelete=${may("upload_files")} />`
      : html`<ul class="grid">${items.map((media) => html`<li key=${media.id}><${Tile} media=${media} address=${href(`media/${media.id}`)} /></li>`)}</ul>`}
      <${Pages} pages=${pages} total=${total} />`}<//>`;
}

async function readPage(query) {
  const {data, headers} = await request("/media", {query});
  return {items: data, total: Number(headers.get("X-WP-Total")), pages: Number(headers.get("X-WP-TotalPages") || 1)};
}

/** The API has no filter for pictures without a text, so the latest pages are looked through. */
async function readUnnamed(query) {
  const items = [];
  for (let page = 1; page <= UNNAMED_PAGES; page += 1) {
    const {data, headers} = await request("/media", {query: {...query, media_type: "image", per_page: 100, page}});
    items.push(...data.filter((media) => !media.alt_text));
    if (page >= Number(headers.get("X-WP-TotalPages") || 1)) break;
  }
  return {items, total: items.length, pages: 1};
}
