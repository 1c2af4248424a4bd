// The controls of single values: lines, numbers, moments, choices, and what has no form of its own as JSON.
import {html, useState} from "../vendor/preact.js";
import {session} from "../api.js";
import {t} from "../texts.js";
import {fromSiteTime, siteTime, siteZone, viewerTime, viewerZone} from "./dates.js";
import {rawOf} from "./items.js";
import {roleName, spelled, stateName} from "./labels.js";

const TYPES = {email: "email", "hex-color": "color", date: "date", time: "time"};
const LONG = 1000;

function common({id, error, described, schema}) {
  return {id, "aria-invalid": error ? "true" : undefined, "aria-describedby": described, "aria-required": schema.required || undefined};
}

export function Line(given) {
  const {name, schema, value, onChange} = given;
  const text = rawOf(value) ?? "";
  const changed = (event) => onChange(event.currentTarget.value);
  if (schema.maxLength > LONG && !schema.format || name === "description") {
    return html`<textarea ...${common(given)} value=${text} onInput=${changed}></textarea>`;
  }
  const isSecret = name === "password" && !("raw" in (schema.properties || {}));
  const type = TYPES[schema.format] || (isSecret && !given.form.type ? "password" : "text");
  return html`<input ...${common(given)} type=${type} value=${text} maxlength=${schema.maxLength} onInput=${changed}
    autocomplete=${isSecret ? "new-password" : "off"} dir="auto" />`;
}

export function NumberBox(given) {
  const {schema, value, onChange} = given;
  const changed = (event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value));
  return html`<input ...${common(given)} type="number" value=${value ?? ""} min=${schema.minimum} max=${schema.maximum}
    step=${[schema.type].flat().includes("integer") ? 1 : "any"} onInput=${changed} />`;
}

/** A moment in the site's time zone; both zones are named where they differ. */
export function Moment(given) {
  const {name, value, onChange} = given;
  const changed = (event) => onChange(event.currentTarget.value ? `${event.currentTarget.value}:00`.slice(0, 19) : null);
  const moment = value ? new Date(fromSiteTime(value)).toISOString() : "";
  const isInGmt = name.endsWith("_gmt");
  return html`<input ...${common(given)} type="datetime-local" value=${(value || "").slice(0, 16)} onInput=${changed} />
    ${value && !isInGmt && html`<p class="help">
      ${t("Time of the site (%(zone)s): %(time)s", {zone: siteZone(), time: siteTime(moment)})}
      ${viewerZone() !== siteZone() && html`<br />${t("Your time (%(zone)s): %(time)s", {zone: viewerZone(), time: viewerTime(moment)})}`}
    </p>`}`;
}

export function Switch(given) {
  const {label, value, onChange} = given;
  return html`<label class="check"><input ...${common(given)} type="checkbox" checked=${Boolean(value)}
    onChange=${(event) => onChange(event.currentTarget.checked)} /><span>${label}</span></label>`;
}

export function Choice(given) {
  const {name, schema, value, onChange, form} = given;
  const values = schema.enum.includes(value) || value === undefined || value === null ? schema.enum : [value, ...schema.enum];
  const isNumber = [schema.type].flat().some((type) => type === "integer" || type === "number");
  const changed = ({currentTarget: {value: chosen}}) => onChange(isNumber && chosen !== "" ? Number(chosen) : chosen);
  const hasEmpty = values.includes("");
  return html`<select ...${common(given)} value=${value ?? ""} onChange=${changed}>
    ${!hasEmpty && (value === undefined || value === null) && html`<option value="">${t("(not chosen)")}</option>`}
    ${values.filter((one) => one !== null).map((one) => html`<option key=${one} value=${one}>
      ${valueName(name, one, schema, form)}</option>`)}
  </select>`;
}

/** Return what a value of an enumeration is called. */
export function valueName(name, value, schema, form = {}) {
  const label = schema.enumNames?.[schema.enum.indexOf(value)];
  if (label) return label;
  if (value === "") return t("(none)");
  if (name === "roles") return roleName(value);
  const spoken = ["language", "locale"].includes(name) && (session.value.languages || []).find((one) => one.code === value);
  if (spoken) return spoken.name;
  return name === "status" ? stateName(value, form.statuses) : spelled(value);
}

export function ChoiceList({id, name, schema, value, onChange, form}) {
  const chosen = value || [];
  const toggle = (one, isOn) => onChange(isOn ? [...chosen, one] : chosen.filter((other) => other !== one));
  return html`${schema.items.enum.map((one) => html`<label class="check" key=${one}>
    <input type="checkbox" id=${`${id}-${one}`} checked=${chosen.includes(one)}
      onChange=${(event) => toggle(one, event.currentTarget.checked)} />
    <span>${valueName(name, one, schema.items, form)}</span></label>`)}`;
}

/** A list of texts or numbers, one a line. */
export function TextList(given) {
  const {id, label, schema, value, onChange} = given;
  const [text, setText] = useState((value || []).join("\n"));
  const isNumber = ["integer", "number"].includes(schema.items?.type);
  const changed = (event) => {
    setText(event.currentTarget.value);
    const lines = event.currentTarget.value.split("\n").map((line) => line.trim()).filter(Boolean);
    onChange(isNumber ? lines.map(Number) : lines);
  };
  return html`<textarea ...${common(given)} value=${text} onInput=${changed}></textarea>
    <p class="help">${t("One a line.")}</p>`;
}

/** A value without a form of its own, as JSON; what can't be read isn't taken and says so. */
export function RawJson(given) {
  const {value, onChange} = given;
  const [text, setText] = useState(() => JSON.stringify(value ?? {}, null, 2));
  const [isWrong, setWrong] = useState(false);
  const changed = (event) => {
    setText(event.currentTarget.value);
    try {
      onChange(JSON.parse(event.currentTarget.value));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return html`<textarea ...${common(given)} class="code" value=${text} onInput=${changed} spellcheck=${false} dir="ltr"></textarea>
    ${isWrong && html`<p class="wrong" role="alert">${t("This can't be read as JSON.")}</p>`}`;
}
