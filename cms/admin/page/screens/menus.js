// Menus: choosing one, and its items as a tree that is arranged by dragging or by keys.
import {html, useState} from "../vendor/preact.js";
import {request, requestAll} from "../api.js";
import {href, route, setQuery} from "../router.js";
import {describe, formFields} from "../schema.js";
import {t} from "../texts.js";
import {isSure} from "../parts/dialog.js";
import {Fields, Refusal} from "../parts/form.js";
import {plainText, titleOf} from "../parts/items.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";
import {arranged, placed} from "../parts/menu_order.js";
import {asTree} from "../parts/terms_field.js";
import {NewMenuItem} from "../parts/new_menu_item.js";
import {Tree} from "../parts/tree.js";
import Edit from "./edit.js";

export default function Menus({path}) {
  if (path[1] === "items") return html`<${Edit} path=${["menu-items", path[2]]} />`;
  if (path[1]) return html`<${Edit} path=${["menus", path[1]]} />`;
  return html`<${All} />`;
}

function All() {
  const state = useRead(async () => {
    const [menus, description] = await Promise.all([requestAll("/menus"), describe("/menus")]);
    return {menus, description};
  }, []);
  return html`<header><h1>${t("Menus")}</h1></header><${Loaded} state=${state}>${({menus, description}) => {
    const current = menus.find((menu) => String(menu.id) === route.value.query.menu) || menus[0];
    return html`
      ${menus.length > 0 && html`<div class="row end head"><label><span>${t("Menu")}</span>
        <select value=${current.id} onChange=${(event) => setQuery({menu: event.currentTarget.value})}>
          ${menus.map((menu) => html`<option key=${menu.id} value=${menu.id}>${plainText(menu.name)}</option>`)}</select></label>
        <a class="button" href=${href(`menus/${current.id}`)}>${t("Name and places of the menu")}</a></div>`}
      <div class="edit"><div>${current && html`<${Items} key=${current.id} menu=${current} />`}</div>
        <div><${NewMenu} description=${description} again=${state.again} /></div></div>`;
  }}<//>`;
}

function NewMenu({description, again}) {
  const [changes, setChanges] = useState({});
  const [error, setError] = useState(null);
  const fields = formFields(description, true);
  const submit = async (event) => {
    event.preventDefault();
    try {
      const {data} = await request("/menus", {method: "POST", body: changes});
      say(t("“%(title)s” was added.", {title: plainText(data.name)}));
      setChanges({});
      setQuery({menu: data.id});
      again();
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<form class="paper stack" onSubmit=${submit}><h2>${t("New menu")}</h2><${Refusal} error=${error} fields=${fields} />
    <${Fields} names=${["name"]} fields=${fields} values=${{}} changes=${changes} errors=${error?.params || {}} form=${{base: "menus", item: {}}}
      onChange=${(name, value) => setChanges((before) => ({...before, [name]: value}))} />
    <div class="row"><button class="main">${t("Add")}</button></div></form>`;
}

function Items({menu}) {
  const state = useRead(() => requestAll("/menu-items", {menus: menu.id, status: "publish,draft", context: "edit"}), [menu.id]);
  const put = async (item, places) => {
    try {
      for (const {id, ...place} of places) await request(`/menu-items/${id}`, {method: "POST", body: place});
      if (places.length) say(t("“%(title)s” was moved.", {title: titleOf(item)}));
    } catch (error) {
      sayError(error);
    }
    state.again();
  };
  const remove = async (item) => {
    if (!isSure(t("Delete “%(title)s” for good?", {title: titleOf(item)}))) return;
    await request(`/menu-items/${item.id}`, {method: "DELETE", query: {force: true}}).catch(sayError);
    state.again();
  };
  return html`<${Loaded} state=${state}>${(items) => html`
    ${items.length === 0 && html`<p class="paper">${t("The menu is empty.")}</p>`}
    ${items.length > 0 && html`<${Tree} items=${asTree(items)} label=${plainText(menu.name)} nameOf=${titleOf} moves=${["up", "down", "in", "out"]} isOrdered
      onMove=${(item, how) => put(item, arranged(items, item, how))}
      onDrop=${(item, target, where) => put(item, placed(items, item, target, where))}
      draw=${(item) => html`<a class="title space" href=${href(`menus/items/${item.id}`)}>${titleOf(item)}</a>
        <button type="button" class="small danger" onClick=${() => remove(item)}>${t("Delete")}<span class="hidden">: ${titleOf(item)}</span></button>`} />`}
    <${NewMenuItem} menu=${menu} position=${items.length + 1} onAdded=${state.again} />`}<//>`;
}
