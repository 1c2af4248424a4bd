// What was written and isn't saved yet, held in this browser so that nothing is lost when the connection or the page goes.
import {session} from "../api.js";

const PREFIX = "cms-admin-draft";
const SECRETS = new Set(["password", "secret"]);

function key(base, id) {
  return [PREFIX, session.value.user.id, base, id || "new"].join(":");
}

function keysOf(account) {
  try {
    return Object.keys(localStorage).filter((one) => one.startsWith(`${PREFIX}:${account}:`));
  } catch {
    return [];
  }
}

/** Hold the changes of an item; passwords and secrets never, but for that of content, which its editors can read anyway. */
export function hold(read, changes, etag) {
  const open = Object.fromEntries(Object.entries(changes).filter(([name]) => read.type || !SECRETS.has(name)));
  if (!Object.keys(open).length) return;
  try {
    localStorage.setItem(key(read.base, read.id), JSON.stringify({changes: open, etag, at: new Date().toISOString()}));
  } catch {
    // The browser's room is full or closed: the page still has the changes itself.
  }
}

/** Return `{changes, etag, at}` of an item, null where nothing waits. */
export function held(base, id) {
  try {
    return JSON.parse(localStorage.getItem(key(base, id)));
  } catch {
    return null;
  }
}

export function release(base, id) {
  try {
    localStorage.removeItem(key(base, id));
  } catch {
    // Nothing can be held in this browser, so nothing waits.
  }
}

/** Whether this browser holds anything of an account. */
export function holdsAny(account) {
  return keysOf(account).length > 0;
}

/** Hold nothing of an account any more: whoever uses the browser next could read it. */
export function releaseAll(account) {
  for (const one of keysOf(account)) localStorage.removeItem(one);
}
