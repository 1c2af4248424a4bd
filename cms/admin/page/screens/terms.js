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
import {mayManage} from "../parts/menu.js";
import {asTree} from "../parts/terms_field.js";
import {Tree} from "../parts/tree.js";
import Edit from "./edit.js";

export default function Terms({path: [base, id]}) {
  if (id && id !== "new") return html`<${Edit} path=${[base, id]} onSaved=${() => forget(`terms ${base}`)} />`;
  return html`<${Taxonomy} key=${base} base=${base} />`;
}

async function readTerms(base) {
  const [description, groups, terms] = await Promise.all([describe(`/${base}`), taxonomies(), termsOf(base)]);
  const taxonomy = Object.values(groups).find((one) => one.rest_base === base);
  return {base, description, taxonomy, terms};
}

function Taxonomy({base}) {
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
  if (shown.length && read.taxonomy.hierarchical && !words) return html`<${TermTree} read=${read} all=${all} again=${again} />`;
  if (!shown.length) return html`<p class="paper">${read.taxonomy.labels?.not_found || t("Nothing found.")}</p>`;
  return html`<div class="table"><table>
    <caption class="hidden">${read.taxonomy.labels?.name || read.taxonomy.name}</caption>
    <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Items")}</th><th><span class="hidden">${t("Delete")}</span></th></tr></thead>
    <tbody>${shown.map((term) => html`<${Row} key=${term.id} term=${term} read=${read} again=${again} />`)}</tbody></table></div>`;
}

/** The terms of a hierarchical taxonomy: what is moved goes below another one; among the same they stand by name. */
function TermTree({read, all, again}) {
  const put = async (term, parent) => {
    try {
      await request(`/${read.base}/${term.id}`, {method: "POST", body: {parent}});
      say(t("“%(title)s” was moved.", {title: plainText(term.name)}));
    } catch (error) {
      sayError(error);
    }
    again();
  };
  const move = (term, how) => {
    const siblings = all.filter((one) => one.parent === term.parent);
    const before = siblings[siblings.findIndex((one) => one.id === term.id) - 1];
    const above = all.find((one) => one.id === term.parent);
    if (how === "in" && before) put(term, before.id);
    if (how === "out" && above) put(term, above.parent || 0);
  };
  return html`<${Tree} items=${all} label=${read.taxonomy.labels?.name || read.taxonomy.name} nameOf=${(term) => plainText(term.name)}
    moves=${mayManage(read.taxonomy) ? ["in", "out"] : []} onMove=${move} onDrop=${(term, target) => put(term, target?.id || 0)}
    draw=${(term) => html`<span class="space"><a class="title" href=${href(`${read.base}/${term.id}`)}>${plainText(term.name)}</a></span>
      <span class="faint"><${Count} term=${term} read=${read} /></span><${Removal} term=${term} read=${read} again=${again} />`} />`;
}

function Count({term, read}) {
  const text = t("%(total)s items", {total: term.count});
  return read.taxonomy.types[0] === "post" ? html`<a href=${href("posts", {[termField(read.taxonomy)]: term.id})}>${text}</a>` : text;
}

function Removal({term, read, again}) {
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
  return html`<button type="button" class="small danger" aria-label=${t("Delete %(title)s", {title})} onClick=${remove}>${t("Delete")}</button>`;
}

function Row({term, read, again}) {
  const title = plainText(term.name);
  return html`<tr><td><a class="title" href=${href(`${read.base}/${term.id}`)}>${title}</a></td>
    <td><${Count} term=${term} read=${read} /></td><td><${Removal} term=${term} read=${read} again=${again} /></td></tr>`;
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
