// The terms of a taxonomy as a tree, with a form for a new one and for each.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {go, href} from "../router.js";
import {describe, forget, formFields, taxonomies, termField, termsOf} from "../schema.js";
import {t} from "../texts.js";
import {isSure} from "../parts/dialog.js";
import {Fields, Refusal} from "../parts/form.js";
import {plainText} from "../parts/items.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";
import {asTree} from "../parts/terms_field.js";
import Edit from "./edit.js";

export default function Terms({path: [base, id]}) {
  if (id && id !== "new") return html`<${Edit} path=${[base, id]} onSaved=${() => forget(`terms ${base}`)} />`;
  return html`<${Tree} key=${base} base=${base} />`;
}

async function readTerms(base) {
  const [description, groups, terms] = await Promise.all([describe(`/${base}`), taxonomies(), termsOf(base)]);
  const taxonomy = Object.values(groups).find((one) => one.rest_base === base);
  return {base, description, taxonomy, terms};
}

function Tree({base}) {
  const state = useRead(() => readTerms(base), [base]);
  const [words, setWords] = useState("");
  const again = () => {
    forget(`terms ${base}`);
    state.again();
  };
  return html`<${Loaded} state=${state}>${(read) => html`
    <header><h1>${read.taxonomy.labels?.name || read.taxonomy.name}</h1></header>
    <div class="edit"><div>
      <label><span>${t("Search")}</span><input type="search" value=${words} onInput=${(event) => setWords(event.currentTarget.value)} /></label>
      <${Rows} read=${read} words=${words.toLowerCase()} again=${again} />
    </div>
    ${read.description.allow.includes("POST") && html`<div><${NewTerm} read=${read} again=${again} /></div>`}</div>`}<//>`;
}

function Rows({read, words, again}) {
  const all = read.taxonomy.hierarchical && !words ? asTree(read.terms) : read.terms.map((term) => ({...term, depth: 0}));
  const shown = all.filter((term) => !words || plainText(term.name).toLowerCase().includes(words));
  if (!shown.length) return html`<p class="paper">${read.taxonomy.labels?.not_found || t("Nothing found.")}</p>`;
  return html`<div class="table"><table>
    <caption class="hidden">${read.taxonomy.labels?.name || read.taxonomy.name}</caption>
    <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Items")}</th></tr></thead>
    <tbody>${shown.map((term) => html`<${Row} key=${term.id} term=${term} read=${read} again=${again} />`)}</tbody></table></div>`;
}

function Row({term, read, again}) {
  const title = plainText(term.name);
  const remove = async () => {
    if (!isSure(t("Delete “%(title)s” for good?", {title}))) return;
    try {
      await request(`/${read.base}/${term.id}`, {method: "DELETE", query: {force: true}});
      say(t("“%(title)s” was deleted.", {title}));
      again();
    } catch (error) {
      sayError(error);
    }
  };
  const type = read.taxonomy.types[0];
  return html`<tr><td><div class=${`deep-${Math.min(term.depth, 5)}`}><a class="title" href=${href(`${read.base}/${term.id}`)}>${title}</a>
      <div class="acts"><a href=${href(`${read.base}/${term.id}`)} aria-label=${t("Edit %(title)s", {title})}>${t("Edit")}</a>
        <button type="button" class="danger" aria-label=${t("Delete %(title)s", {title})} onClick=${remove}>${t("Delete")}</button></div></div></td>
    <td>${type === "post" ? html`<a href=${href("posts", {[termField(read.taxonomy)]: term.id})}>${term.count}</a>` : term.count}</td></tr>`;
}

function NewTerm({read, again}) {
  const [changes, setChanges] = useState({});
  const [error, setError] = useState(null);
  const fields = formFields(read.description, true);
  const names = ["name", ...Object.keys(fields).filter((name) => name !== "name" && name !== "meta")].filter((name) => name in fields);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const {data} = await request(`/${read.base}`, {method: "POST", body: changes});
      say(t("“%(title)s” was added.", {title: plainText(data.name)}));
      setChanges({});
      setError(null);
      again();
      go(read.base);
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<form class="paper stack" onSubmit=${submit}><h2>${read.taxonomy.labels?.add_new_item || t("Add new term")}</h2>
    <${Refusal} error=${error} fields=${fields} />
    <${Fields} names=${names} fields=${fields} values=${{}} changes=${changes} errors=${error?.params || {}} form=${{base: read.base, item: {}}}
      onChange=${(name, value) => setChanges((before) => ({...before, [name]: value}))} />
    <div class="row"><button class="main">${t("Add")}</button></div></form>`;
}
