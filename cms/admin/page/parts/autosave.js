// Saving what is being written now and then, into the account's own autosave; the form is never changed by it.
import {useEffect, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {t} from "../texts.js";
import {isSame} from "./form.js";
import {rawOf} from "./items.js";

const TEXTS = ["title", "content", "excerpt"];
const AFTER = 10000;

/** Save the texts some seconds after the last change; returns what to say about it. */
export function useAutosave(read, now, changes, takeItem) {
  const [said, setSaid] = useState("");
  const texts = JSON.stringify(TEXTS.filter((name) => name in changes).map((name) => [name, changes[name]]));
  useEffect(() => {
    if (!read.id || !read.has.autosaves || texts === "[]") return undefined;
    const waiting = setTimeout(async () => {
      if (now.current.isBusy) return;
      setSaid(await autosave(read, Object.fromEntries(JSON.parse(texts)), takeItem));
    }, AFTER);
    return () => clearTimeout(waiting);
  }, [texts]);
  return said;
}

async function autosave(read, texts, takeItem) {
  const path = `/${read.base}/${read.id}`;
  try {
    const {data} = await request(`${path}/autosaves`, {method: "POST", body: texts});
    if (data.id === read.id) await followOwnDraft(path, texts, takeItem);
    return t("autosaved at %(time)s", {time: new Date().toLocaleTimeString()});
  } catch (error) {
    return error.code === "offline" ? t("stored in this browser") : "";
  }
}

/** Of the account's own draft the item itself was saved: go on from there, unless somebody else's texts are there by now. */
async function followOwnDraft(path, texts, takeItem) {
  const {data, etag} = await request(path, {query: {context: "edit"}});
  const isOurs = Object.entries(texts).every(([name, text]) => isSame(rawOf(data[name]), text));
  if (isOurs) takeItem(data, etag);
}
