// Fields within a field: a group of them, and entries that can be added, moved and removed.
import {html} from "../vendor/preact.js";
import {t} from "../texts.js";
import {Field} from "./field.js";

export function Group({id, schema, value, onChange, form}) {
  return html`<div class="entry"><${Parts} id=${id} properties=${schema.properties} value=${value} onChange=${onChange} form=${form} /></div>`;
}

function Parts({id, properties, value, onChange, form}) {
  const parts = value && typeof value === "object" ? value : {};
  return Object.entries(properties).filter(([, schema]) => !schema.readonly).map(([name, schema]) => html`
    <${Field} key=${name} name=${name} schema=${schema} value=${parts[name]} form=${{...form, item: null}} prefix=${id}
      onChange=${(changed) => onChange({...parts, [name]: changed})} />`);
}

export function Repeat({id, label, schema, value, onChange, form}) {
  const entries = value || [];
  const put = (index, entry) => onChange(entries.map((other, at) => (at === index ? entry : other)));
  const drop = (index) => onChange(entries.filter((_, at) => at !== index));
  const move = (index, by) => {
    const moved = [...entries];
    const [entry] = moved.splice(index, 1);
    moved.splice(index + by, 0, entry);
    onChange(moved);
  };
  return html`
    ${entries.map((entry, index) => html`<fieldset class="entry" key=${index}>
      <legend>${t("%(label)s, entry %(number)s", {label, number: index + 1})}</legend>
      <${Parts} id=${`${id}-${index}`} properties=${schema.items.properties} value=${entry} form=${form}
        onChange=${(changed) => put(index, changed)} />
      <div class="row">
        <button type="button" class="small" disabled=${index === 0} onClick=${() => move(index, -1)}>${t("Up")}</button>
        <button type="button" class="small" disabled=${index === entries.length - 1} onClick=${() => move(index, 1)}>${t("Down")}</button>
        <button type="button" class="small danger" onClick=${() => drop(index)}>${t("Remove entry")}</button>
      </div>
    </fieldset>`)}
    <button type="button" class="small" onClick=${() => onChange([...entries, {}])}>${t("Add entry")}</button>`;
}
