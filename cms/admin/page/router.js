// The address of the screen, in the part behind `#`: a path, and the state of the screen as a query.
import {signal} from "./vendor/preact.js";
import {t} from "./texts.js";

/** `{path: ["posts", "12"], query: {page: "2"}}` of the address. */
export const route = signal(parse(location.hash));

let unsaved = () => false;
let lastHash = location.hash;

function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  return {
    path: path.split("/").filter(Boolean).map(decodeURIComponent),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Return the address of a path with a query, without what is empty in it. */
export function href(path, query = {}) {
  const filled = Object.entries(query).filter(([, value]) => value !== "" && value !== undefined && value !== null);
  const search = new URLSearchParams(filled).toString();
  return `#/${path}${search ? `?${search}` : ""}`;
}

export function go(path, query) {
  location.hash = href(path, query);
}

/** Change values of the query, where the empty text removes one, without a step in the browser's history. */
export function setQuery(changes) {
  const {path, query} = route.value;
  history.replaceState(null, "", href(path.map(encodeURIComponent).join("/"), {...query, ...changes}));
  lastHash = location.hash;
  route.value = parse(location.hash);
}

/** Whether the screen has something unsaved. */
export function hasUnsaved() {
  return unsaved();
}

/** Ask before the screen is left while a function says that something is unsaved; return what ends that. */
export function guard(isUnsaved) {
  unsaved = isUnsaved;
  return () => {
    unsaved = () => false;
  };
}

window.addEventListener("hashchange", () => {
  if (location.hash === lastHash) return;
  if (unsaved() && !window.confirm(t("Leave without saving? What you changed is lost."))) {
    history.replaceState(null, "", lastHash || "#/");
    return;
  }
  unsaved = () => false;
  lastHash = location.hash;
  route.value = parse(location.hash);
});

window.addEventListener("beforeunload", (event) => {
  if (unsaved()) event.preventDefault();
});
