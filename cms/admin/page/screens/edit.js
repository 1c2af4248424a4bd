// The form of any resource's item, new or there already.
import {html} from "../vendor/preact.js";
import {request} from "../api.js";
import {route} from "../router.js";
import {describe, formFields, routes, statuses, taxonomies, termField, typeOf} from "../schema.js";
import {spelled} from "../parts/labels.js";
import {Loaded, useRead} from "../parts/loading.js";
import {EditForm} from "../parts/edit_form.js";

export default function Edit({path: [base, id], children, onSaved}) {
  const state = useRead(() => readItem(base, id === "new" ? null : id), [base, id]);
  return html`<${Loaded} state=${state}>${(read) => html`<${EditForm} key=${`${base} ${id}`} read=${read} again=${state.again}
    onSaved=${onSaved}>${children}<//>`}<//>`;
}

/** Return what the form needs: the item with its ETag, its fields, and what its type and the site have. */
export async function readItem(base, id) {
  const path = id ? `/${base}/${id}` : `/${base}`;
  const [description, type, states, groups, allRoutes] = await Promise.all(
    [describe(path), typeOf(base), statuses(), taxonomies(), routes()]);
  const answer = id ? await readEditable(path, description) : {data: {}, etag: null};
  const fields = formFields(description, !id);
  const own = {};
  for (const taxonomy of Object.values(groups)) if (termField(taxonomy) in fields) own[termField(taxonomy)] = taxonomy;
  const name = (part) => `/${base}/*/${part}`;
  return {
    base,
    id: id ? Number(id) : null,
    item: answer.data,
    etag: answer.etag,
    fields,
    description,
    type,
    statuses: states,
    taxonomies: own,
    title: type?.labels?.name || spelled(base),
    given: id ? {} : givenValues(fields),
    has: {
      autosaves: allRoutes.has(name("autosaves")),
      revisions: allRoutes.has(name("revisions")),
      previewLink: allRoutes.has(name("preview-link")),
    },
  };
}

/** Read an item with its raw texts; where the resource has but one form, read that. */
export async function readEditable(path, description) {
  const hasContext = Object.values(description.schema).some((schema) => schema.context?.includes("edit"));
  return await request(path, {query: hasContext ? {context: "edit"} : {}});
}

/** Return values of fields that the address brings along for a new item, such as `parent`. */
function givenValues(fields) {
  const found = {};
  for (const [name, value] of Object.entries(route.value.query)) {
    if (name in fields) found[name] = fields[name].type === "integer" ? Number(value) : value;
  }
  return found;
}
