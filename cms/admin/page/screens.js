// Which screen an address names; a screen's module is loaded when it is first needed.
import {taxonomies} from "./schema.js";

const NAMED = {
  "": () => import("./screens/dashboard.js"),
  media: () => import("./screens/media.js"),
  comments: () => import("./screens/comments.js"),
  users: () => import("./screens/users.js"),
  profile: () => import("./screens/profile.js"),
  settings: () => import("./screens/settings.js"),
  plugins: () => import("./screens/plugins.js"),
  menus: () => import("./screens/menus.js"),
  webhooks: () => import("./screens/webhooks.js"),
  site: () => import("./screens/site.js"),
};

/** Return the component for a path: a screen of its own, terms of a taxonomy, or the list or form of any resource. */
export async function screenOf(path) {
  const [base = "", id, part] = path;
  if (base in NAMED) return (await NAMED[base]()).default;
  const groups = Object.values(await taxonomies());
  if (groups.some((taxonomy) => taxonomy.rest_base === base)) return (await import("./screens/terms.js")).default;
  if (id && part === "revisions") return (await import("./screens/revisions.js")).default;
  if (id) return (await import("./screens/edit.js")).default;
  return (await import("./screens/list.js")).default;
}
