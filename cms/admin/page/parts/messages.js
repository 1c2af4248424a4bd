// Messages of the page: what was done, and what was refused, read out by screen readers.
import {html, signal} from "../vendor/preact.js";
import {isOffline} from "../api.js";
import {t} from "../texts.js";

const messages = signal([]);
let last = 0;

/** Show a message; an error stays until it is closed or another message comes. */
export function say(text, kind = "done") {
  last += 1;
  const message = {id: last, text, kind};
  messages.value = [message];
  if (kind === "done") setTimeout(() => close(message.id), 6000);
}

/** Show why something was refused. */
export function sayError(error) {
  if (error.name === "AbortError") return;
  say(error.message, "error");
}

function close(id) {
  messages.value = messages.value.filter((message) => message.id !== id);
}

export function Messages() {
  const done = messages.value.filter((message) => message.kind === "done");
  const errors = messages.value.filter((message) => message.kind === "error");
  return html`<div class="messages">
    <div role="status" aria-live="polite">
      ${isOffline.value && html`<p class="message offline">
        ${t("The server can't be reached. What you write is stored in this browser until it can be.")}</p>`}
      ${done.map((message) => html`<${Message} key=${message.id} message=${message} />`)}
    </div>
    <div role="alert">${errors.map((message) => html`<${Message} key=${message.id} message=${message} />`)}</div>
  </div>`;
}

function Message({message}) {
  return html`<p class=${`message ${message.kind}`}>
    <span>${message.text}</span>
    <button type="button" class="plain" onClick=${() => close(message.id)} aria-label=${t("Close message")}>✕</button>
  </p>`;
}
