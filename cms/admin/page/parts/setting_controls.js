// Controls of settings: the category of posts without one, and a time zone.
import {html} from "../vendor/preact.js";
import {t} from "../texts.js";
import {forget, termsOf} from "../schema.js";
import {useRead} from "./loading.js";

export function TermChoice({id, value, onChange, described}) {
  const {value: found} = useRead(readCategories, []);
  const terms = found || [];
  const isKnown = terms.some((term) => term.id === value);
  return html`<select id=${id} aria-describedby=${described} value=${value ?? ""} onChange=${(event) => onChange(Number(event.currentTarget.value))}>
    ${!isKnown && html`<option value=${value ?? ""}>${value ? t("Item %(id)s", {id: value}) : t("(none)")}</option>`}
    ${terms.map((term) => html`<option key=${term.id} value=${term.id}>${term.name}</option>`)}
  </select>`;
}

function readCategories() {
  forget("terms categories");
  return termsOf("categories");
}

/** A line that proposes the zones that the browser knows; the site may know others. */
export function ZoneLine({id, value, onChange, error, described}) {
  const zones = ["UTC", ...Intl.supportedValuesOf?.("timeZone") || []];
  return html`<input id=${id} type="text" list=${`${id}-zones`} value=${value || ""} autocomplete="off" aria-describedby=${described}
      aria-invalid=${error ? "true" : undefined} onInput=${(event) => onChange(event.currentTarget.value)} />
    <datalist id=${`${id}-zones`}>${zones.map((zone) => html`<option key=${zone} value=${zone} />`)}</datalist>`;
}
