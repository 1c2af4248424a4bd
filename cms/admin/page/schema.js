// What the API declares: types, taxonomies, states, and of each list its fields, filters and who may what.
import {request, requestAll, session} from "./api.js";

const described = new Map();
const read = new Map();
/** Arguments that say how an answer is made, not what an item is. */
const NOT_FIELDS = new Set(["id", "context", "strict", "force", "password_of_item"]);
/** The same moment as `date`, which the form asks for. */
const TWINS = {date_gmt: "date"};

/** Forget all descriptions, since another account may see others. */
export function forgetDescriptions() {
  described.clear();
  read.clear();
}

/** Return what OPTIONS of a path tells: `{schema, filters, creates, changes, allow}`. Throws Refused. */
export function describe(path) {
  if (!described.has(path)) {
    const asked = request(path, {method: "OPTIONS"}).then(understood);
    described.set(path, asked);
    asked.catch(() => described.delete(path));
  }
  return described.get(path);
}

function understood({data, headers}) {
  const found = {schema: properties(data.schema?.properties), filters: null, creates: null, changes: null};
  for (const endpoint of data.endpoints || []) {
    const args = properties(endpoint.args);
    if (endpoint.methods.includes("GET")) found.filters = args;
    else if (endpoint.methods.includes("PUT") || endpoint.methods.includes("PATCH")) found.changes = args;
    else if (endpoint.methods.includes("POST")) found.creates = args;
  }
  found.allow = (headers.get("Allow") || "").split(",").map((method) => method.trim());
  return found;
}

/** An empty object is written as an empty list by the API. */
function properties(given) {
  return given && !Array.isArray(given) ? given : {};
}

/** Return the fields that a form asks for, by name, from what may be sent and what the schema says of it. */
export function formFields(description, isNew) {
  const sent = (isNew ? description.creates : description.changes || description.creates) || {};
  const fields = {};
  for (const [name, argument] of Object.entries(sent)) {
    const declared = description.schema[name];
    if (NOT_FIELDS.has(name) || declared?.readonly || TWINS[name] in sent) continue;
    fields[name] = {...argument, ...declared, required: argument.required === true};
    if (argument.enum) fields[name].enum = argument.enum;
    chooseKnown(name, fields[name]);
  }
  return fields;
}

/** Offer the roles and languages that the site has where a field takes them by name. */
function chooseKnown(name, field) {
  const {roles, languages} = session.value;
  if (name === "roles" && roles && field.type === "array") field.items = {...field.items, enum: roles};
  if (name === "language" && languages && !field.enum) field.enum = languages.map((one) => one.code);
}

function once(key, ask) {
  if (!read.has(key)) {
    const asked = ask();
    read.set(key, asked);
    asked.catch(() => read.delete(key));
  }
  return read.get(key);
}

/** Return the types of content that the account may see, by name. */
export function types() {
  return once("types", async () => (await request("/types", {query: editable()})).data);
}

/** Return the taxonomies, by name. */
export function taxonomies() {
  return once("taxonomies", async () => (await request("/taxonomies", {query: editable()})).data);
}

/** Ask for the editable form where the account edits anything at all; it says who may do what. */
function editable() {
  const capabilities = Object.keys(session.value.user?.capabilities || {});
  return capabilities.some((name) => name.startsWith("edit_")) ? {context: "edit"} : {};
}

/** Return the name of the field in which items list their terms of a taxonomy. */
export function termField(taxonomy) {
  return session.value.term_fields?.[taxonomy.slug] || taxonomy.rest_base;
}

/** Return the states that items may be in, by name. */
export function statuses() {
  return once("statuses", async () => (await request("/statuses")).data);
}

/** Return the routes below the API, as a set of their paths with `*` in place of a name. */
export function routes() {
  return once("routes", async () => {
    const {data} = await request("");
    const found = new Set();
    for (const path of Object.keys(data.routes || {})) {
      found.add(path.replace(/\(\?P<[^>]*>[^)]*\)/g, "*").replace(/^\/[^/]+\/[^/]+/, ""));
    }
    return found;
  });
}

/** Return the address of the site's front end. */
export function home() {
  return once("home", async () => {
    const answer = await fetch(`${session.value.root}?_fields=home`, {credentials: "same-origin"});
    return (await answer.json()).home || "";
  });
}

/** Return the terms of a taxonomy, read anew after `forget`. */
export function termsOf(base) {
  return once(`terms ${base}`, () => requestAll(`/${base}`, {orderby: "name", order: "asc"}, 20));
}

export function forget(key) {
  read.delete(key);
}

/** Return the accounts that may be chosen as authors, empty where the account may not list them. */
export function accounts() {
  return once("accounts", () => requestAll("/users", {orderby: "name", order: "asc"}, 5).catch(() => []));
}

/** Return the type whose items a path lists, undefined where it is none of content. */
export async function typeOf(base) {
  return Object.values(await types()).find((type) => type.rest_base === base);
}
