// A new item of a menu: an address of its own, an item of content, or a term.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {taxonomies, types} from "../schema.js";
import {t} from "../texts.js";
import {useRead} from "./loading.js";
import {sayError} from "./messages.js";
import {ItemSearch} from "./relation_field.js";

export function NewMenuItem({menu, position, onAdded}) {
  const {value} = useRead(() => Promise.all([types(), taxonomies()]), []);
  const add = async (body) => {
    try {
      await request("/menu-items", {method: "POST", body: {menus: menu.id, menu_order: position, status: "publish", ...body}});
      onAdded();
    } catch (error) {
      sayError(error);
    }
  };
  if (!value) return null;
  const targets = [];
  for (const type of Object.values(value[0])) if (type.viewable && type.slug !== "attachment") targets.push({kind: "post_type", ...type});
  for (const taxonomy of Object.values(value[1])) targets.push({kind: "taxonomy", ...taxonomy});
  return html`<section class="paper stack"><h2>${t("Add to the menu")}</h2>
    <${Own} add=${add} />
    <div class="compare">${targets.map((target) => html`<div key=${target.rest_base}><label for=${`to-${target.rest_base}`}><span>${target.labels?.name || target.name}</span></label>
      <${ItemSearch} id=${`to-${target.rest_base}`} bases=${[target.rest_base]} label=${target.labels?.name || target.name}
        onChoose=${(item) => add({type: target.kind, object: target.slug, object_id: item.id})} /></div>`)}</div>
  </section>`;
}

function Own({add}) {
  const [url, setUrl] = useState("");
  const [title, setTitle] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    await add({type: "custom", url, title});
    setUrl("");
    setTitle("");
  };
  return html`<form class="row end" onSubmit=${submit}>
    <label><span>${t("Address")}</span><input type="text" inputmode="url" required value=${url} onInput=${(event) => setUrl(event.currentTarget.value)} /></label>
    <label><span>${t("Title")}</span><input required value=${title} onInput=${(event) => setTitle(event.currentTarget.value)} /></label>
    <button>${t("Add")}</button></form>`;
}
