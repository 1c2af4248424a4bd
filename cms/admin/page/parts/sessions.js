// The sessions of the account: where it is signed in, and ending them.
import {html} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {signOut} from "../session.js";
import {t} from "../texts.js";
import {viewerTime} from "./dates.js";
import {Loaded, useRead} from "./loading.js";
import {say, sayError} from "./messages.js";

export function Sessions() {
  const state = useRead(async () => (await requestPage("sessions")).data, []);
  const end = async (one) => {
    const path = one ? `sessions/${one.id}` : "sessions";
    try {
      if (!one || one.current) return await signOut(path);
      await requestPage(path, {method: "DELETE"});
      say(t("Signed out there."));
      state.again();
    } catch (error) {
      sayError(error);
    }
  };
  return html`<section class="paper stack" aria-labelledby="of-sessions"><h2 id="of-sessions">${t("Where you are signed in")}</h2>
    <${Loaded} state=${state}>${(sessions) => html`
      <div class="table"><table class="narrow"><caption class="hidden">${t("Sessions")}</caption>
        <thead><tr><th scope="col">${t("Browser")}</th><th scope="col">${t("IP address")}</th><th scope="col">${t("Last used")}</th><th><span class="hidden">${t("Sign out")}</span></th></tr></thead>
        <tbody>${sessions.map((one) => html`<tr key=${one.id}>
          <td>${browserName(one.agent)}${one.current && html` <span class="state">${t("this one")}</span>`}</td>
          <td data-label=${t("IP address")}>${one.address}</td><td data-label=${t("Last used")}>${viewerTime(one.used_gmt)}</td>
          <td><button type="button" class="small" onClick=${() => end(one)}>${t("Sign out")}<span class="hidden">: ${browserName(one.agent)}</span></button></td>
        </tr>`)}</tbody></table></div>
      <div class="row"><button type="button" onClick=${() => end(null)}>${t("Sign out everywhere")}</button></div>`}<//></section>`;
}

/** Return the name of a browser and its system, as far as they say so. */
function browserName(agent = "") {
  const browser = agent.match(/(Firefox|Edg|OPR|Chrome|Safari)\/[\d]+/)?.[0] || agent.slice(0, 40);
  const system = agent.match(/Windows|Android|iPhone|iPad|Mac OS X|Linux/)?.[0] || "";
  return [browser.replace("/", " "), system].filter(Boolean).join(", ");
}
