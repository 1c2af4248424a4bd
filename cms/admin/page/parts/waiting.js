// What was written and isn't saved yet, held in this browser so that nothing is lost when the connection or the page goes.
import {session} from "../api.js";

const PREFIX = "cms-admin-draft";

function key(base, id) {
  return [PREFIX, session.value.user.id, base, id || "new"].join(":");
}

/** Hold the changes of an item. */
export function hold(base, id, changes, etag) {
  try {
    localStorage.setItem(key(base, id), JSON.stringify({changes, etag, at: new Date().toISOString()}));
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
