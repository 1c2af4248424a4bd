// What is done with the item as a whole: save, publish or schedule, preview, look at revisions, throw away.
import {html, useState} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {may} from "../session.js";
import {go, href} from "../router.js";
import {t} from "../texts.js";
import {fromSiteTime, viewerTime} from "./dates.js";
import {isSure} from "./dialog.js";
import {titleOf} from "./items.js";
import {safeAddress} from "./item_table.js";
import {stateName} from "./labels.js";
import {say, sayError} from "./messages.js";
import {Preview} from "./preview.js";

const UNPUBLISHED = ["draft", "pending", "auto-draft", undefined];

export function SaveBar({read, item, changes, isBusy, isDirty, save, again, autosave}) {
  const [isPreview, setPreview] = useState(false);
  const [isOpening, setOpening] = useState(false);
  const hasStates = Boolean(read.fields.status?.enum) && Boolean(read.type);
  const preview = async () => {
    setOpening(true);
    if (isDirty && UNPUBLISHED.includes(item.status)) await save();
    setOpening(false);
    setPreview(true);
  };
  return html`<div class="row save-bar" role="group" aria-label=${t("Save")}>
    ${hasStates ? html`<${StateButtons} read=${read} item=${item} changes=${changes} isBusy=${isBusy} save=${save} />`
      : html`<button class="main" disabled=${isBusy}>${read.id ? t("Save") : t("Add")}</button>`}
    ${read.id && read.fields.content && html`<button type="button" disabled=${isOpening} onClick=${preview}>${t("Preview")}</button>`}
    ${read.id && read.has.revisions && html`<a class="button" href=${href(`${read.base}/${read.id}/revisions`)}>${t("Revisions")}</a>`}
    ${session.value.has_front_end && item.link && item.status === "publish" && read.type?.viewable && html`<a class="button" href=${safeAddress(item.link)} target="_blank"
      rel="noreferrer">${t("View")}</a>`}
    ${read.id && read.base !== "users" && html`<${Remove} read=${read} item=${item} />`}
    <span class="faint" role="status">${standing(item, isDirty, autosave, read)}</span>
  </div>
  ${isPreview && html`<${Preview} read=${read} item=${item} onClose=${() => setPreview(false)} />`}`;
}

/** Return in a few words how the item stands. */
function standing(item, isDirty, autosave, read) {
  const state = item.status ? stateName(item.status, read.statuses) : "";
  const unsaved = isDirty ? t("Not saved yet") : "";
  return [state, unsaved, isDirty ? autosave : ""].filter(Boolean).join(" · ");
}

function StateButtons({read, item, changes, isBusy, save}) {
  const status = changes.status || item.status;
  const mayPublish = may(read.type.capabilities?.publish_posts || "publish_posts");
  if (!UNPUBLISHED.includes(item.status)) {
    return html`<button class="main" disabled=${isBusy}>${t("Save")}</button>
      ${mayPublish && item.status === "trash" && html`<button type="button" disabled=${isBusy} onClick=${() => save({status: "draft"})}>
        ${t("Restore")}</button>`}`;
  }
  const draft = html`<button disabled=${isBusy}>${status === "pending" ? t("Save") : t("Save draft")}</button>`;
  if (!mayPublish) {
    return html`${draft}<button type="button" class="main" disabled=${isBusy} onClick=${() => save({status: "pending"})}>
      ${t("Submit for review")}</button>`;
  }
  const date = changes.date;
  const isLater = date && fromSiteTime(date) > Date.now();
  return html`${draft}<button type="button" class="main" disabled=${isBusy} onClick=${() => save({status: "publish"})}
    title=${isLater ? t("Your time: %(time)s", {time: viewerTime(new Date(fromSiteTime(date)).toISOString())}) : undefined}>
    ${isLater ? t("Schedule") : t("Publish")}</button>`;
}

function Remove({read, item}) {
  const hasTrash = Boolean(read.type) && "status" in item && read.base !== "media" && item.status !== "trash";
  const title = titleOf(item);
  const remove = async () => {
    if (!hasTrash && !isSure(t("Delete “%(title)s” for good?", {title}))) return;
    try {
      await request(`/${read.base}/${read.id}`, {method: "DELETE", query: hasTrash ? {} : {force: true}});
      say(hasTrash ? t("“%(title)s” is in the trash.", {title}) : t("“%(title)s” was deleted.", {title}));
      go(read.base);
    } catch (error) {
      sayError(error);
    }
  };
  return html`<button type="button" class="danger" onClick=${remove}>${hasTrash ? t("Move to the trash") : t("Delete")}</button>`;
}
