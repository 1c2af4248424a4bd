// The plugins of the site, and what else stands ready below the API.
import {html} from "../vendor/preact.js";
import {session} from "../api.js";
import {t} from "../texts.js";
import {spelled} from "../parts/labels.js";

export default function Plugins() {
  const plugins = session.value.plugins || [];
  return html`<header><h1>${t("Plugins")}</h1></header>
    <p>${t("Plugins are switched on and off in the site's configuration, on the server.")}</p>
    ${plugins.length === 0 ? html`<p class="paper">${t("No plugin is loaded.")}</p>` : html`<div class="table"><table>
      <caption class="hidden">${t("Plugins")}</caption>
      <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Module")}</th></tr></thead>
      <tbody>${plugins.map((plugin) => html`<tr key=${plugin}><td>${spelled(plugin)}</td><td><code>${plugin}</code></td></tr>`)}</tbody></table></div>`}`;
}
