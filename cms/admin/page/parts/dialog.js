// Dialogs over the page, and asking before what can't be undone.
import {html, useEffect, useRef, useId} from "../vendor/preact.js";
import {t} from "../texts.js";

/** A modal dialog; the browser holds the focus in it and gives it back, `onClose` follows Escape too. */
export function Dialog({title, onClose, children, isWide}) {
  const place = useRef(null);
  const name = useId();
  useEffect(() => {
    const element = place.current;
    element.showModal();
    return () => element.close();
  }, []);
  return html`<dialog ref=${place} class=${isWide ? "wide" : ""} aria-labelledby=${name}
      onCancel=${(event) => { event.preventDefault(); onClose(); }}>
    <header>
      <h2 id=${name}>${title}</h2>
      <button type="button" class="plain" onClick=${onClose} aria-label=${t("Close")}>✕</button>
    </header>
    ${children}
  </dialog>`;
}

/** Ask whether to do what can't be undone. */
export function isSure(question) {
  return window.confirm(question);
}
