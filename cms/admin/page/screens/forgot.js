// Asking for a link to a new password; the answer says nothing of whether there is such an account.
import {html, useState} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {t} from "../texts.js";

export function Forgot() {
  const [error, setError] = useState("");
  const [isSent, setSent] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const username = event.currentTarget.elements.username.value;
    setError("");
    try {
      await requestPage("forgot", {method: "POST", body: {username}});
      setSent(true);
    } catch (refused) {
      setError(Object.values(refused.params)[0] || refused.message);
    }
  };
  return html`<form class="sign-in stack" onSubmit=${submit}>
    <h2>${t("Forgot your password?")}</h2>
    <div role="alert">${error && html`<p class="message error">${error}</p>`}</div>
    <div role="status">${isSent && html`<p class="message">${t("If there is such an account, a mail is on its way to it. The link in it is good for an hour.")}</p>`}</div>
    ${!isSent && html`
      <p>${t("Enter the name or the e-mail address of your account. You get a mail with a link to choose a new password.")}</p>
      <label><span>${t("Username or e-mail address")}</span>
        <input name="username" autocomplete="username" autocapitalize="none" spellcheck=${false} required autofocus /></label>
      <button class="main">${t("Send the link")}</button>`}
    <a href="#/">${t("Back to signing in")}</a>
  </form>`;
}
