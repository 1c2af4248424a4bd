// The overview: what waits for somebody, and where one begins.
import {html} from "../vendor/preact.js";
import {request, session} from "../api.js";
import {may} from "../session.js";
import {href} from "../router.js";
import {types} from "../schema.js";
import {t} from "../texts.js";
import {siteTime} from "../parts/dates.js";
import {plainText, titleOf} from "../parts/items.js";
import {Loaded, useRead} from "../parts/loading.js";

const SHOWN = 5;

export default function Dashboard() {
  const state = useRead(readAll, []);
  return html`
    <header><h1>${t("Overview")}</h1></header>
    <${Loaded} state=${state}>${({cards, makes}) => html`
      <div class="row head">${makes.map((type) => html`<a class="button main" href=${href(`${type.rest_base}/new`)}>
        ${t("New in %(list)s", {list: type.labels?.menu_name || type.name})}</a>`)}</div>
      ${cards.length === 0 && html`<p>${t("Nothing waits.")}</p>`}
      <div class="cards">${cards.map((card) => html`<${Card} key=${card.title} ...${card} />`)}</div>`}<//>`;
}

function Card({title, total, items, address}) {
  return html`<section class="paper">
    <h2><a href=${address}>${title}</a></h2>
    <p class="number">${total}</p>
    <ul>${items.map((item) => html`<li key=${item.address}><a href=${item.address}>${item.text}</a>
      ${item.when && html`<br /><span class="faint">${item.when}</span>`}</li>`)}</ul>
  </section>`;
}

async function readAll() {
  const all = Object.values(await types()).filter((type) => type.slug !== "attachment" && may(type.capabilities?.edit_posts || "edit_posts"));
  const asked = [];
  for (const type of all) asked.push(card(type, "pending", {}), card(type, "future", {orderby: "date", order: "asc"}));
  if (may("moderate_comments")) asked.push(heldComments());
  for (const type of all) asked.push(card(type, "draft", {author: session.value.user.id, orderby: "modified"}));
  const answers = await Promise.all(asked.map((one) => one.catch(() => null)));
  const makes = all.filter((type) => type.supports?.editor).slice(0, 4);
  return {cards: answers.filter((one) => one && one.total > 0), makes};
}

const TITLES = {
  pending: (list) => t("%(list)s: waiting for review", {list}),
  future: (list) => t("%(list)s: scheduled", {list}),
  draft: (list) => t("%(list)s: my drafts", {list}),
};

async function card(type, status, query) {
  const base = type.rest_base;
  const fields = "id,title,date_gmt,modified_gmt";
  const {data, headers} = await request(`/${base}`, {query: {status, per_page: SHOWN, context: "edit", _fields: fields, ...query}});
  const items = data.map((item) => ({
    text: titleOf(item),
    address: href(`${base}/${item.id}`),
    when: siteTime(status === "future" ? item.date_gmt : item.modified_gmt),
  }));
  const address = href(base, {status, ...query});
  return {title: TITLES[status](type.labels?.menu_name || type.name), total: Number(headers.get("X-WP-Total")), items, address};
}

async function heldComments() {
  const {data, headers} = await request("/comments", {query: {status: "hold", per_page: SHOWN, context: "edit"}});
  const items = data.map((comment) => ({
    text: `${comment.author_name || t("Anonymous")}: ${plainText(comment.content.rendered).slice(0, 80)}`,
    address: href("comments", {status: "hold"}),
    when: siteTime(comment.date_gmt),
  }));
  const total = Number(headers.get("X-WP-Total"));
  return {title: t("Comments that wait for approval"), total, items, address: href("comments", {status: "hold"})};
}
