// One file: the form of what it says, the file itself, where it is used, and cropping a picture to a new file.
import {html, useRef, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {href} from "../router.js";
import {types} from "../schema.js";
import {t} from "../texts.js";
import Edit from "../screens/edit.js";
import {Crop} from "./crop.js";
import {isSure} from "./dialog.js";
import {titleOf} from "./items.js";
import {safeAddress} from "./item_table.js";
import {Loaded, useRead} from "./loading.js";
import {smallAddress} from "./media_choice.js";
import {say, sayError} from "./messages.js";
import {upload} from "./uploads.js";

export function MediaItem({id}) {
  const state = useRead(async () => (await request(`/media/${id}`)).data, [id]);
  return html`<${Edit} path=${["media", id]} onSaved=${state.again}>
    <${Loaded} state=${state}>${(media) => html`<${File} media=${media} again=${state.again} />`}<//><//>`;
}

function File({media, again}) {
  const [isCropping, setCropping] = useState(false);
  const details = media.media_details || {};
  return html`<section class="paper stack" aria-label=${t("File")}>
    <h2>${t("File")}</h2>
    ${media.media_type === "image" && html`<div class="picture"><img src=${`${smallAddress(media)}?${media.modified_gmt}`} alt=${media.alt_text || titleOf(media)} /></div>`}
    <dl>
      <dt>${t("Address")}</dt><dd><a href=${safeAddress(media.source_url)} target="_blank" rel="noreferrer">${media.source_url}</a></dd>
      <dt>${t("File type")}</dt><dd>${media.mime_type}</dd>
      ${details.width && html`<dt>${t("Size")}</dt><dd>${details.width} × ${details.height}</dd>`}
    </dl>
    ${media.media_type === "image" && details.width && html`<div class="row"><button type="button" onClick=${() => setCropping(true)}>
      ${t("Crop or rotate to a new file")}</button></div>`}
    <${Replacement} media=${media} again=${again} />
    <${Uses} media=${media} />
    ${isCropping && html`<${Crop} media=${media} onClose=${() => setCropping(false)} />`}
  </section>`;
}

/** Another file of the same type in place of this one, at its addresses. */
function Replacement({media, again}) {
  const [part, setPart] = useState(null);
  const input = useRef(null);
  const take = async (event) => {
    const [file] = event.currentTarget.files;
    if (!file || !isSure(t("Put “%(name)s” in place of this file? Everything that shows it shows the new one then.", {name: file.name}))) return;
    setPart(0);
    try {
      await upload(file, setPart, `api/media/${media.id}/file`);
      say(t("The file was replaced."));
      again();
    } catch (error) {
      sayError(error);
    }
    setPart(null);
  };
  return html`<div class="row"><button type="button" onClick=${() => input.current.click()} disabled=${part !== null}>${t("Replace the file")}</button>
    <input ref=${input} type="file" hidden accept=${media.mime_type} aria-label=${t("Another file")} onChange=${take} />
    ${part !== null && html`<progress value=${part} max="1" aria-label=${t("Replace the file")}></progress>`}</div>`;
}

/** Where the file is used: items whose text names the file, as a search finds them. */
function Uses({media}) {
  const state = useRead(() => readUses(media), [media.id]);
  return html`<h3>${t("Where its address is found")}</h3><${Loaded} state=${state}>${(items) => items.length
    ? html`<ul>${items.map((item) => html`<li key=${`${item.base} ${item.id}`}><a href=${href(`${item.base}/${item.id}`)}>${titleOf(item)}</a></li>`)}</ul>`
    : html`<p class="faint">${t("In no text that the search finds.")}</p>`}<//>`;
}

async function readUses(media) {
  const file = media.source_url.split("/").at(-1).replace(/\.\w+$/, "");
  const lists = Object.values(await types()).filter((type) => type.slug !== "attachment");
  const answers = await Promise.all(lists.map((type) =>
    request(`/${type.rest_base}`, {query: {search: `"${file}"`, status: "any", per_page: 20, _fields: "id,title"}})
      .then(({data}) => data.map((item) => ({...item, base: type.rest_base})), () => [])));
  return answers.flat();
}
