// The backups of the site: which there are, and making one; bringing one back is done on the server.
import {html, useEffect} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {t} from "../texts.js";
import {viewerTime} from "./dates.js";
import {byteText} from "./items.js";
import {Loaded, useRead} from "./loading.js";
import {say, sayError} from "./messages.js";

const LOOK_AFTER = 1500;

export function Backups() {
  const state = useRead(async () => (await requestPage("backups")).data, []);
  const isRunning = Boolean(state.value?.is_running);
  useEffect(() => {
    if (!isRunning) return undefined;
    const waiting = setTimeout(state.again, LOOK_AFTER);
    return () => clearTimeout(waiting);
  }, [state.value]);
  const make = async () => {
    try {
      await requestPage("backups", {method: "POST", body: {}});
      say(t("The backup is being made."));
    } catch (error) {
      sayError(error);
    }
    state.again();
  };
  return html`<header><h1>${t("Backups")}</h1>
      <button type="button" class="main" disabled=${isRunning || !state.value} onClick=${make}>${t("Make a backup")}</button></header>
    <${Loaded} state=${state}>${(read) => html`<${Archives} read=${read} />`}<//>`;
}

function Archives({read}) {
  return html`
    <p>${t("They lie in %(folder)s on the server, and are brought back there by “cms restore”.", {folder: read.folder})}
      ${" "}${read.hours > 0 && t("One is made every %(hours)s hours.", {hours: read.hours})}</p>
    <div role="status">${read.is_running && html`<p class="paper">${t("The backup is being made.")}</p>`}</div>
    ${read.fault && html`<p class="message error" role="alert"><span>${t("The last one could not be made:")} <span lang="en" dir="ltr">${read.fault}</span></span></p>`}
    ${read.backups.length === 0 ? html`<p class="paper">${t("There is no backup yet.")}</p>` : html`<div class="table"><table class="narrow">
      <caption class="hidden">${t("Backups")}</caption>
      <thead><tr><th scope="col">${t("File")}</th><th scope="col">${t("Made")}</th><th scope="col">${t("Size")}</th></tr></thead>
      <tbody>${read.backups.map((one) => html`<tr key=${one.file}><td><code>${one.file}</code>
          ${one.fault && html`<p class="wrong" lang="en" dir="ltr">${one.fault}</p>`}</td>
        <td data-label=${t("Made")}>${viewerTime(one.made_gmt)}</td><td data-label=${t("Size")}>${byteText(one.bytes)}</td></tr>`)}</tbody></table></div>`}`;
}
