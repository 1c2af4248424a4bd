// The three-way view: somebody else saved the item meanwhile. For each field: what it was, what they made of it, and mine.
import {html, useState} from "../vendor/preact.js";
import {t} from "../texts.js";
import {siteTime} from "./dates.js";
import {Dialog} from "./dialog.js";
import {Difference} from "./difference.js";
import {isSame} from "./form.js";
import {rawOf} from "./items.js";
import {labelOf} from "./labels.js";

export function Conflict({read, base, theirs, onSettle, onClose}) {
  const names = Object.keys(theirs.sent);
  const clashing = names.filter((name) => !isSame(rawOf(theirs.item[name]), rawOf(base[name])) && !isSame(rawOf(theirs.item[name]), theirs.sent[name]));
  const [choice, setChoice] = useState({});
  const isOpen = clashing.some((name) => !(name in choice));
  const settle = () => {
    const chosen = {};
    for (const name of names) {
      const isTheirs = isSame(rawOf(theirs.item[name]), theirs.sent[name]) || choice[name] === "theirs";
      if (!isTheirs) chosen[name] = theirs.sent[name];
    }
    onSettle(chosen);
  };
  const others = changedByThem(read, base, theirs.item).filter((name) => !names.includes(name));
  return html`<${Dialog} title=${t("Somebody else saved this meanwhile")} isWide onClose=${onClose}><div class="stack">
    <p>${t("Last saved on %(time)s. Nothing of yours is lost: choose for each field which text counts.", {time: siteTime(theirs.item.modified_gmt)})}</p>
    ${clashing.length === 0 && html`<p>${t("Your changes and theirs don't touch the same fields, so both can be saved.")}</p>`}
    ${clashing.map((name) => html`<${Clash} key=${name} name=${name} schema=${read.fields[name]} base=${rawOf(base[name])}
      theirs=${rawOf(theirs.item[name])} mine=${theirs.sent[name]} chosen=${choice[name]}
      onChoose=${(side) => setChoice((before) => ({...before, [name]: side}))} />`)}
    ${others.length > 0 && html`<p>${t("They also changed: %(names)s. That stays.", {names: others.map((name) => labelOf(name, read.fields[name])).join(", ")})}</p>`}
    <div class="row"><button type="button" class="main" disabled=${isOpen} onClick=${settle}>${t("Save so")}</button>
      <button type="button" onClick=${onClose}>${t("Go on writing")}</button></div>
  </div><//>`;
}

function changedByThem(read, base, item) {
  return Object.keys(read.fields).filter((name) => !isSame(rawOf(item[name]), rawOf(base[name])));
}

function Clash({name, schema, base, theirs, mine, chosen, onChoose}) {
  const side = (value, label, compared) => html`<label class="entry">
    <span class="row"><input type="radio" name=${`side-${name}`} checked=${chosen === value} onChange=${() => onChoose(value)} /> ${label}</span>
    <${Difference} before=${base} after=${compared} /></label>`;
  return html`<fieldset><legend>${labelOf(name, schema)}</legend><div class="compare">
    <div class="entry"><strong>${t("As it was")}</strong><pre>${asText(base)}</pre></div>
    ${side("theirs", t("Theirs"), theirs)}${side("mine", t("Mine"), mine)}</div></fieldset>`;
}

/** Return any value as a text to be compared. */
export function asText(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
