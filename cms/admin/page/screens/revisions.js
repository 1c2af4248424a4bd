// The revisions of an item: two of them side by side or as one difference, and bringing one back.
import {html, useState} from "../vendor/preact.js";
import {request, requestAll} from "../api.js";
import {go, href, route, setQuery} from "../router.js";
import {describe, routes} from "../schema.js";
import {t} from "../texts.js";
import {asText} from "../parts/conflict.js";
import {siteTime} from "../parts/dates.js";
import {Difference} from "../parts/difference.js";
import {isSame} from "../parts/form.js";
import {rawOf, titleOf} from "../parts/items.js";
import {labelOf} from "../parts/labels.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";

const NOT_COMPARED = new Set(["id", "author", "date", "date_gmt", "modified", "modified_gmt", "parent", "slug", "guid", "_links", "type", "status", "link"]);

export default function Revisions({path: [base, id]}) {
  const state = useRead(() => readRevisions(base, id), [base, id]);
  return html`<${Loaded} state=${state}>${(read) => html`<${Compared} ...${read} again=${state.again} />`}<//>`;
}

async function readRevisions(base, id) {
  const [{data: item, etag}, revisions, description, allRoutes] = await Promise.all([
    request(`/${base}/${id}`, {query: {context: "edit"}}),
    requestAll(`/${base}/${id}/revisions`, {context: "edit"}, 3),
    describe(`/${base}`),
    routes(),
  ]);
  return {base, item, etag, revisions, schema: description.schema, mayRestore: allRoutes.has(`/${base}/*/revisions/*/restore`)};
}

function Compared({base, item, etag, revisions, schema, mayRestore, again}) {
  const {query} = route.value;
  const [isBeside, setBeside] = useState(true);
  const versions = [{...item, id: 0}, ...revisions];
  const pick = (name, otherwise) => versions.find((one) => String(one.id) === query[name]) || otherwise;
  const older = pick("from", revisions[Math.min(1, revisions.length - 1)] || versions[0]);
  const newer = pick("to", versions[0]);
  const restore = async () => {
    try {
      await request(`/${base}/${item.id}/revisions/${older.id}/restore`, {method: "POST", headers: etag ? {"If-Match": etag} : {}});
      say(t("The revision was brought back."));
      go(`${base}/${item.id}`);
    } catch (error) {
      sayError(error);
      again();
    }
  };
  const choice = (name, label, current) => html`<label><span>${label}</span>
    <select value=${current.id} onChange=${(event) => setQuery({[name]: event.currentTarget.value})}>
      ${versions.map((one) => html`<option key=${one.id} value=${one.id}>${one.id === 0 ? t("as it is now") : siteTime(one.modified_gmt || one.date_gmt)}</option>`)}
    </select></label>`;
  return html`
    <header><h1>${t("Revisions of “%(title)s”", {title: titleOf(item)})}</h1>
      <a href=${href(`${base}/${item.id}`)}>${t("Back to editing")}</a></header>
    ${revisions.length === 0 ? html`<p class="paper">${t("There are no revisions yet.")}</p>` : html`
      <div class="row end head">${choice("from", t("Earlier"), older)}${choice("to", t("Later"), newer)}
        <label class="check"><input type="checkbox" checked=${isBeside} onChange=${(event) => setBeside(event.currentTarget.checked)} />
          <span>${t("Side by side")}</span></label>
        ${mayRestore && older.id !== 0 && html`<button type="button" class="main" onClick=${restore}>${t("Bring back the earlier one")}</button>`}
      </div>
      <${Changes} older=${older} newer=${newer} schema=${schema} isBeside=${isBeside} />`}`;
}

function Changes({older, newer, schema, isBeside}) {
  const names = Object.keys(older).filter((name) => name in newer && !NOT_COMPARED.has(name) && !name.startsWith("_")
    && !isSame(rawOf(older[name]), rawOf(newer[name])));
  if (!names.length) return html`<p class="paper">${t("Nothing differs.")}</p>`;
  return html`<div class="stack">${names.map((name) => html`<section class="paper" key=${name}><h2>${labelOf(name, schema[name])}</h2>
    ${isBeside ? html`<div class="compare"><div><h3>${t("Earlier")}</h3><pre dir="auto" tabindex="0">${asText(rawOf(older[name]))}</pre></div>
        <div><h3>${t("Later, with what changed")}</h3><${Difference} before=${rawOf(older[name])} after=${rawOf(newer[name])} /></div></div>`
      : html`<${Difference} before=${rawOf(older[name])} after=${rawOf(newer[name])} />`}</section>`)}</div>`;
}
