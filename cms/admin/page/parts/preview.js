// How an item looks, beside its form: in the site's front end where it has one for previews, else plainly in a frame that runs nothing.
import {html, useEffect, useRef} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {t} from "../texts.js";
import {safeAddress} from "./item_table.js";
import {plainText} from "./items.js";
import {Loaded, useRead} from "./loading.js";

/** How a text looks where the site has no front end for previews. */
const LOOKS = new URL("assets/preview.css", document.baseURI).href;

/** A pane that stays while the form is worked on, and is read anew after each save. */
export function Preview({read, item, onClose}) {
  const state = useRead(() => readPreview(read), [item]);
  const pane = useRef(null);
  useEffect(() => pane.current.focus(), []);
  const close = (event) => { if (event.key === "Escape") onClose(); };
  return html`<section class="preview-pane" ref=${pane} tabindex="-1" aria-label=${t("Preview of what is saved")} onKeyDown=${close}>
    <header class="row"><h2>${t("Preview of what is saved")}</h2><span class="space"></span>
      <button type="button" class="plain" onClick=${onClose} aria-label=${t("Close")}>✕</button></header>
    <${Loaded} state=${state}>${({item, link, frame, at}) => html`
      ${link && html`<p><a href=${safeAddress(link)} target="_blank" rel="noreferrer">${t("Open in the site")}</a></p>`}
      ${frame ? html`<iframe class="preview" key=${at} title=${t("Preview in the site")} src=${safeAddress(frame)} sandbox=${rightsOf(frame)}></iframe>`
        : html`<iframe class="preview" title=${t("Plain preview")} sandbox="" srcdoc=${page(item)}></iframe>`}`}<//></section>`;
}

async function readPreview(read) {
  const path = `/${read.base}/${read.id}`;
  const {data: item} = await request(path, {query: {context: "edit"}});
  const link = read.has.previewLink ? await request(`${path}/preview-link`, {method: "POST", body: {}}).then(({data}) => data, () => null) : null;
  const pattern = session.value.preview;
  const frame = pattern ? filled(pattern, item, link) : "";
  return {item, link: link?.link, frame, at: Date.now()};
}

/** What a front end may do in its frame: one of another origin may be itself, one of this could reach the page around it. */
function rightsOf(address) {
  const isOther = new URL(address, document.baseURI).origin !== location.origin;
  return `allow-scripts allow-forms${isOther ? " allow-same-origin" : ""}`;
}

/** Return the address of the front end's preview: the places in braces of the setting are filled in. */
function filled(pattern, item, link) {
  const values = {id: item.id, type: item.type, slug: item.slug, token: link?.token || ""};
  return pattern.replace(/\{(\w+)\}/g, (place, name) => (name in values ? encodeURIComponent(values[name]) : place));
}

/** Return a page with the rendered text; its frame has no rights, so that nothing in it runs. */
function page(item) {
  const title = plainText(item.title?.rendered).replace(/[&<]/g, (sign) => ({"&": "&amp;", "<": "&lt;"})[sign]);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="${LOOKS}"><base target="_blank"><h1>${title}</h1>${item.content?.rendered || ""}`;
}
