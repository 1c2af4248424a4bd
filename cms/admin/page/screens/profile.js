// The own account: its form, the language of the page, sessions, the second factor, and passwords of programs.
import {html} from "../vendor/preact.js";
import {session} from "../api.js";
import {t} from "../texts.js";
import {LanguageChoice} from "../parts/languages.js";
import {Sessions} from "../parts/sessions.js";
import {Tokens} from "../parts/tokens.js";
import {TwoFactor} from "../parts/two_factor.js";
import Edit from "./edit.js";

export default function Profile() {
  const {id} = session.value.user;
  return html`<${Edit} path=${["users", String(id)]}>
    <div class="stack">
      <section class="paper stack"><h2>${t("This page")}</h2><${LanguageChoice} /></section>
      <${Sessions} />
      <${TwoFactor} />
      <${Tokens} account="me" />
    </div><//>`;
}
