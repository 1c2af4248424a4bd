// Events that plugins, or those whom plugins tell of them, haven't taken yet: trying again, or giving them up.
import {html, useState} from "../vendor/preact.js";
import {requestPage} from "../api.js";
import {t} from "../texts.js";
import {viewerTime} from "./dates.js";
import {isSure} from "./dialog.js";
import {spelled} from "./labels.js";
import {Loaded, useRead} from "./loading.js";
import {say, sayError} from "./messages.js";

export function Waiting() {
  const state = useRead(async () => (await requestPage("events")).data, []);
  const [chosen, setChosen] = useState([]);
  const send = async (what) => {
    if (what === "drop" && !isSure(t("Give these events up? Nobody will hear of them."))) return;
    try {
      await requestPage(`events/${what}`, {method: "POST", body: {events: chosen}});
      say(what === "drop" ? t("The events were given up.") : t("The events are tried again."));
      setChosen([]);
    } catch (error) {
      sayError(error);
    }
    state.again();
  };
  return html`<header><h1>${t("Waiting events")}</h1>
      <button type="button" disabled=${state.isLoading} onClick=${state.again}>${t("Look again")}</button></header>
    <p>${t("What happened on the site and wasn't taken yet by a plugin, or by those whom it tells. What was taken isn't listed.")}</p>
    <${Loaded} state=${state}>${({events, total}) => (total === 0 ? html`<p class="paper" role="status">${t("Nothing waits.")}</p>` : html`
      <div class="row head" role="group" aria-label=${t("With the selected")}>
        <button type="button" class="small" disabled=${!chosen.length} onClick=${() => send("retry")}>${t("Try again")}</button>
        <button type="button" class="small danger" disabled=${!chosen.length} onClick=${() => send("drop")}>${t("Give up")}</button>
        <span class="faint" role="status">${t("%(total)s in all", {total})}</span></div>
      <${Table} events=${events} chosen=${chosen} setChosen=${setChosen} />`)}<//>`;
}

function Table({events, chosen, setChosen}) {
  const ids = [...new Set(events.map((one) => one.event))];
  const toggle = (id, isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((other) => other !== id));
  return html`<div class="table"><table class="narrow"><caption class="hidden">${t("Waiting events")}</caption>
    <thead><tr><th class="pick" scope="col"><input type="checkbox" aria-label=${t("Select all")} checked=${chosen.length === ids.length}
        onChange=${(event) => setChosen(event.currentTarget.checked ? ids : [])} /></th>
      ${[t("Event"), t("For"), t("State"), t("Tries"), t("Next try"), t("What went wrong")].map((label) => html`<th scope="col" key=${label}>${label}</th>`)}</tr></thead>
    <tbody>${events.map((one) => html`<tr key=${[one.event, one.plugin, one.target].join()}>
      <td class="pick"><input type="checkbox" aria-label=${t("Select event %(id)s", {id: one.event})} checked=${chosen.includes(one.event)}
        onChange=${(event) => toggle(one.event, event.currentTarget.checked)} /></td>
      <td><code>${one.name}</code> <span class="faint">${one.item} · ${viewerTime(one.at_gmt)}</span></td>
      <td data-label=${t("For")}>${spelled(one.plugin)} ${one.target}</td>
      <td data-label=${t("State")}>${stateText(one.state)}</td><td data-label=${t("Tries")}>${one.tries}</td>
      <td data-label=${t("Next try")}>${viewerTime(one.due_gmt) || "–"}</td>
      <td data-label=${t("What went wrong")} lang="en" dir="ltr">${one.error || "–"}</td></tr>`)}</tbody></table></div>`;
}

function stateText(state) {
  return {waiting: t("Waiting"), failed: t("Failed, is tried again"), paused: t("Paused"), "set aside": t("Set aside")}[state] || state;
}
