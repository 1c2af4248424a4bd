// The media library in rows: what each file is called and says, and deleting several at once.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {href} from "../router.js";
import {t} from "../texts.js";
import {siteTime} from "./dates.js";
import {isSure} from "./dialog.js";
import {byteText, titleOf} from "./items.js";
import {smallAddress} from "./media_choice.js";
import {say, sayError} from "./messages.js";

export function MediaRows({items, again, mayDelete}) {
  const [selected, setSelected] = useState([]);
  const toggle = (id, isOn) => setSelected(isOn ? [...selected, id] : selected.filter((one) => one !== id));
  const remove = async () => {
    if (!isSure(t("Delete %(number)s items for good?", {number: selected.length}))) return;
    try {
      for (const id of selected) await request(`/media/${id}`, {method: "DELETE", query: {force: true}});
      say(t("%(number)s items were changed.", {number: selected.length}));
    } catch (error) {
      sayError(error);
    }
    setSelected([]);
    again();
  };
  return html`
    ${mayDelete && html`<div class="row head" role="group" aria-label=${t("With the selected")}>
      <button type="button" class="small danger" disabled=${!selected.length} onClick=${remove}>${t("Delete for good")}</button>
      <span role="status" class="faint">${selected.length > 0 && t("%(number)s selected", {number: selected.length})}</span></div>`}
    <div class="table"><table class="narrow"><caption class="hidden">${t("Media")}</caption>
      <thead><tr><th class="pick" scope="col"><input type="checkbox" aria-label=${t("Select all")} checked=${selected.length === items.length}
          onChange=${(event) => setSelected(event.currentTarget.checked ? items.map((item) => item.id) : [])} /></th>
        ${[t("File"), t("Alternative text"), t("File type"), t("Size"), t("Date")].map((label) => html`<th scope="col" key=${label}>${label}</th>`)}</tr></thead>
      <tbody>${items.map((media) => html`<${Row} key=${media.id} media=${media} isSelected=${selected.includes(media.id)}
        onSelect=${(isOn) => toggle(media.id, isOn)} />`)}</tbody></table></div>`;
}

function Row({media, isSelected, onSelect}) {
  const title = titleOf(media);
  const details = media.media_details || {};
  return html`<tr aria-selected=${isSelected}>
    <td class="pick"><input type="checkbox" aria-label=${t("Select %(title)s", {title})} checked=${isSelected}
      onChange=${(event) => onSelect(event.currentTarget.checked)} /></td>
    <td><a class="title row" href=${href(`media/${media.id}`)}>${smallAddress(media) && html`<img class="small-picture" src=${smallAddress(media)} alt="" loading="lazy" />`}
      <span>${title}</span></a></td>
    <td data-label=${t("Alternative text")}>${media.media_type === "image" && !media.alt_text ? html`<span class="state bad">${t("missing")}</span>` : media.alt_text}</td>
    <td data-label=${t("File type")}>${media.mime_type}</td>
    <td data-label=${t("Size")}>${details.filesize ? byteText(details.filesize) : ""}${details.width ? html` <span class="faint">${details.width} × ${details.height}</span>` : ""}</td>
    <td data-label=${t("Date")}>${siteTime(media.date_gmt)}</td></tr>`;
}
