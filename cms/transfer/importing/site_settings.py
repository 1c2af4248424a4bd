"""The site's own name, language and time zone, taken from an export where nobody has set them yet."""

from __future__ import annotations

from cms.resources.settings import as_html, known_zone
from cms.site import Site
from cms.transfer.wxr.extension import More, text_of
from cms.transfer.wxr.records import SiteInfo


def take_identity(site: Site, file: SiteInfo) -> dict[str, str]:
    """Store what the export says of its site, and return it; a setting that was ever written stays as it is.

    Call it at the end of an import: settings that were read before stay in memory until the database changes.
    """
    written = {row["name"] for row in site.database.rows("SELECT name FROM options")}
    told = {
        "title": as_html(file.title),
        "description": as_html(file.description),
        "language": _language(site, file.language),
        "timezone": _zone(file.more),
    }
    taken = {
        name: value
        for name, value in told.items()
        if value and name not in written and value != site.settings[name]
    }
    site.settings.write(taken)
    return taken


def _language(site: Site, told: str) -> str:
    """Return the code of a language that the site speaks, or nothing; `id` is enough for `id_ID`."""
    codes = [locale.code for locale in site.content_registry.locales.values()]
    wanted = told.replace("-", "_").lower()
    return next(
        (code for code in codes if wanted and wanted in (code.lower(), code.lower().partition("_")[0])), ""
    )


def _zone(more: More) -> str:
    name = text_of(more, "timezone")
    return name if name and known_zone(name) else ""
