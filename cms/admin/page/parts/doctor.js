// What is wrong with the site, and what to do about it: the findings of `cms doctor`.
import {html} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {t} from "../texts.js";
import {Loaded, useRead} from "./loading.js";

export function Doctor() {
  const state = useRead(async () => (await requestPage("doctor")).data.findings, []);
  return html`<header><h1>${t("State of the site")}</h1>
      <button type="button" disabled=${state.isLoading} onClick=${state.again}>${t("Look again")}</button></header>
    <p>${t("These are the findings of “cms doctor”. What it can repair is repaired on the server by “cms doctor --fix”.")}</p>
    <${Loaded} state=${state}>${(findings) => (findings.length === 0
      ? html`<p class="paper" role="status">${t("Nothing is wrong with the site.")}</p>`
      : html`<ul class="stack bare" aria-label=${t("Findings")}>${findings.map((one) => html`<li class="paper" key=${one.check + one.what}>
          <p><span class=${`state ${one.level === "fault" ? "bad" : ""}`}>${levelName(one.level)}</span> <code>${one.check}</code></p>
          <div lang="en" dir="ltr"><p>${one.what}</p><p class="faint">${one.advice}</p></div></li>`)}</ul>`)}<//>`;
}

function levelName(level) {
  return {fault: t("Fault"), warning: t("Warning")}[level] || level;
}
