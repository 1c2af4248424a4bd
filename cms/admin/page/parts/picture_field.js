// A file of the media library as the value of a field.
import {html} from "../vendor/preact.js";
import {request} from "../api.js";
import {t} from "../texts.js";
import {titleOf} from "./items.js";
import {useRead} from "./loading.js";
import {chooseMedia, smallAddress} from "./media_choice.js";

export function PictureField({value, onChange, label}) {
  const state = useRead(async () => (value ? (await request(`/media/${value}`)).data : null), [value]);
  const choose = async () => {
    const chosen = await chooseMedia();
    if (chosen) onChange(chosen.id);
  };
  const media = value ? state.value : null;
  return html`<div class="picture">
    ${media && smallAddress(media) && html`<img src=${smallAddress(media)} alt=${media.alt_text || titleOf(media)} />`}
    ${media && !smallAddress(media) && html`<p>${titleOf(media)}</p>`}
    ${Boolean(value) && state.error && html`<p class="faint">${state.error.message}</p>`}
    <div class="row">
      <button type="button" class="small" onClick=${choose}>${value ? t("Choose another") : t("Choose")}
        <span class="hidden">: ${label}</span></button>
      ${Boolean(value) && html`<button type="button" class="small" onClick=${() => onChange(0)}>${t("Remove")}
        <span class="hidden">: ${label}</span></button>`}
    </div></div>`;
}
