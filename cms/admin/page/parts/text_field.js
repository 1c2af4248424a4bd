// A text with HTML. The editor is a slot: the module that a plugin brings or the schema names, else that of the page, else a plain box.
import {html, useEffect, useLayoutEffect, useRef, useState} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {t} from "../texts.js";
import {chooseMedia} from "./media_choice.js";
import {rawOf} from "./items.js";

const OWN_EDITOR = "../editor/editor.js";

export function TextField(given) {
  const {name, schema} = given;
  const hasEditor = name === "content" || schema.editor;
  return hasEditor ? html`<${Slot} ...${given} />` : html`<${Box} ...${given} />`;
}

function Box({id, label, name, value, onChange, error, described}) {
  return html`<textarea id=${id} class=${name === "content" ? "text" : ""} aria-label=${label} aria-invalid=${error ? "true" : undefined}
    aria-describedby=${described} dir="auto" value=${rawOf(value) ?? ""} onInput=${(event) => onChange(event.currentTarget.value)}></textarea>`;
}

function Slot(given) {
  const {label, schema, value, onChange, form} = given;
  const place = useRef(null);
  const editor = useRef(null);
  const written = useRef(null);
  const [isPlain, setPlain] = useState(false);
  const text = rawOf(value) ?? "";
  const changed = useRef(onChange);
  changed.current = onChange;
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    let isGone = false;
    written.current = text;
    mount(place.current, editorAddress(given), {
      value: text,
      type: form.type?.slug,
      label,
      t,
      request,
      chooseMedia,
      onChange(now) {
        written.current = now;
        changed.current(now);
      },
    }).then((made) => {
      if (isGone) return made.destroy();
      editor.current = made;
      if (latest.current !== text) made.setValue(latest.current);
      return undefined;
    }, () => setPlain(true));
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);
  // Only what comes from outside is put in: what is typed comes back late, when more may be typed already.
  useLayoutEffect(() => {
    if (text === written.current || !editor.current) return;
    written.current = text;
    editor.current.setValue(text);
  }, [form.round]);
  if (isPlain) return html`<${Box} ...${given} />`;
  return html`<div class="editor" ref=${place}></div>`;
}

/** An editor of a plugin must come from the site itself, as the page's policy wants it anyway. */
function editorAddress({name, schema, form}) {
  const named = schema.editor || (name === "content" && session.value.editors?.[form.type?.slug]);
  if (!named) return OWN_EDITOR;
  const address = new URL(named, document.baseURI);
  return address.origin === location.origin ? address.href : OWN_EDITOR;
}

/** Load the looks of the page's own editor, once. */
function loadLooks() {
  if (document.querySelector("link[data-editor]")) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "assets/editor/editor.css";
  link.dataset.editor = "";
  document.head.append(link);
}

async function mount(place, address, options) {
  if (address === OWN_EDITOR) loadLooks();
  const {mountEditor} = await import(address);
  return await mountEditor(place, options);
}
