// The menu at the side: what the site has, as far as the account may do something with it.
import {html} from "../vendor/preact.js";
import {session} from "../api.js";
import {may} from "../session.js";
import {href, route} from "../router.js";
import {routes, taxonomies, types} from "../schema.js";
import {language, t} from "../texts.js";
import {useRead} from "./loading.js";

export function Menu({isOpen}) {
  const account = session.value.user.id;
  const {value} = useRead(() => Promise.all([types(), taxonomies(), routes()]), [account, language.value]);
  const groups = value ? entries(...value) : [];
  return html`<nav id="menu" class=${isOpen ? "menu open" : "menu"} aria-label=${t("Sections")}>
    ${groups.map((group) => html`<ul key=${group[0].path}>
      ${group.map((entry) => html`<${Entry} key=${entry.path} ...${entry} />`)}
    </ul>`)}
  </nav>`;
}

function Entry({path, label, isBelow}) {
  const isHere = (route.value.path[0] || "") === path.split("/")[0]
    && (!path.includes("/") || route.value.path[1] === path.split("/")[1]);
  return html`<li class=${isBelow ? "below" : ""}>
    <a href=${href(path)} aria-current=${isHere ? "page" : undefined}>${label}</a></li>`;
}

/** Return the groups of the menu. */
function entries(allTypes, allTaxonomies, allRoutes) {
  const content = [];
  for (const type of Object.values(allTypes)) {
    if (type.slug === "attachment" || !mayEdit(type)) continue;
    content.push({path: type.rest_base, label: type.labels?.menu_name || type.name});
    for (const name of type.taxonomies) {
      const taxonomy = allTaxonomies[name];
      if (!taxonomy || !mayManage(taxonomy) || content.some((entry) => entry.path === taxonomy.rest_base)) continue;
      content.push({path: taxonomy.rest_base, label: taxonomy.labels?.menu_name || taxonomy.name, isBelow: true});
    }
  }
  const groups = [[{path: "", label: t("Overview")}], content, rest(allRoutes), ownEntries(allRoutes)];
  return groups.filter((group) => group.length);
}

function rest(allRoutes) {
  const found = [];
  if (may("upload_files")) found.push({path: "media", label: t("Media")});
  if (may("edit_posts")) found.push({path: "comments", label: t("Comments")});
  if (allRoutes.has("/menu-items") && may("edit_theme_options") | may("manage_options")) {
    found.push({path: "menus", label: t("Menus")});
  }
  return found;
}

function ownEntries(allRoutes) {
  const found = [];
  if (may("list_users")) found.push({path: "users", label: t("Accounts")});
  found.push({path: "profile", label: t("My profile")});
  if (may("manage_options")) {
    found.push({path: "settings", label: t("Settings")});
    found.push({path: "plugins", label: t("Plugins")});
    if (allRoutes.has("/webhooks")) found.push({path: "webhooks", label: t("Webhooks")});
    found.push({path: "site/events", label: t("Waiting events")}, {path: "site/backups", label: t("Backups")}, {path: "site/doctor", label: t("State of the site")});
  }
  return found;
}

function mayEdit(type) {
  const needed = type.capabilities?.edit_posts;
  return needed ? may(needed) : may("edit_posts");
}

/** Whether the account may change the terms of a taxonomy. */
export function mayManage(taxonomy) {
  const needed = taxonomy.capabilities?.manage_terms;
  return needed ? may(needed) : may("manage_categories");
}
