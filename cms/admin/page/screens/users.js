// The accounts: their list, the form of each, and deleting one with what it wrote going to another.
import {html, useState} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {go} from "../router.js";
import {accounts, forget} from "../schema.js";
import {t} from "../texts.js";
import {isSure} from "../parts/dialog.js";
import {useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";
import {Tokens} from "../parts/tokens.js";
import Edit from "./edit.js";
import List from "./list.js";

export default function Users({path}) {
  const id = path[1];
  if (!id) return html`<${List} path=${["users"]} />`;
  if (id === "new") return html`<${Edit} path=${path} />`;
  return html`<${Edit} path=${path} onSaved=${() => forget("accounts")}>
    <${Tokens} account=${id} />
    ${Number(id) !== session.value.user.id && html`<${Deletion} id=${Number(id)} />`}<//>`;
}

function Deletion({id}) {
  const [heir, setHeir] = useState(session.value.user.id);
  const {value: all} = useRead(accounts, []);
  const remove = async () => {
    if (!isSure(t("Delete this account for good?"))) return;
    try {
      await request(`/users/${id}`, {method: "DELETE", query: {force: true, reassign: heir}});
      say(t("The account was deleted."));
      forget("accounts");
      go("users");
    } catch (error) {
      sayError(error);
    }
  };
  return html`<section class="paper stack"><h2>${t("Delete account")}</h2>
    <div class="row end"><label><span>${t("What it wrote goes to")}</span>
      <select value=${heir} onChange=${(event) => setHeir(Number(event.currentTarget.value))}>
        ${(all || []).filter((one) => one.id !== id).map((one) => html`<option key=${one.id} value=${one.id}>${one.name}</option>`)}</select></label>
      <button type="button" class="danger" onClick=${remove}>${t("Delete account")}</button></div></section>`;
}
