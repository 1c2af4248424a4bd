// A new password, by the link that was sent or printed for the account.
import {html, useState} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {go, route} from "../router.js";
import {t} from "../texts.js";
import {say} from "../parts/messages.js";

export function Reset() {
  const [error, setError] = useState("");
  const token = route.value.path[1] || "";
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget.elements;
    if (form.password.value !== form.again.value) {
      setError(t("The two passwords differ."));
      return;
    }
    try {
      await requestPage("reset", {method: "POST", body: {token, password: form.password.value}});
      say(t("The password was changed. Sign in with it."));
      go("");
    } catch (refused) {
      setError(Object.values(refused.params)[0] || refused.message);
    }
  };
  return html`<form class="sign-in stack" onSubmit=${submit}>
    <h2>${t("Choose a new password")}</h2>
    <div role="alert">${error && html`<p class="message error">${error}</p>`}</div>
    <label><span>${t("New password")}</span>
      <input name="password" type="password" autocomplete="new-password" required autofocus /></label>
    <label><span>${t("The same again")}</span>
      <input name="again" type="password" autocomplete="new-password" required /></label>
    <button class="main">${t("Change password")}</button>
    <a href="#/">${t("Sign in")}</a>
  </form>`;
}
