// Other items as the value of a field, found by their names; and the author among the accounts.
import {html, useEffect, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {accounts, taxonomies, types} from "../schema.js";
import {t} from "../texts.js";
import {titleOf} from "./items.js";
import {useRead} from "./loading.js";

const FOUND = 10;

export function AuthorField({id, value, onChange, described, form}) {
  const {value: all} = useRead(accounts, []);
  const known = all || [];
  const nobody = form.item?.id ? t("(none)") : t("I myself");
  const isKnown = known.some((account) => account.id === value);
  return html`<select id=${id} aria-describedby=${described} value=${value ?? ""} onChange=${(event) => onChange(Number(event.currentTarget.value))}>
    ${!isKnown && html`<option value=${value ?? ""}>${value ? t("Account %(id)s", {id: value}) : nobody}</option>`}
    ${known.map((account) => html`<option key=${account.id} value=${account.id}>${account.name}</option>`)}
  </select>`;
}

export function RelationField({id, name, schema, value, onChange, form, label}) {
  const isList = schema.type === "array";
  const ids = isList ? value || [] : [value].filter(Boolean);
  const {value: found} = useRead(() => targets(name, schema, form), [name, form.base]);
  const bases = found || [];
  const put = (chosen) => onChange(isList ? chosen : chosen[0] ?? (name === "parent" || name === "post" ? 0 : null));
  return html`
    <ul class="chips">${ids.map((one) => html`<${Chosen} key=${one} id=${one} bases=${bases}
      onRemove=${() => put(ids.filter((other) => other !== one))} />`)}</ul>
    <${ItemSearch} id=${id} bases=${bases} label=${label} onChoose=${(item) => put(isList ? [...ids.filter((one) => one !== item.id), item.id] : [item.id])} />`;
}

/** Return the lists that may hold the other items: as the schema says, as the item's links show, or its own list. */
async function targets(name, schema, form) {
  const declared = schema.relation || schema.items?.relation;
  if (declared) return (await Promise.all(declared.map(baseOf))).filter(Boolean);
  const links = [form.item?._links?.[`cms:${name}`] || []].flat();
  const linked = links.map((link) => new URL(link.href, location.href).pathname.split("/").at(-2));
  if (linked.length) return [...new Set(linked)];
  return name === "post" ? ["posts", "pages"] : [form.base];
}

/** Return the list of a type or, with `term:` before its name, of a taxonomy. */
async function baseOf(name) {
  const [all, key] = name.startsWith("term:") ? [await taxonomies(), name.slice(5)] : [await types(), name];
  return all[key]?.rest_base;
}

function Chosen({id, bases, onRemove}) {
  const {value} = useRead(() => find(id, bases), [id, bases.join()]);
  const title = value ? titleOf(value) : t("Item %(id)s", {id});
  return html`<li><span>${title}</span>
    <button type="button" class="plain small" onClick=${onRemove} aria-label=${t("Remove %(title)s", {title})}>✕</button></li>`;
}

async function find(id, bases) {
  for (const base of bases) {
    const found = await request(`/${base}/${id}`).catch(() => null);
    if (found) return found.data;
  }
  return null;
}

/** A search in one or several lists whose results are chosen by a click or by keys. */
export function ItemSearch({id, bases, onChoose, label}) {
  const [words, setWords] = useState("");
  const [found, setFound] = useState(null);
  useEffect(() => {
    if (!words.trim()) {
      setFound(null);
      return undefined;
    }
    const waiting = setTimeout(() => search(words, bases).then(setFound, () => setFound([])), 250);
    return () => clearTimeout(waiting);
  }, [words, bases.join()]);
  const choose = (item) => {
    onChoose(item);
    setWords("");
  };
  return html`<input id=${id} type="search" value=${words} aria-label=${t("Search: %(label)s", {label})} placeholder=${t("Search by name")}
      onInput=${(event) => setWords(event.currentTarget.value)}
      onKeyDown=${(event) => event.key === "Enter" && event.preventDefault()} />
    <div role="status" aria-live="polite">${found && found.length === 0 && html`<p class="help">${t("Nothing found.")}</p>`}</div>
    ${found && html`<ul class="chips">${found.map((item) => html`<li key=${item.id}><button type="button" class="plain small"
      onClick=${() => choose(item)}>${titleOf(item)}</button></li>`)}</ul>`}`;
}

async function search(words, bases) {
  const answers = await Promise.all(bases.map((base) =>
    request(`/${base}`, {query: {search: words, per_page: FOUND}}).then(({data}) => data.map((item) => ({...item, base})), () => [])));
  return answers.flat().slice(0, FOUND);
}
