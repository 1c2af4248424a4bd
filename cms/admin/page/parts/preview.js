// How an item looks: in the site's front end where it has one for previews, and plainly in a frame that runs nothing.
import {html} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {t} from "../texts.js";
import {Dialog} from "./dialog.js";
import {safeAddress} from "./item_table.js";
import {plainText} from "./items.js";
import {Loaded, useRead} from "./loading.js";

export function Preview({read, onClose}) {
  const state = useRead(() => readPreview(read), []);
  return html`<${Dialog} title=${t("Preview of what is saved")} isWide onClose=${onClose}>
    <${Loaded} state=${state}>${({item, link, frame}) => html`
      ${link && html`<p><a href=${safeAddress(link)} target="_blank" rel="noreferrer">${t("Open in the site")}</a></p>`}
      ${frame ? html`<iframe class="preview" title=${t("Preview in the site")} src=${safeAddress(frame)} sandbox="allow-scripts allow-forms"></iframe>`
        : html`<iframe class="preview" title=${t("Plain preview")} sandbox="" srcdoc=${page(item)}></iframe>`}`}<//><//>`;
}

async function readPreview(read) {
  const path = `/${read.base}/${read.id}`;
  const {data: item} = await request(path, {query: {context: "edit"}});
  const link = read.has.previewLink ? await request(`${path}/preview-link`, {method: "POST", body: {}}).then(({data}) => data, () => null) : null;
  const pattern = session.value.preview;
  const frame = pattern ? filled(pattern, item, link) : "";
  return {item, link: link?.link, frame};
}

/** Return the address of the front end's preview: the places in braces of the setting are filled in. */
function filled(pattern, item, link) {
  const values = {id: item.id, type: item.type, slug: item.slug, token: link?.token || ""};
  return pattern.replace(/\{(\w+)\}/g, (place, name) => (name in values ? encodeURIComponent(values[name]) : place));
}

/** Return a page with the rendered text; its frame has no rights, so that nothing in it runs. */
function page(item) {
  const title = plainText(item.title?.rendered).replace(/[&<]/g, (sign) => ({"&": "&amp;", "<": "&lt;"})[sign]);
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><base target="_blank"><h1>${title}</h1>${item.content?.rendered || ""}`;
}
