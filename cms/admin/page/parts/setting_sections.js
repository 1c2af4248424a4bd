// The sections of the settings: those of the core by what they are about, and one for each plugin that has some.
import {session} from "../api.js";
import {t} from "../texts.js";
import {spelled} from "./labels.js";

const CORE = {
  site: ["title", "description", "url", "email", "language"],
  dates: ["timezone", "date_format", "time_format", "start_of_week"],
  writing: ["use_smilies", "default_category", "default_post_format", "posts_per_page"],
  comments: ["default_comment_status", "default_ping_status"],
};

/** Return `[{id, title, names}]` of the fields of the settings, none of them empty. */
export function settingSections(fields) {
  const left = new Set(Object.keys(fields));
  const found = [];
  const take = (id, title, names) => {
    const own = names.filter((name) => left.delete(name));
    if (own.length) found.push({id, title, names: own});
  };
  for (const [id, names] of Object.entries(CORE)) take(id, titles()[id], names);
  // Of two plugins whose names begin alike the longer one is meant.
  const plugins = [...(session.value.plugins || [])].sort((one, other) => other.length - one.length);
  for (const plugin of plugins) take(`of-${plugin}`, spelled(plugin), [...left].filter((name) => name.startsWith(`${plugin}_`)));
  take("others", t("Further settings"), [...left]);
  return found;
}

function titles() {
  return {site: t("The site"), dates: t("Dates and times"), writing: t("Writing and reading"), comments: t("Comments")};
}
