// The choice of the page's language among those that the site has.
import {html} from "../vendor/preact.js";
import {session} from "../api.js";
import {chooseLanguage} from "../session.js";
import {hasUnsaved} from "../router.js";
import {forgetDescriptions} from "../schema.js";
import {language, languageRound, loadTexts, t} from "../texts.js";

export function LanguageChoice() {
  const languages = session.value.languages || [];
  if (languages.length < 2) return null;
  const choose = async (code) => {
    chooseLanguage(code);
    forgetDescriptions();
    await loadTexts(code);
    if (!hasUnsaved()) languageRound.value += 1;
  };
  return html`<label class="languages"><span>${t("Language of this page")}</span>
    <select value=${language.value} onChange=${(event) => choose(event.currentTarget.value)}>
      ${languages.map((one) => html`<option key=${one.code} value=${one.code} lang=${one.code.replace("_", "-")}>
        ${one.name}</option>`)}
    </select></label>`;
}
