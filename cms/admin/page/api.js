// Requests: to the API of the site, and to the page's own routes below admin/api.
import {signal} from "./vendor/preact.js";
import {language, t} from "./texts.js";

/** Who is signed in and what the site is, as the route `session` answers. */
export const session = signal({signed_in: false});
/** Whether the session ended while something may be unsaved: the sign-in then stands over the page. */
export const hasLapsed = signal(false);
/** Whether the last request could not be sent at all. */
export const isOffline = signal(false);

/** What the server refused, or why it could not be asked: `code`, `status`, and `params` by name of the field. */
export class Refused extends Error {
  constructor(message, {code = "", status = 0, params = {}, body = null} = {}) {
    super(message);
    Object.assign(this, {code, status, params, body});
  }
}

/**
 * Send a request to the API of the site, at a path such as `/posts`, and return `{data, headers, status, etag}`.
 * `options`: method, body (an object becomes JSON), query (an object; empty values are left out), headers.
 * Throws Refused.
 */
export async function request(path, options = {}) {
  const address = apiAddress(path, options.query);
  const sent = () => send(address, options, {"X-CMS-Nonce": session.value.nonce || ""});
  try {
    return await sent();
  } catch (error) {
    if (error.code !== "cms_wrong_nonce") throw error;
    if (await followSession()) return await sent();
    hasLapsed.value = true;
    throw error;
  }
}

/** Send a request to a route of the page itself, such as `session`. Throws Refused. */
export function requestPage(path, options = {}) {
  return send(`api/${path}${queryText(options.query)}`, options, {
    "X-CMS-Nonce": session.value.nonce || "", "Accept-Language": language.value.replace("_", "-"),
  });
}

/** Return the address of a path of the API, in the page's language: so are names, descriptions and refusals. */
export function apiAddress(path, query) {
  const {root, api, languages} = session.value;
  const prefix = (languages || []).find((one) => one.code === language.value)?.prefix;
  const spoken = prefix ? root.replace(/api$/, `${prefix}/api`) : root;
  return `${spoken}${api.slice(root.length)}${path}${queryText(query)}`;
}

export function queryText(query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    search.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = search.toString();
  return text ? `?${text}` : "";
}

async function send(address, {method = "GET", body, headers = {}, abort}, extra) {
  const isJson = body !== undefined && !(body instanceof Blob) && !(body instanceof FormData);
  const sent = {Accept: "application/json", ...extra, ...headers};
  if (isJson) sent["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers: sent,
      body: isJson ? JSON.stringify(body) : body,
      credentials: "same-origin",
      cache: "no-store",
      signal: abort,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    isOffline.value = true;
    throw new Refused(t("The server can't be reached."), {code: "offline"});
  }
  isOffline.value = false;
  return await read(answer);
}

/** Whether another window of this browser has begun a session of the same account, whose nonce is read here then. */
async function followSession() {
  const {user} = session.value;
  const answer = await fetch("api/session", {credentials: "same-origin", cache: "no-store"});
  const now = await answer.json();
  if (now.user?.id !== user?.id) return false;
  session.value = now;
  return true;
}

async function read(answer) {
  const data = await answer.json().catch(() => null);
  if (!answer.ok) {
    if (answer.status === 401 && session.value.signed_in) hasLapsed.value = true;
    throw refusal(data, answer.status);
  }
  return {data, headers: answer.headers, status: answer.status, etag: answer.headers.get("ETag")};
}

/** Return what an answer of the API refuses as an error. */
export function refusal(data, status) {
  const message = data?.message || t("The server answered with the status %(status)s.", {status});
  const params = data?.data?.params;
  const byName = params && !Array.isArray(params) ? params : {};
  return new Refused(message, {code: data?.code, status, params: byName, body: data});
}

/** Return all items of a list, page by page, up to a number of pages. */
export async function requestAll(path, query = {}, pages = 10) {
  const found = [];
  for (let page = 1; page <= pages; page += 1) {
    const {data, headers} = await request(path, {query: {per_page: 100, ...query, page}});
    found.push(...data);
    if (page >= Number(headers.get("X-WP-TotalPages") || 1)) break;
  }
  return found;
}
