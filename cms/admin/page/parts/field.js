// One field of a form: its label, its control by the schema, its help and what was refused about it.
import {html} from "../vendor/preact.js";
import {t} from "../texts.js";
import {labelOf} from "./labels.js";
import {Choice, ChoiceList, Line, Moment, NumberBox, RawJson, Switch, TextList} from "./controls.js";
import {Group, Repeat} from "./groups.js";
import {PictureField} from "./picture_field.js";
import {AuthorField, RelationField} from "./relation_field.js";
import {TermChoice, ZoneLine} from "./setting_controls.js";
import {TermsField} from "./terms_field.js";
import {TextField} from "./text_field.js";

/**
 * `form` says what the field belongs to: `{base, type, taxonomies, item}`; `prefix` tells the ids of its fields from those of others
 * on the screen, and names the fields around a nested one.
 */
export function Field({name, schema, value, onChange, error, form, prefix = form.prefix || "f"}) {
  const id = `${prefix}-${name}`;
  const control = controlOf(name, schema, form);
  const isGrouped = [ChoiceList, Group, Repeat, TermsField, PictureField, RelationField, TextField].includes(control);
  const help = helpOf(name, schema, form);
  const described = [help && `${id}-help`, error && `${id}-wrong`].filter(Boolean).join(" ") || undefined;
  const label = titleOfField(name, schema, form) + (schema.required ? ` ${t("(required)")}` : "");
  const given = {id, name, schema, value, onChange, form, label, error, described};
  const below = html`
    ${help && html`<p class="help" id=${`${id}-help`}>${help}</p>`}
    ${error && html`<p class="wrong" id=${`${id}-wrong`}>${error}</p>`}`;
  if (control === Switch) return html`<div class="field" data-field=${name}><${Switch} ...${given} />${below}</div>`;
  if (isGrouped) {
    return html`<fieldset class="field bare" data-field=${name} aria-describedby=${described}>
      <legend>${label}</legend><${control} ...${given} />${below}</fieldset>`;
  }
  return html`<div class=${`field ${name === "title" ? "title-field" : ""}`} data-field=${name}>
    <label for=${id}><span>${label}</span></label><${control} ...${given} />${below}</div>`;
}

/** Return what a field is called: one with terms as its taxonomy. */
function titleOfField(name, schema, form) {
  const taxonomy = form.taxonomies?.[name];
  return schema.title || taxonomy?.labels?.name || labelOf(name, schema);
}

/** What needs no explanation to people: the descriptions of these speak to programs of ids and names. */
const PLAIN = new Set(["title", "content", "excerpt", "status", "author", "featured_media", "format", "parent", "name", "roles", "alt_text"]);

function helpOf(name, schema, form) {
  if (PLAIN.has(name) || name in (form.taxonomies || {}) || schema.description === schema.title) return "";
  const description = schema.description || "";
  return description.replace(/\.$/, "") === labelOf(name, schema) ? "" : description;
}

/** Settings whose values are chosen among what only the page's other answers, or the browser, have. */
const SETTINGS = {default_category: TermChoice, timezone: ZoneLine};

/** Return the control for a field, by what the schema says of it. */
function controlOf(name, schema, form) {
  const type = [schema.type].flat().find((one) => one !== "null");
  if (name in (form.taxonomies || {}) && type === "array") return TermsField;
  if (name === "featured_media" || (type === "integer" && schema.relation?.includes("attachment"))) return PictureField;
  if (name === "author" && type === "integer") return AuthorField;
  if (type === "object") return objectControl(name, schema);
  if (type === "array") return listControl(name, schema, form);
  if (type === "boolean") return Switch;
  if (schema.enum) return Choice;
  if (form.base === "settings" && name in SETTINGS) return SETTINGS[name];
  if (leadsToItems(name, schema, form)) return RelationField;
  if (type === "integer" || type === "number") return NumberBox;
  return schema.format === "date-time" || name === "date" ? Moment : Line;
}

function objectControl(name, schema) {
  const parts = schema.properties || {};
  if ("raw" in parts || name === "content") return name === "title" ? Line : TextField;
  if (!("properties" in schema) && ["title", "excerpt", "caption", "description"].includes(name)) return name === "title" ? Line : TextField;
  return Object.keys(parts).length && !Array.isArray(parts) ? Group : RawJson;
}

function listControl(name, schema, form) {
  const items = schema.items || {};
  if (items.type === "object") return Object.keys(items.properties || {}).length ? Repeat : RawJson;
  if (items.enum) return ChoiceList;
  if (leadsToItems(name, schema, form)) return RelationField;
  return items.type === "array" ? RawJson : TextList;
}

/** Whether a number is that of an item, as the schema says or as the links of the item show. */
function leadsToItems(name, schema, form) {
  if (schema.relation || schema.items?.relation) return true;
  if (name === "parent" || (name === "post" && schema.type === "integer")) return Boolean(form.base);
  return Boolean(form.item?._links?.[`cms:${name}`]);
}
