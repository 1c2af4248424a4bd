// Signing in, with a second step where the account has a second factor.
import {html, useEffect, useRef, useState} from "../vendor/preact.js";
import {session} from "../api.js";
import {signIn} from "../session.js";
import {t} from "../texts.js";
import {Dialog} from "../parts/dialog.js";

export function SignIn({login = "", isAgain = false}) {
  const [isSecond, setSecond] = useState(false);
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const code = useRef(null);
  useEffect(() => { if (isSecond) code.current?.focus(); }, [isSecond]);
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget.elements;
    setBusy(true);
    setError("");
    try {
      await signIn(form.username.value, form.password.value, form.code?.value.trim());
    } catch (refused) {
      if (refused.code === "cms_second_factor_required" && !isSecond) setSecond(true);
      else setError(refused.message);
      setBusy(false);
    }
  };
  return html`<form class="sign-in stack" onSubmit=${submit}>
    ${!isAgain && html`<h2>${t("Sign in")}</h2>`}
    <div role="alert">${error && html`<p class="message error">${error}</p>`}</div>
    <label><span>${t("Username or e-mail address")}</span>
      <input name="username" autocomplete="username" autocapitalize="none" spellcheck=${false} required
        defaultValue=${login} readonly=${isAgain} autofocus=${!isAgain} /></label>
    <label><span>${t("Password")}</span>
      <input name="password" type="password" autocomplete="current-password" required autofocus=${isAgain} /></label>
    ${isSecond && html`<label><span>${t("Code of your authenticator, or a recovery code")}</span>
      <input name="code" ref=${code} autocomplete="one-time-code" autocapitalize="none" required /></label>`}
    <button class="main" disabled=${isBusy}>${t("Sign in")}</button>
    ${!isAgain && session.value.sends_mail && html`<a href="#/forgot">${t("Forgot your password?")}</a>`}
  </form>`;
}

/** The sign-in over a page whose session has ended, so that nothing in it is lost. */
export function SignInDialog() {
  const login = session.value.user?.username || "";
  return html`<${Dialog} title=${t("You were signed out. Sign in to go on.")} onClose=${() => {}}>
    <${SignIn} login=${login} isAgain=${true} /><//>`;
}
