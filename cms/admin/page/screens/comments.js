// The queue of comments: approve, hold, spam, trash, reply and edit, one by one or several at once.
import {html, useState} from "../vendor/preact.js";
import {request} from "../api.js";
import {href, route, setQuery} from "../router.js";
import {t} from "../texts.js";
import {siteTime} from "../parts/dates.js";
import {isSure} from "../parts/dialog.js";
import {Filters} from "../parts/filters.js";
import {plainText} from "../parts/items.js";
import {stateName} from "../parts/labels.js";
import {Loaded, useRead} from "../parts/loading.js";
import {say, sayError} from "../parts/messages.js";
import {Pages} from "../parts/pages.js";
import Edit from "./edit.js";
import {listQuery, readList} from "./list.js";

const STATES = ["all", "hold", "approve", "spam", "trash"];
const ACTS = [["approved", () => t("Approve")], ["hold", () => t("Hold")], ["spam", () => t("Spam")], ["trash", () => t("Trash")]];

export default function Comments({path}) {
  if (path[1]) return html`<${Edit} path=${["comments", path[1]]} />`;
  return html`<${Queue} />`;
}

function Queue() {
  const state = useRead(() => readList("comments"), []);
  return html`<${Loaded} state=${state}>${(list) => html`<${Listed} list=${list} />`}<//>`;
}

function Listed({list}) {
  const {query} = route.value;
  const [selected, setSelected] = useState([]);
  const asked = {...listQuery(list, query), status: query.status || "all", _embed: "up"};
  const state = useRead(() => readPage(asked), [JSON.stringify(asked)]);
  const act = async (ids, status) => {
    if (status === "delete" && !isSure(t("Delete %(number)s items for good?", {number: ids.length}))) return;
    try {
      for (const id of ids) await request(`/comments/${id}`, actOf(status));
      say(t("%(number)s items were changed.", {number: ids.length}));
    } catch (error) {
      sayError(error);
    }
    setSelected([]);
    state.again();
  };
  const toggle = (id, isOn) => setSelected(isOn ? [...selected, id] : selected.filter((one) => one !== id));
  return html`
    <header><h1>${t("Comments")}</h1></header>
    <ul class="tabs">${STATES.map((name) => html`<li key=${name}><a href=${href("comments", {...query, status: name === "all" ? "" : name, page: ""})}
      aria-current=${(query.status || "all") === name ? "true" : undefined}>${name === "all" ? t("All") : stateName(name)}</a></li>`)}</ul>
    <${Filters} list=${list} />
    <${Loaded} state=${state}>${({items, total, pages}) => html`
      ${items.length === 0 ? html`<p class="paper">${t("Nothing is here.")}</p>` : html`
        <div class="row head" role="group" aria-label=${t("With the selected")}>
          <label class="check"><input type="checkbox" checked=${selected.length === items.length}
            onChange=${(event) => setSelected(event.currentTarget.checked ? items.map((item) => item.id) : [])} /><span>${t("Select all")}</span></label>
          ${[...ACTS, ...(query.status === "trash" ? [["delete", () => t("Delete for good")]] : [])].map(([name, label]) => html`<button type="button"
            class="small" key=${name} disabled=${!selected.length} onClick=${() => act(selected, name)}>${label()}</button>`)}
        </div>
        <div class="stack">${items.map((comment) => html`<${Comment} key=${comment.id} comment=${comment} act=${act} again=${state.again}
          isSelected=${selected.includes(comment.id)} onSelect=${(isOn) => toggle(comment.id, isOn)} />`)}</div>`}
      <${Pages} pages=${pages} total=${total} />`}<//>`;
}

function actOf(status) {
  if (status === "trash") return {method: "DELETE"};
  if (status === "delete") return {method: "DELETE", query: {force: true}};
  return {method: "POST", body: {status}};
}

async function readPage(query) {
  const read = (asked) => request("/comments", {query: asked});
  const {data, headers} = await read(query).catch((error) => {
    if (error.status !== 403 && error.status !== 401) throw error;
    setQuery({status: ""});
    return read({...query, context: "view", status: ""});
  });
  return {items: data, total: Number(headers.get("X-WP-Total") || data.length), pages: Number(headers.get("X-WP-TotalPages") || 1)};
}

function Comment({comment, isSelected, onSelect, act, again}) {
  const [isAnswering, setAnswering] = useState(false);
  const who = comment.author_name || t("Anonymous");
  const post = comment._embedded?.up?.[0];
  const others = ACTS.filter(([name]) => name !== comment.status);
  return html`<article class="paper" aria-label=${t("Comment by %(name)s", {name: who})}>
    <div class="row">
      <input type="checkbox" aria-label=${t("Select %(title)s", {title: who})} checked=${isSelected} onChange=${(event) => onSelect(event.currentTarget.checked)} />
      <strong>${who}</strong>
      ${comment.author_email && html`<span class="faint">${comment.author_email}</span>`}
      <span class="faint">${siteTime(comment.date_gmt)}</span>
      ${comment.status !== "approved" && html`<span class="state">${stateName(comment.status)}</span>`}
    </div>
    <p dir="auto">${plainText(comment.content.rendered)}</p>
    <p class="faint">${comment.parent > 0 && html`${t("In reply to comment %(id)s.", {id: comment.parent})} `}
      ${post?.title && t("On “%(title)s”", {title: plainText(post.title.rendered)})}</p>
    <div class="row">
      ${others.map(([name, label]) => html`<button type="button" class="small" key=${name} onClick=${() => act([comment.id], name)}>${label()}</button>`)}
      <button type="button" class="small" aria-expanded=${isAnswering} onClick=${() => setAnswering(!isAnswering)}>${t("Reply")}</button>
      <a class="button small" href=${href(`comments/${comment.id}`)}>${t("Edit")}</a>
    </div>
    ${isAnswering && html`<${Reply} comment=${comment} onDone=${() => { setAnswering(false); again(); }} />`}
  </article>`;
}

function Reply({comment, onDone}) {
  const [text, setText] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    try {
      await request("/comments", {method: "POST", body: {post: comment.post, parent: comment.id, content: text}});
      say(t("The reply was sent."));
      onDone();
    } catch (error) {
      sayError(error);
    }
  };
  return html`<form class="stack" onSubmit=${submit}><label><span>${t("Reply")}</span>
    <textarea required value=${text} onInput=${(event) => setText(event.currentTarget.value)} autofocus></textarea></label>
    <div class="row"><button class="main">${t("Send")}</button></div></form>`;
}
