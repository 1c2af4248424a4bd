// Moments: those of the API have no offset, they are in the site's time zone, or in GMT where the name says so.
import {session} from "../api.js";
import {localeTag} from "../texts.js";

/** Return a moment in GMT as the person's browser writes it, in the person's own time zone. */
export function viewerTime(gmt) {
  return formatted(gmt, undefined);
}

/** Return a moment in GMT as it is in the site's time zone. */
export function siteTime(gmt) {
  return formatted(gmt, siteZone());
}

function formatted(gmt, timeZone) {
  if (!gmt) return "";
  const moment = new Date(gmt.endsWith("Z") || /[+-]\d\d:\d\d$/.test(gmt) ? gmt : `${gmt}Z`);
  if (Number.isNaN(moment.getTime())) return gmt;
  try {
    return moment.toLocaleString(localeTag(), {dateStyle: "medium", timeStyle: "short", timeZone});
  } catch {
    return moment.toLocaleString(undefined, {dateStyle: "medium", timeStyle: "short"});
  }
}

export function siteZone() {
  return session.value.zone || "UTC";
}

export function viewerZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Return the moment of a wall clock time in the site's zone, in milliseconds. */
export function fromSiteTime(text) {
  const asGmt = Date.parse(`${text.length === 16 ? `${text}:00` : text}Z`);
  // The offset at the guess may differ from that at the moment itself, near a change of the clock: so it is asked twice.
  const first = asGmt - offset(asGmt);
  return asGmt - offset(first);
}

/** Return by how many milliseconds the site's clock is ahead of GMT at a moment. */
function offset(moment) {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", {
      timeZone: siteZone(), hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
      hour: "2-digit", minute: "2-digit", second: "2-digit",
    }).formatToParts(moment);
    const of = Object.fromEntries(parts.map((part) => [part.type, part.value]));
    return Date.parse(`${of.year}-${of.month}-${of.day}T${of.hour}:${of.minute}:${of.second}Z`) - Math.floor(moment / 1000) * 1000;
  } catch {
    return 0;
  }
}
