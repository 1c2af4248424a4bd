// The settings of the site, by their schema.
import {html, useEffect, useRef, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {guard} from "../router.js";
import {describe, formFields} from "../schema.js";
import {t} from "../texts.js";
import {Fields, focusField, isSame, Refusal} from "../parts/form.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say} from "../parts/messages.js";
import {settingSections} from "../parts/setting_sections.js";

export default function Settings() {
  const state = useRead(async () => {
    const [description, {data}] = await Promise.all([describe("/settings"), request("/settings")]);
    return {fields: formFields(description, false), values: data};
  }, []);
  return html`<header><h1>${t("Settings")}</h1></header>
    <${Loaded} state=${state}>${(read) => html`<${Form} ...${read} />`}<//>`;
}

function Form({fields, values: first}) {
  const [values, setValues] = useState(first);
  const [changes, setChanges] = useState({});
  const [error, setError] = useState(null);
  const isDirty = useRef(false);
  isDirty.current = Object.keys(changes).length > 0;
  useEffect(() => guard(() => isDirty.current), []);
  const change = (name, value) => setChanges((before) => {
    const {[name]: _, ...others} = before;
    return isSame(value, values[name]) ? others : {...others, [name]: value};
  });
  const submit = async (event) => {
    event.preventDefault();
    try {
      const {data} = await request("/settings", {method: "POST", body: changes});
      setValues(data);
      setChanges({});
      setError(null);
      say(t("The settings were saved."));
    } catch (refused) {
      setError(refused);
      const name = Object.keys(refused.params).find((one) => one in fields);
      if (name) setTimeout(() => focusField(name));
    }
  };
  const parts = settingSections(fields);
  return html`<form class="stack" onSubmit=${submit} noValidate>
    <${Refusal} error=${error} fields=${fields} />
    ${parts.map((part) => html`<section class="paper stack" key=${part.id} aria-labelledby=${`section-${part.id}`}>
      <h2 id=${`section-${part.id}`}>${part.title}</h2>
      <${Fields} names=${part.names} fields=${fields} values=${values} changes=${changes} errors=${error?.params || {}}
        onChange=${change} form=${{base: "settings", item: {}}} /></section>`)}
    <div class="row save-bar below"><button class="main" disabled=${!isDirty.current}>${t("Save")}</button></div></form>`;
}
