// Webhooks: their list, the form of each, and what was sent to it, which can be sent again.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {t} from "../texts.js";
import {viewerTime} from "../parts/dates.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";
import Edit from "./edit.js";
import List from "./list.js";

const SHOWN = 20;

export default function Webhooks({path}) {
  const id = path[1];
  if (!id) return html`<${List} path=${["webhooks"]} />`;
  if (id === "new") return html`<${Edit} path=${path} />`;
  return html`<${Edit} path=${path}><${Deliveries} id=${id} /><//>`;
}

function Deliveries({id}) {
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState("");
  const path = `/webhooks/${id}`;
  const state = useRead(() => readPage(`${path}/deliveries`, {page, status, per_page: SHOWN, context: "edit"}), [id, page, status]);
  const send = async (to, said) => {
    try {
      await request(to, {method: "POST", body: {}});
      say(said);
    } catch (error) {
      sayError(error);
    }
    state.again();
  };
  return html`<section class="paper stack" aria-label=${t("What was sent")}><h2>${t("What was sent")}</h2>
    <div class="row end"><label><span>${t("State")}</span><select value=${status} onChange=${(event) => { setPage(1); setStatus(event.currentTarget.value); }}>
        <option value="">${t("All")}</option>${Object.entries(states()).map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}</select></label>
      <button type="button" onClick=${() => send(`${path}/test`, t("A test is on its way."))}>${t("Send a test")}</button>
      <button type="button" onClick=${state.again}>${t("Look again")}</button></div>
    <${Loaded} state=${state}>${({items, pages}) => html`
      ${items.length === 0 ? html`<p>${t("Nothing was sent yet.")}</p>` : html`<${Table} items=${items}
        sendAgain=${(one) => send(`${path}/deliveries/${one.id}/send`, t("It is sent again."))} />`}
      ${pages > 1 && html`<div class="pages"><button type="button" disabled=${page === 1} onClick=${() => setPage(page - 1)}>${t("Back")}</button>
        <span>${t("Page %(page)s of %(pages)s", {page, pages})}</span>
        <button type="button" disabled=${page === pages} onClick=${() => setPage(page + 1)}>${t("Next")}</button></div>`}`}<//></section>`;
}

function states() {
  return {waiting: t("Waiting"), delivered: t("Delivered"), set_aside: t("Set aside")};
}

function Table({items, sendAgain}) {
  return html`<div class="table"><table class="narrow"><caption class="hidden">${t("What was sent")}</caption>
    <thead><tr>${[t("Event"), t("State"), t("Answer"), t("Last try"), t("Next try")].map((label) => html`<th scope="col" key=${label}>${label}</th>`)}
      <th><span class="hidden">${t("Send again")}</span></th></tr></thead>
    <tbody>${items.map((one) => html`<tr key=${one.id}><td><code>${one.event}</code> <span class="faint">${one.item}</span></td>
      <td data-label=${t("State")}>${states()[one.status] || one.status}${one.tries > 0 && ` (${one.tries})`}</td>
      <td data-label=${t("Answer")}>${one.code || "–"} <span lang="en" dir="ltr">${one.error}</span></td>
      <td data-label=${t("Last try")}>${viewerTime(one.last_try) || "–"}</td><td data-label=${t("Next try")}>${viewerTime(one.next_try) || "–"}</td>
      <td><button type="button" class="small" onClick=${() => sendAgain(one)}>${t("Send again")}<span class="hidden">: ${one.event} ${one.id}</span></button></td></tr>`)}</tbody></table></div>`;
}

async function readPage(path, query) {
  const {data, headers} = await request(path, {query});
  return {items: data, pages: Number(headers.get("X-WP-TotalPages") || 1)};
}
