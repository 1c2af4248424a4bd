// Changing an item in its row of the list: title, name in addresses, state, date and terms.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {formFields} from "../schema.js";
import {t} from "../texts.js";
import {Fields, Refusal} from "./form.js";
import {titleOf} from "./items.js";
import {say} from "./messages.js";

const QUICK = ["title", "slug", "status", "date", "sticky"];

export function QuickEdit({list, item, onClose}) {
  const [changes, setChanges] = useState({});
  const [error, setError] = useState(null);
  const fields = formFields(list.description, true);
  const names = [...QUICK, ...Object.keys(list.taxonomies)].filter((name) => name in fields);
  const form = {...list, item, prefix: "quick"};
  const submit = async (event) => {
    event.preventDefault();
    try {
      await request(`/${list.base}/${item.id}`, {method: "POST", body: changes});
      say(t("“%(title)s” was saved.", {title: titleOf(item)}));
      onClose(true);
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<form class="stack" onSubmit=${submit} aria-label=${t("Quick edit of %(title)s", {title: titleOf(item)})}
      onKeyDown=${(event) => event.key === "Escape" && onClose(false)}>
    <${Refusal} error=${error} fields=${fields} />
    <div class="compare"><${Fields} names=${names} fields=${fields} values=${item} changes=${changes} form=${form}
      errors=${error?.params || {}} onChange=${(name, value) => setChanges((before) => ({...before, [name]: value}))} /></div>
    <div class="row"><button class="main">${t("Save")}</button>
      <button type="button" onClick=${() => onClose(false)}>${t("Cancel")}</button></div>
  </form>`;
}
