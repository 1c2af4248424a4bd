// The states of a list's items as tabs, with the number of items in each.
import {html} from "../vendor/preact.js";
import {request} from "../api.js";
import {href, route} from "../router.js";
import {t} from "../texts.js";
import {stateName} from "./labels.js";
import {useRead} from "./loading.js";

export function StateTabs({list, round}) {
  const {query} = route.value;
  const states = ["any", ...Object.keys(list.statuses).filter((name) => list.description.filters.status.items.enum.includes(name))];
  const {value: counts} = useRead(() => count(list, states), [list.base, round]);
  const current = query.status || "any";
  const shown = states.filter((name) => name === "any" || name === current || counts?.[name] !== 0);
  return html`<ul class="tabs" aria-label=${t("States")}>${shown.map((name) => html`<li key=${name}>
    <a href=${href(list.base, {...query, status: name === "any" ? "" : name, page: ""})} aria-current=${name === current ? "true" : undefined}>
      ${stateName(name, list.statuses)}${counts?.[name] !== undefined && html` <span class="faint">${counts[name]}</span>`}</a></li>`)}</ul>`;
}

async function count(list, states) {
  const found = {};
  await Promise.all(states.map(async (status) => {
    const answer = await request(`/${list.base}`, {query: {status, per_page: 1, _fields: "id"}}).catch(() => null);
    if (answer) found[status] = Number(answer.headers.get("X-WP-Total") || 0);
  }));
  return found;
}
