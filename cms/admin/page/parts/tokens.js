// Passwords of programs: made, shown once, and revoked; there where the plugin for them is.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {describe, formFields, routes} from "../schema.js";
import {t} from "../texts.js";
import {viewerTime} from "./dates.js";
import {isSure} from "./dialog.js";
import {Fields, Refusal} from "./form.js";
import {useRead} from "./loading.js";
import {say, sayError} from "./messages.js";

const ROUTE = "application-passwords";

export function Tokens({account}) {
  const path = `/users/${account}/${ROUTE}`;
  const state = useRead(async () => {
    const all = await routes();
    if (![...all].some((route) => route.endsWith(`/${ROUTE}`))) return {isThere: false};
    const [description, {data}] = await Promise.all([describe(path), request(path)]);
    return {isThere: true, tokens: data, description};
  }, [account]);
  if (!state.value?.isThere) return null;
  const {tokens, description} = state.value;
  const revoke = async (token) => {
    if (!isSure(t("Revoke “%(title)s”? The program can't sign in any more.", {title: token.name}))) return;
    try {
      await request(`${path}/${token.uuid}`, {method: "DELETE"});
      say(t("It was revoked."));
      state.again();
    } catch (error) {
      sayError(error);
    }
  };
  return html`<section class="paper stack" aria-labelledby="of-tokens"><h2 id="of-tokens">${t("Passwords of programs")}</h2>
    ${tokens.length > 0 && html`<div class="table"><table class="narrow"><caption class="hidden">${t("Passwords of programs")}</caption>
      <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Reach")}</th><th scope="col">${t("Last used")}</th><th scope="col">${t("Expires")}</th>
        <th><span class="hidden">${t("Revoke")}</span></th></tr></thead>
      <tbody>${tokens.map((token) => html`<tr key=${token.uuid}><td>${token.name}</td><td data-label=${t("Reach")}>${token.scope}</td>
        <td data-label=${t("Last used")}>${token.last_used ? viewerTime(token.last_used) : t("never")}</td>
        <td data-label=${t("Expires")}>${token.expires ? viewerTime(token.expires) : t("never")}</td>
        <td><button type="button" class="small danger" onClick=${() => revoke(token)}>${t("Revoke")}<span class="hidden">: ${token.name}</span></button></td>
      </tr>`)}</tbody></table></div>`}
    <${NewToken} path=${path} fields=${formFields(description, true)} onMade=${state.again} /></section>`;
}

function NewToken({path, fields, onMade}) {
  const [changes, setChanges] = useState({});
  const [error, setError] = useState(null);
  const [made, setMade] = useState(null);
  const names = Object.keys(fields).filter((name) => !["app_id", "user_id"].includes(name));
  const submit = async (event) => {
    event.preventDefault();
    try {
      const {data} = await request(path, {method: "POST", body: changes});
      setMade(data);
      setChanges({});
      setError(null);
      onMade();
    } catch (refused) {
      setError(refused);
    }
  };
  return html`<form class="stack" onSubmit=${submit}>
    ${made && html`<p role="status" class="message"><span>${t("The password for “%(title)s”; it is shown only now:", {title: made.name})}
      <code>${made.password}</code></span></p>`}
    <${Refusal} error=${error} fields=${fields} />
    <div class="compare"><${Fields} names=${names} fields=${fields} values=${{}} changes=${changes} errors=${error?.params || {}}
      form=${{base: "tokens", item: {}, prefix: "token"}} onChange=${(name, value) => setChanges((before) => ({...before, [name]: value}))} /></div>
    <div class="row"><button>${t("Make a password")}</button></div></form>`;
}
