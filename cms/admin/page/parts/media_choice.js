// Choosing a file of the media library in a dialog, for fields and for the editor of texts.
import {html, signal, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {t} from "../texts.js";
import {Dialog} from "./dialog.js";
import {titleOf} from "./items.js";
import {Loaded, useRead} from "./loading.js";
import {Uploads} from "./uploads.js";

const asked = signal(null);
const SHOWN = 24;

/** Let the person choose a file; resolves with it, or with null where the dialog was closed. `kind` is a media type. */
export function chooseMedia({kind = ""} = {}) {
  return new Promise((resolve) => {
    asked.value = {kind, answer(media) {
      asked.value = null;
      resolve(media);
    }};
  });
}

/** The dialog that `chooseMedia` opens; it stands once in the frame. */
export function MediaChoice() {
  const question = asked.value;
  if (!question) return null;
  return html`<${Dialog} title=${t("Choose a file")} isWide onClose=${() => question.answer(null)}>
    <${Choosing} question=${question} /><//>`;
}

function Choosing({question}) {
  const [words, setWords] = useState("");
  const [page, setPage] = useState(1);
  const [unnamed, setUnnamed] = useState(null);
  const state = useRead(() => readPage(words, page, question.kind), [words, page]);
  const choose = (media) => {
    if (media.media_type === "image" && !media.alt_text) setUnnamed(media);
    else question.answer(media);
  };
  if (unnamed) return html`<${AltText} media=${unnamed} answer=${question.answer} />`;
  return html`
    <${Uploads} onDone=${() => { setPage(1); state.again(); }} />
    <label><span>${t("Search")}</span>
      <input type="search" value=${words} onInput=${(event) => { setPage(1); setWords(event.currentTarget.value); }} /></label>
    <${Loaded} state=${state}>${({items, pages}) => html`
      ${items.length === 0 && html`<p>${t("Nothing found.")}</p>`}
      <ul class="grid">${items.map((media) => html`<li key=${media.id}><${Tile} media=${media} onClick=${() => choose(media)} /></li>`)}</ul>
      ${pages > 1 && html`<div class="pages">
        <button type="button" disabled=${page === 1} onClick=${() => setPage(page - 1)}>${t("Back")}</button>
        <span>${t("Page %(page)s of %(pages)s", {page, pages})}</span>
        <button type="button" disabled=${page === pages} onClick=${() => setPage(page + 1)}>${t("Next")}</button></div>`}`}<//>`;
}

async function readPage(search, page, kind) {
  const {data, headers} = await request("/media", {query: {search, page, media_type: kind, per_page: SHOWN}});
  return {items: data, pages: Number(headers.get("X-WP-TotalPages") || 1)};
}

/** Ask for what a picture shows, before it goes into a text. */
function AltText({media, answer}) {
  const [text, setText] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    if (!text.trim()) return answer({...media, wasAsked: true});
    const saved = await request(`/media/${media.id}`, {method: "POST", body: {alt_text: text}}).catch(() => null);
    return answer(saved ? saved.data : {...media, alt_text: text});
  };
  return html`<form class="stack" onSubmit=${submit}>
    ${smallAddress(media) && html`<div class="picture"><img src=${smallAddress(media)} alt="" /></div>`}
    <label><span>${t("What does the picture show?")}</span>
      <input value=${text} onInput=${(event) => setText(event.currentTarget.value)} autofocus /></label>
    <p class="help">${t("People who can't see it are read this. Leave it empty for a picture that only decorates.")}</p>
    <div class="row"><button class="main">${t("Choose")}</button></div>
  </form>`;
}

/** A file as a tile: a button where `onClick` is given, else a link. */
export function Tile({media, onClick, address}) {
  const inside = html`<span class="pic">${smallAddress(media)
    ? html`<img src=${smallAddress(media)} alt=${media.alt_text || ""} loading="lazy" />`
    : html`<span>${media.mime_type}</span>`}</span><span>${titleOf(media)}</span>`;
  if (onClick) return html`<button type="button" class="tile" onClick=${onClick}>${inside}</button>`;
  return html`<a class="tile" href=${address}>${inside}</a>`;
}

/** Return the address of a small picture of a file, nothing where it is none. */
export function smallAddress(media) {
  if (media.media_type !== "image") return "";
  const sizes = media.media_details?.sizes || {};
  const size = sizes.medium || sizes.thumbnail || sizes.full;
  return size?.source_url || media.source_url || "";
}

