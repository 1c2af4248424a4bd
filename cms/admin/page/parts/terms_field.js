// The terms of an item: a tree of boxes or a row of names, where new terms can be made.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {forget, termsOf} from "../schema.js";
import {t} from "../texts.js";
import {plainText} from "./items.js";
import {Loaded, useRead} from "./loading.js";
import {sayError} from "./messages.js";

export function TermsField({id, name, value, onChange, form, label}) {
  const taxonomy = form.taxonomies[name];
  const base = taxonomy.rest_base;
  const state = useRead(() => termsOf(base), [base]);
  const chosen = Array.isArray(value) ? value : [value].filter(Boolean);
  const make = async (body) => {
    try {
      const {data} = await request(`/${base}`, {method: "POST", body});
      forget(`terms ${base}`);
      state.again();
      onChange([...chosen, data.id]);
      return true;
    } catch (error) {
      if (error.code === "term_exists" && error.body?.data?.term_id) {
        onChange([...new Set([...chosen, error.body.data.term_id])]);
        return true;
      }
      sayError(error);
      return false;
    }
  };
  const Kind = taxonomy.hierarchical ? Tree : Names;
  return html`<${Loaded} state=${state}>${(terms) => html`<${Kind} id=${id} terms=${terms} chosen=${chosen} label=${label}
    onChange=${onChange} make=${make} taxonomy=${taxonomy} />`}<//>`;
}

/** Return terms in the order of their tree, each with its depth. */
export function asTree(terms, parent = 0, depth = 0) {
  const found = [];
  for (const term of terms) {
    if ((term.parent || 0) !== parent) continue;
    found.push({...term, depth}, ...asTree(terms, term.id, depth + 1));
  }
  return found;
}

function Tree({id, terms, chosen, onChange, make, taxonomy, label}) {
  const toggle = (one, isOn) => onChange(isOn ? [...chosen, one] : chosen.filter((other) => other !== one));
  return html`<div class="terms" tabindex="0" role="group" aria-label=${label}>${asTree(terms).map((term) => html`
      <label class=${`check deep-${Math.min(term.depth, 5)}`} key=${term.id}>
        <input type="checkbox" checked=${chosen.includes(term.id)} onChange=${(event) => toggle(term.id, event.currentTarget.checked)} />
        <span>${plainText(term.name)}</span></label>`)}</div>
    <${NewTerm} id=${id} make=${make} terms=${terms} taxonomy=${taxonomy} />`;
}

function NewTerm({id, make, terms, taxonomy}) {
  const [name, setName] = useState("");
  const [parent, setParent] = useState(0);
  const submit = async () => {
    if (name.trim() && (await make(parent ? {name, parent} : {name}))) setName("");
  };
  return html`<details><summary>${taxonomy.labels?.add_new_item || t("Add new term")}</summary>
    <div class="stack entry">
      <label><span>${t("Name")}</span><input id=${`${id}-new`} value=${name} onInput=${(event) => setName(event.currentTarget.value)}
        onKeyDown=${(event) => { if (event.key === "Enter") { event.preventDefault(); submit(); } }} /></label>
      <label><span>${t("Below")}</span><select value=${parent} onChange=${(event) => setParent(Number(event.currentTarget.value))}>
        <option value="0">${t("(none)")}</option>
        ${asTree(terms).map((term) => html`<option key=${term.id} value=${term.id}>${"– ".repeat(term.depth)}${plainText(term.name)}</option>`)}
      </select></label>
      <button type="button" class="small" onClick=${submit}>${t("Add")}</button>
    </div></details>`;
}

function Names({id, terms, chosen, onChange, make, label}) {
  const [name, setName] = useState("");
  const add = async () => {
    const wanted = name.trim();
    if (!wanted) return;
    const known = terms.find((term) => plainText(term.name).toLowerCase() === wanted.toLowerCase());
    if (known) onChange([...new Set([...chosen, known.id])]);
    if (known || (await make({name: wanted}))) setName("");
  };
  const titles = Object.fromEntries(terms.map((term) => [term.id, plainText(term.name)]));
  return html`<ul class="chips">${chosen.map((one) => html`<li key=${one}><span>${titles[one] || t("Item %(id)s", {id: one})}</span>
      <button type="button" class="plain small" aria-label=${t("Remove %(title)s", {title: titles[one] || one})}
        onClick=${() => onChange(chosen.filter((other) => other !== one))}>✕</button></li>`)}</ul>
    <div class="row"><input id=${id} class="space" list=${`${id}-known`} value=${name} aria-label=${t("Add: %(label)s", {label})}
        onInput=${(event) => setName(event.currentTarget.value)}
        onKeyDown=${(event) => { if (event.key === "Enter" || event.key === ",") { event.preventDefault(); add(); } }} />
      <button type="button" class="small" onClick=${add}>${t("Add")}</button></div>
    <datalist id=${`${id}-known`}>${terms.map((term) => html`<option key=${term.id} value=${plainText(term.name)} />`)}</datalist>`;
}
