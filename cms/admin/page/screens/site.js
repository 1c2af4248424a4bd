// The site itself, for administrators: one screen for each part of its upkeep.
import {html} from "../vendor/preact.js";
import {t} from "../texts.js";
import {Backups} from "../parts/backups.js";
import {Doctor} from "../parts/doctor.js";
import {Waiting} from "../parts/waiting_events.js";

const PARTS = {doctor: Doctor, backups: Backups, events: Waiting};

export default function Site({path}) {
  const Part = PARTS[path[1]];
  return Part ? html`<${Part} />` : html`<h1>${t("Nothing is here.")}</h1>`;
}
