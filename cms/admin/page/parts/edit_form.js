// The form of an item: what was changed is held apart, sent alone, and lost by nothing but the person's own wish.
import {html, useEffect, useRef, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {go, guard, href} from "../router.js";
import {t} from "../texts.js";
import {useAutosave} from "./autosave.js";
import {Conflict} from "./conflict.js";
import {defaults, Fields, focusField, isSame, Refusal, sections} from "./form.js";
import {rawOf, titleOf} from "./items.js";
import {say, sayError} from "./messages.js";
import {SaveBar} from "./save_bar.js";
import {Earlier} from "./earlier.js";
import {hold, release} from "./waiting.js";

const HOLD_AFTER = 800;

export function EditForm({read, again, onSaved, children}) {
  const [item, setItem] = useState(read.item);
  const [etag, setEtag] = useState(read.etag);
  const [changes, setChanges] = useState(read.given);
  const [error, setError] = useState(null);
  const [theirs, setTheirs] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const isDirty = Object.keys(changes).length > 0;
  const now = useRef({});
  now.current = {changes, isDirty, isBusy, etag};
  const values = read.id ? item : {...defaults(read.fields), ...item};
  const form = {...read, item, round};
  const takeItem = (fresh, mark) => { setItem(fresh); setEtag(mark); };
  const putIn = (put) => { put(); setRound((before) => before + 1); };

  useEffect(() => guard(() => now.current.isDirty), []);
  useEffect(() => {
    if (!isDirty) return undefined;
    const waiting = setTimeout(() => hold(read, changes, etag), HOLD_AFTER);
    return () => clearTimeout(waiting);
  }, [changes, etag]);
  const autosave = useAutosave(read, now, changes, takeItem);

  const change = (name, value) => setChanges((before) => withChange(before, name, value, values, read.fields));
  const save = async (extra = {}, mark = etag, sent = {...changes, ...extra}) => {
    setBusy(true);
    setError(null);
    try {
      await saved(await send(read, sent, mark), sent);
    } catch (refused) {
      if (refused.status === 412) await openConflict(sent);
      else showRefusal(refused);
    }
    setBusy(false);
  };
  const saved = async (answer, sent) => {
    release(read.base, read.id);
    setTheirs(null);
    // What was written while the request was on its way stays a change.
    setChanges((before) => Object.fromEntries(Object.entries(before).filter(([name, value]) => !(name in sent) || !isSame(value, sent[name]))));
    saySaved(answer);
    if (!read.id) {
      now.current.isDirty = false;
      go(`${read.base}/${answer.data.id}`);
      return;
    }
    const fresh = await request(`/${read.base}/${read.id}`, {query: read.description.schema.title ? {context: "edit"} : {}}).catch(() => null);
    putIn(() => takeItem(fresh?.data || answer.data, fresh?.etag || answer.etag));
    onSaved?.(answer.data);
  };
  const showRefusal = (refused) => {
    setError(refused);
    const first = Object.keys(refused.params).find((name) => name in read.fields);
    if (first) setTimeout(() => focusField(first));
    if (refused.code === "offline") hold(read, now.current.changes, etag);
  };
  const openConflict = async (sent) => {
    const fresh = await request(`/${read.base}/${read.id}`, {query: {context: "edit"}}).catch(showRefusal);
    if (fresh) setTheirs({item: fresh.data, etag: fresh.etag, sent});
  };
  const settle = (chosen) => {
    const {item: fresh, etag: mark} = theirs;
    putIn(() => {
      takeItem(fresh, mark);
      setTheirs(null);
      setChanges(chosen);
    });
    if (Object.keys(chosen).length) save({}, mark, chosen);
    else release(read.base, read.id);
  };
  const parts = sections(read.fields, read.taxonomies, read.type);
  const given = {fields: read.fields, values, changes, errors: error?.params || {}, onChange: change, form};
  return html`
    <header><h1>${read.id ? titleOf(item) : t("New in %(list)s", {list: read.title})}</h1>
      <a href=${href(read.base)}>${t("Back to %(list)s", {list: read.title})}</a></header>
    <${Earlier} read=${read} item=${item} onTake=${(found) => putIn(() => setChanges((before) => ({...before, ...found})))} />
    <form onSubmit=${(event) => { event.preventDefault(); save(); }} noValidate
        onKeyDown=${(event) => { if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); save(); } }}>
      <${SaveBar} read=${read} item=${item} changes=${changes} isBusy=${isBusy} isDirty=${isDirty} save=${save}
        again=${again} autosave=${autosave} />
      <${Refusal} error=${error} fields=${read.fields} />
      <div class=${read.type ? "edit" : "edit single"}>
        <div>
          <section class="paper stack" aria-label=${t("Text")}><${Fields} names=${parts.main} ...${given} /></section>
          ${parts.further.length > 0 && html`<section class="paper stack" aria-label=${t("Fields")}>
            <h2>${t("Fields")}</h2><${Fields} names=${parts.further} ...${given} /></section>`}
        </div>
        ${read.type && html`<div>
          ${["publish", "terms", "looks"].filter((name) => parts[name].length).map((name) => html`
            <section class="paper stack" key=${name}><h2>${sectionTitle(name)}</h2><${Fields} names=${parts[name]} ...${given} /></section>`)}
        </div>`}
      </div>
    </form>
    ${children}
    ${theirs && html`<${Conflict} read=${read} base=${item} theirs=${theirs} onSettle=${settle} onClose=${() => setTheirs(null)} />`}`;
}

function sectionTitle(name) {
  return {publish: t("Publication"), terms: t("Terms"), looks: t("Looks and place")}[name];
}

/** Return the changes with one more; a value that is what the item has is no change. */
function withChange(changes, name, value, values, fields) {
  const next = {...changes, [name]: value};
  const now = rawOf(values[name]);
  const isBack = isSame(value, now) && name in values;
  if (isBack || (value === undefined && !(name in values))) delete next[name];
  if (value === null && fields[name]?.type === "string" && name === "date") delete next[name];
  return next;
}

/** Send the changes of an item, or a new one, as they are. Throws Refused. */
function send(read, body, etag) {
  if (!read.id) return request(`/${read.base}`, {method: "POST", body});
  return request(`/${read.base}/${read.id}`, {method: "POST", body, headers: etag ? {"If-Match": etag} : {}});
}

function saySaved(answer) {
  const ignored = answer.headers.get("X-CMS-Ignored");
  if (ignored) sayError(new Error(t("Saved, but this was passed over: %(names)s", {names: ignored})));
  else say(savedText(answer.data));
}

function savedText(item) {
  if (item.status === "publish") return t("Saved and published.");
  if (item.status === "future") return t("Saved and scheduled.");
  return t("Saved.");
}
