"""The site's own name, language and time zone, taken from an export where nobody has set them yet."""

from __future__ import annotations

from cms.resources.settings import as_html, known_zone
from cms.site import Site
from cms.transfer.importing.bounds import bound_of
from cms.transfer.importing.context import ImportContext
from cms.transfer.wxr.extension import More, text_of
from cms.transfer.wxr.records import SiteInfo


def import_settings(importing: ImportContext, file: SiteInfo) -> dict[str, str]:
    """Store what the export says of its site, and return it; a setting that was ever written stays as it is.

    Call it at the end of an import: settings that were read before stay in memory until the database changes.
    """
    site = importing.site
    written = site.settings.written_names()
    wanted = {
        "title": _text(importing, "title", file.title),
        "description": _text(importing, "description", file.description),
        "language": _find_language(site, file.language),
        "timezone": importing.zone_name,
    }
    imported = {}
    for name, value in wanted.items():
        if value and name not in written and value != site.settings[name]:
            imported[name] = value
    site.settings.write(imported)
    return imported


def _text(importing: ImportContext, name: str, sent: str) -> str:
    site = importing.site
    text, bound = as_html(sent), bound_of(site.content_registry.settings[name], site.config)
    if bound is None or bound.holds(text):
        return text
    importing.warn(1, f"the site's {name} {bound.tell(text)}; it was cut")
    return bound.cut(text, str.strip)


def _find_language(site: Site, name: str) -> str:
    """Return the code of a language that the site has, or nothing; `id` is enough for `id_ID`."""
    wanted = name.replace("-", "_").lower()
    if not wanted:
        return ""
    for locale in site.content_registry.locales.values():
        code = locale.code.lower()
        if wanted in (code, code.partition("_")[0]):
            return locale.code
    return ""


def find_zone(extension: More) -> str:
    """Return the zone that an export of this system names, empty where it names none."""
    name = text_of(extension, "timezone")
    return name if name and known_zone(name) else ""
