// The second factor of the account: switching it on with an authenticator, its recovery codes, switching it off.
import {html, useState} from "../vendor/preact.js";
import {requestPage, session} from "../api.js";
import {loadSession} from "../session.js";
import {t} from "../texts.js";
import {sayError} from "./messages.js";

export function TwoFactor() {
  const [made, setMade] = useState(null);
  const [codes, setCodes] = useState(null);
  const send = async (method, body) => {
    try {
      return (await requestPage("two-factor", {method, body})).data;
    } catch (error) {
      sayError(error);
      return null;
    }
  };
  const begin = async (event) => {
    event.preventDefault();
    setMade(await send("POST", {password: event.currentTarget.elements.password.value}));
  };
  const confirm = async (event) => {
    event.preventDefault();
    const data = await send("PUT", {code: event.currentTarget.elements.code.value.trim()});
    if (!data) return;
    setCodes(data.recovery_codes || []);
    setMade(null);
    await loadSession();
  };
  const end = async (event) => {
    event.preventDefault();
    const form = event.currentTarget.elements;
    if (await send("DELETE", {password: form.password.value})) {
      setCodes(null);
      await loadSession();
    }
  };
  return html`<section class="paper stack" aria-labelledby="of-factor"><h2 id="of-factor">${t("Second factor")}</h2>
    ${codes && html`<div role="status"><p>${t("It is switched on. Write these recovery codes down: each opens the account once, and they are not shown again.")}</p>
      <ul class="code">${codes.map((code) => html`<li key=${code}>${code}</li>`)}</ul></div>`}
    ${made && html`<${Confirmation} made=${made} confirm=${confirm} />`}
    ${!made && session.value.two_factor && html`<p>${t("Signing in asks for a code of your authenticator.")}</p>
      <${PasswordForm} onSubmit=${end} label=${t("Switch off")} />`}
    ${!made && !session.value.two_factor && html`<p>${t("An authenticator app makes a code for each sign-in, so that a stolen password isn't enough.")}</p>
      <${PasswordForm} onSubmit=${begin} label=${t("Switch on")} />`}
  </section>`;
}

function PasswordForm({onSubmit, label}) {
  return html`<form class="row end" onSubmit=${onSubmit}><label><span>${t("Password")}</span>
    <input name="password" type="password" autocomplete="current-password" required /></label><button>${label}</button></form>`;
}

function Confirmation({made, confirm}) {
  return html`<form class="stack" onSubmit=${confirm}>
    <p>${t("Scan the code with your authenticator, or add the account by the address or the secret. Then enter the code that it shows.")}</p>
    <p><img class="scannable" src=${made.picture} alt=${t("QR code of the address below")} /></p>
    <p><a href=${made.uri}>${t("Open in an authenticator on this device")}</a></p>
    <p>${t("Secret")}: <code>${made.secret}</code></p>
    <div class="row end"><label><span>${t("Code")}</span><input name="code" inputmode="numeric" autocomplete="one-time-code" required /></label>
      <button class="main">${t("Switch on")}</button></div></form>`;
}
