// What is done with several items of a list at once.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {route} from "../router.js";
import {termField, termsOf} from "../schema.js";
import {t} from "../texts.js";
import {isSure} from "./dialog.js";
import {plainText} from "./items.js";
import {stateName} from "./labels.js";
import {say, sayError} from "./messages.js";
import {asTree} from "./terms_field.js";
import {useRead} from "./loading.js";

export function BulkBar({list, items, selected, again}) {
  const [action, setAction] = useState("");
  const [isBusy, setBusy] = useState(false);
  const options = actions(list);
  if (!options.length || !items.length) return null;
  const apply = async () => {
    const chosen = items.filter((item) => selected.includes(item.id));
    if (action === "delete" && !isSure(t("Delete %(number)s items for good?", {number: chosen.length}))) return;
    setBusy(true);
    await applyAll(list, chosen, action);
    setBusy(false);
    again();
  };
  return html`<div class="row head" role="group" aria-label=${t("With the selected")}>
    <label><span class="hidden">${t("With the selected")}</span>
      <select value=${action} onChange=${(event) => setAction(event.currentTarget.value)}>
        <option value="">${t("With the selected …")}</option>
        ${options.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}
        ${Object.values(list.taxonomies).map((taxonomy) => html`<${TermOptions} key=${taxonomy.slug} taxonomy=${taxonomy} />`)}
      </select></label>
    <button type="button" disabled=${!action || !selected.length || isBusy} onClick=${apply}>${t("Apply")}</button>
    <span role="status" class="faint">${selected.length > 0 && t("%(number)s selected", {number: selected.length})}</span>
  </div>`;
}

function TermOptions({taxonomy}) {
  const {value: terms} = useRead(() => termsOf(taxonomy.rest_base).catch(() => []), [taxonomy.rest_base]);
  return html`<optgroup label=${t("Add: %(label)s", {label: taxonomy.labels?.name || taxonomy.name})}>
    ${asTree(terms || []).slice(0, 200).map((term) => html`<option key=${term.id} value=${`term:${termField(taxonomy)}:${term.id}`}>
      ${"– ".repeat(term.depth)}${plainText(term.name)}</option>`)}</optgroup>`;
}

/** Return the actions of a list: the states that may be set, the trash, and deletion where there is none. */
function actions(list) {
  if (list.base === "users") return [];
  const states = list.description.creates?.status?.enum || [];
  const found = [];
  for (const name of states) if (name in list.statuses && name !== "future") found.push([name, t("Set to: %(state)s", {state: stateName(name, list.statuses)})]);
  const isInTrash = route.value.query.status === "trash";
  if (list.type && list.description.filters?.status && !isInTrash) found.push(["trash", t("Move to the trash")]);
  else found.push(["delete", t("Delete for good")]);
  return found;
}

/** Apply an action to items one after the other, and say how it went. */
async function applyAll(list, items, action) {
  const refused = [];
  for (const item of items) {
    try {
      await request(`/${list.base}/${item.id}`, requestOf(action, item));
    } catch (error) {
      refused.push(error);
    }
  }
  const number = items.length - refused.length;
  if (number) say(t("%(number)s items were changed.", {number}));
  if (refused.length) sayError(new Error(t("%(number)s were refused: %(reason)s", {number: refused.length, reason: refused[0].message})));
}

function requestOf(action, item) {
  if (action === "trash") return {method: "DELETE"};
  if (action === "delete") return {method: "DELETE", query: {force: true}};
  if (!action.startsWith("term:")) return {method: "POST", body: {status: action}};
  const [, field, id] = action.split(":");
  return {method: "POST", body: {[field]: [...new Set([...(item[field] || []), Number(id)])]}};
}
