// Sending files, many at once, with the progress of each; they can be dropped or chosen.
import {html, useRef, useState} from "../vendor/preact.js";
import {apiAddress, refusal, Refused, session} from "../api.js";
import {t} from "../texts.js";

const AT_ONCE = 3;

/** Send one file to the library, or to another address; `onProgress` gets a part of 1. Resolves with the item; rejects with Refused. */
export function upload(file, onProgress, address = apiAddress("/media")) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", address);
    sending.setRequestHeader("X-CMS-Nonce", session.value.nonce || "");
    sending.responseType = "json";
    sending.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    sending.onload = () => {
      if (sending.status < 300) resolve(sending.response);
      else reject(refusal(sending.response, sending.status));
    };
    sending.onerror = () => reject(new Refused(t("The server can't be reached."), {code: "offline"}));
    const form = new FormData();
    form.append("file", file);
    sending.send(form);
  });
}

/** A place for files; `onDone` is called when all that were given are there, with those that arrived. */
export function Uploads({onDone}) {
  const [queue, setQueue] = useState([]);
  const [isOver, setOver] = useState(false);
  const input = useRef(null);
  const mark = (file, change) => setQueue((before) => before.map((one) => (one.file === file ? {...one, ...change} : one)));
  const take = async (files) => {
    const waiting = [...files];
    if (!waiting.length) return;
    setQueue(waiting.map((file) => ({file, part: 0, error: "", isDone: false})));
    const arrived = await sendAll(waiting, mark);
    setQueue((before) => before.filter((one) => one.error));
    onDone(arrived);
  };
  const dropped = (event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return html`<div class=${isOver ? "drop over" : "drop"} onDrop=${dropped} onDragLeave=${() => setOver(false)}
      onDragOver=${(event) => { event.preventDefault(); setOver(true); }}>
    <button type="button" onClick=${() => input.current.click()}>${t("Upload files")}</button>
    <span class="wide-only"> ${t("or drop them here")}</span>
    <input ref=${input} type="file" multiple hidden aria-label=${t("Files")}
      onChange=${(event) => { take(event.currentTarget.files); event.currentTarget.value = ""; }} />
    <div aria-live="polite">${queue.map((one) => html`<${Sent} key=${one.file.name} ...${one} />`)}</div>
  </div>`;
}

function Sent({file, part, error, isDone}) {
  if (error) return html`<p class="wrong">${file.name}: ${error}</p>`;
  if (isDone) return html`<p class="help">${t("%(name)s is there.", {name: file.name})}</p>`;
  return html`<label><span class="help">${file.name}</span><progress value=${part} max="1"></progress></label>`;
}

/** Send files, a few at a time, and return the items of those that arrived. */
async function sendAll(files, mark) {
  const waiting = [...files];
  const arrived = [];
  const work = async () => {
    while (waiting.length) {
      const file = waiting.shift();
      try {
        arrived.push(await upload(file, (part) => mark(file, {part})));
        mark(file, {isDone: true});
      } catch (error) {
        mark(file, {error: error.message});
      }
    }
  };
  await Promise.all(Array.from({length: Math.min(AT_ONCE, files.length)}, work));
  return arrived;
}
