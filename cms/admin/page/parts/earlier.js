// What was written earlier and isn't saved: in this browser, or in the account's own autosave. It is offered, never put in by itself.
import {html, useState} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {t} from "../texts.js";
import {viewerTime} from "./dates.js";
import {isSame} from "./form.js";
import {rawOf} from "./items.js";
import {useRead} from "./loading.js";
import {held, release} from "./waiting.js";

const TEXTS = ["title", "content", "excerpt"];

export function Earlier({read, item, onTake}) {
  const [isDone, setDone] = useState(false);
  const {value: found} = useRead(() => find(read, item), []);
  if (isDone || !found) return null;
  const take = () => {
    onTake(found.changes);
    setDone(true);
  };
  const drop = () => {
    if (found.isHere) release(read.base, read.id);
    setDone(true);
  };
  const names = Object.keys(found.changes).join(", ");
  return html`<div class="message" role="status"><div>
    <p>${found.isHere
      ? t("This browser has changes of %(time)s that were not saved (%(names)s).", {time: viewerTime(found.at), names})
      : t("There is an autosave of yours of %(time)s that differs from what is saved (%(names)s).", {time: viewerTime(found.at), names})}</p>
    <div class="row"><button type="button" class="small" onClick=${take}>${t("Put them into the form")}</button>
      <button type="button" class="small" onClick=${drop}>${t("Leave them")}</button></div></div></div>`;
}

async function find(read, item) {
  const here = held(read.base, read.id);
  if (here) {
    const changes = differing(here.changes, item);
    if (Object.keys(changes).length) return {isHere: true, at: here.at, changes};
    release(read.base, read.id);
  }
  if (!read.id || !read.has.autosaves) return null;
  const {data} = await request(`/${read.base}/${read.id}/autosaves`, {query: {context: "edit"}});
  const own = data.find((one) => one.author === session.value.user.id);
  if (!own || own.modified_gmt <= item.modified_gmt) return null;
  const texts = {};
  for (const name of TEXTS) if (name in read.fields && own[name]) texts[name] = rawOf(own[name]);
  const changes = differing(texts, item);
  return Object.keys(changes).length ? {isHere: false, at: own.modified_gmt, changes} : null;
}

function differing(changes, item) {
  const found = {};
  for (const [name, value] of Object.entries(changes)) if (!isSame(value, rawOf(item[name]))) found[name] = value;
  return found;
}
