// Signing in and out, and what the signed-in account may do.
import {hasLapsed, requestPage, session} from "./api.js";
import {isSure} from "./parts/dialog.js";
import {holdsAny, releaseAll} from "./parts/waiting.js";
import {hasUnsaved} from "./router.js";
import {forgetDescriptions} from "./schema.js";
import {t} from "./texts.js";

const LANGUAGE = "cms-admin-language";

/** Read who is signed in. Throws Refused. */
export async function loadSession() {
  const {data} = await requestPage("session");
  session.value = data;
  return data;
}

/** Sign in; throws Refused, with the code `cms_second_factor_required` where the account has a second factor. */
export async function signIn(username, password, code) {
  const body = {username, password};
  if (code) body.code = code;
  const {data} = await requestPage("session", {method: "POST", body});
  forgetDescriptions();
  session.value = data;
  hasLapsed.value = false;
  return data;
}

/** Sign out, of all sessions or of one, unless the person would rather save something first. Throws Refused. */
export async function signOut(path = "session") {
  const {id} = session.value.user;
  const isLost = hasUnsaved() || holdsAny(id);
  if (isLost && !isSure(t("Leave without saving? What you changed is lost."))) return;
  await requestPage(path, {method: "DELETE"});
  forgetDescriptions();
  try {
    await loadSession();
  } finally {
    releaseAll(id);
  }
}

/** Whether the signed-in account has a capability. */
export function may(capability) {
  return Boolean(session.value.user?.capabilities?.[capability]);
}

/** The language of the page: the one chosen in this browser, else that of the account. */
export function pageLanguage(current) {
  return localStorage.getItem(LANGUAGE) || current.language || "en_US";
}

export function chooseLanguage(code) {
  localStorage.setItem(LANGUAGE, code);
}
