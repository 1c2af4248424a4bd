// The pages of a list, with the page in the address.
import {html} from "../vendor/preact.js";
import {route, setQuery} from "../router.js";
import {t} from "../texts.js";

export function Pages({pages, total}) {
  const page = Number(route.value.query.page || 1);
  const turn = (to) => {
    setQuery({page: to === 1 ? "" : to});
    document.getElementById("main")?.focus();
  };
  return html`<nav class="pages" aria-label=${t("Pages")}>
    <span role="status">${t("%(total)s in all", {total})}</span>
    ${pages > 1 && html`
      <button type="button" disabled=${page <= 1} onClick=${() => turn(page - 1)}>${t("Back")}</button>
      <label class="row"><span class="hidden">${t("Page")}</span><select value=${page} onChange=${(event) => turn(Number(event.currentTarget.value))}>
        ${Array.from({length: Math.min(pages, 500)}, (_, index) => html`<option key=${index} value=${index + 1}>
          ${t("Page %(page)s of %(pages)s", {page: index + 1, pages})}</option>`)}
      </select></label>
      <button type="button" disabled=${page >= pages} onClick=${() => turn(page + 1)}>${t("Next")}</button>`}
  </nav>`;
}
