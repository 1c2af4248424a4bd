// What fields and values are called for people; what isn't here is called by its title in the schema, or by its name.
import {t} from "../texts.js";

/** Return what a field is called. */
export function labelOf(name, schema = {}) {
  return schema.title || words()[name] || spelled(name);
}

/** Return a technical name as words. */
export function spelled(name) {
  const text = String(name).replace(/[_-]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return what a state is called, with those that lists of states don't have. */
export function stateName(name, statuses = {}) {
  const others = {any: t("All"), hold: t("Waiting"), approved: t("Approved"), approve: t("Approved"), spam: t("Spam"), trash: t("Trash"),
    inherit: t("As its item")};
  return statuses[name]?.name || others[name] || spelled(name);
}

/** Return what a role is called; those of plugins have their own names. */
export function roleName(name) {
  const known = {administrator: t("Administrator"), editor: t("Editor"), author: t("Writer"), contributor: t("Contributor"), subscriber: t("Subscriber")};
  return known[name] || spelled(name);
}

function words() {
  return {
    title: t("Title"), content: t("Text"), excerpt: t("Excerpt"), slug: t("Name in addresses"), status: t("State"), date: t("Date"),
    date_gmt: t("Date (GMT)"), modified: t("Changed"), author: t("Author"), featured_media: t("Featured picture"), sticky: t("Pinned to the front"),
    format: t("Format"), parent: t("Item above"), menu_order: t("Position"), template: t("Template"), password: t("Password"),
    comment_status: t("Comments"), ping_status: t("Notices of links"), meta: t("Further values"), categories: t("Categories"), tags: t("Tags"),
    name: t("Name"), description: t("Description"), count: t("Items"), username: t("Username"), first_name: t("First name"),
    last_name: t("Last name"), nickname: t("Nickname"), email: t("E-mail address"), url: t("Address"), locale: t("Language"), roles: t("Roles"),
    registered_date: t("Registered"), alt_text: t("Alternative text"), caption: t("Caption"), post: t("Belongs to"), media_type: t("Kind"),
    mime_type: t("File type"), author_name: t("Name"), author_email: t("E-mail address"), author_url: t("Address"), timezone: t("Time zone"),
    date_format: t("Format of dates"), time_format: t("Format of times"), start_of_week: t("First day of the week"), language: t("Language"),
    use_smilies: t("Emoticons as emoji"), default_category: t("Category without a choice"), default_post_format: t("Format without a choice"),
    posts_per_page: t("Items on a page"), default_ping_status: t("Notices of links"), default_comment_status: t("Comments"),
    after: t("After"), before: t("Before"), events: t("Events sent"), active: t("Active"), secret: t("Secret"), id: t("Number"), link: t("Address"),
    author_ip: t("IP address"), author_user_agent: t("Browser"), type: t("Kind"), hide_empty: t("Without empty ones"),
  };
}
