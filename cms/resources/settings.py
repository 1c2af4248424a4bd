"""The site's settings as a resource: one item that administrators read and change."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import datetime, tzinfo
from functools import partial
from typing import Any

from marshmallow import ValidationError

from cms.call import Call
from cms.dates import to_gmt, zone, zone_names
from cms.errors import InvalidParams
from cms.i18n import Text, _
from cms.operations.serialize import SerializationContext
from cms.rendering.markup import strip_tags
from cms.resources.users.schema import Email
from cms.schema.content_types import COMMENT_STATUSES, FORMATS, ContentRegistry
from cms.schema.endpoint import GET, UPDATE, Answer, Endpoint, Route
from cms.schema.fields import VIEW, Boolean, Field, Integer, String
from cms.schema.resource import SerializedItem
from cms.schema.schemas import ArgumentSchema, ItemSchema, Loader, loader_of, writable

CAPABILITY = "manage_options"
ALLOWED = ("GET", *UPDATE)
#: What the hooks of plugins know the settings as.
NAME = "settings"
#: What each language may have of its own.
LOCALIZED = ("title", "description")
UTC_NAME = "UTC"
OFFSET = re.compile(r"UTC[+-](0?[0-9]|1[0-4])(:[0-5][0-9])?")


class Zone(String):
    """A time zone by its name, or an offset such as UTC+5:30; empty for GMT."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if text and known_zone(text) is None:
            raise ValidationError(
                [_("This must be a zone such as Asia/Jakarta, or an offset such as UTC+5:30.")]
            )
        return text


def known_zone(name: str) -> tzinfo | None:
    """Return a time zone, or None where there is none of this name."""
    # Each start checks the default, and shouldn't look for the files of all zones.
    if name == UTC_NAME or OFFSET.fullmatch(name) or name in zone_names():
        return zone(name)
    return None


def core_settings() -> dict[str, Field]:
    """Return the settings of every site; one that is sent as null takes its default, or else what is given here."""
    return {**_general_settings(), **_reading_settings(), **_discussion_settings()}


def _general_settings() -> dict[str, Field]:
    return {
        "title": String(_("Name of the site."), default="A new site", null=None),
        "description": String(_("In a few words, what the site is about."), default="", null=None),
        # Addresses come from the configuration alone: a site that could be moved by a request could be lost by one.
        "url": String(
            _("Address of the site; the configuration sets it, a value sent here must equal it."), default=""
        ),
        "email": Email(_("Address for messages about the site, such as on new accounts."), default=""),
        "timezone": _usual(Zone, _("A city in the site's time zone."), UTC_NAME),
        "date_format": _usual(String, _("How front ends write dates."), "F j, Y"),
        "time_format": _usual(String, _("How front ends write times."), "g:i a"),
        "start_of_week": _usual(
            Integer, _("Day on which the week begins; 0 is Sunday."), 1, minimum=0, maximum=6
        ),
        "language": _usual(String, _("Language of the site."), "en_US"),
    }


def _reading_settings() -> dict[str, Field]:
    return {
        "use_smilies": _usual(Boolean, _("Whether emoticons are shown as emoji."), True),
        "default_category": _usual(Integer, _("Category of posts that are given none."), 1),
        "default_post_format": String(_("Format of posts that are given none."), default="0"),
        "posts_per_page": _usual(Integer, _("How many posts a page of the site shows at most."), 10),
    }


def _discussion_settings() -> dict[str, Field]:
    return {
        "default_ping_status": _usual(
            String,
            _("Whether new posts take notices of sites that link to them."),
            "open",
            enum=COMMENT_STATUSES,
        ),
        "default_comment_status": _usual(
            String, _("Whether new posts take comments."), "open", enum=COMMENT_STATUSES
        ),
    }


def _usual(kind: Any, description: Text, default: Any, **options: Any) -> Field:
    """Return a setting that a sent null brings back to its default."""
    field: Field = kind(description, default=default, null=default, **options)
    return field


def serialize_settings(call: Call) -> SerializedItem:
    """Return all settings in the order of their declaration."""
    site, language = call.site, call.principal.language
    stored = {**site.settings.all(), "url": site.url}
    for name in LOCALIZED:
        stored[name] = site.settings.localized(name, language)
    item = {name: stored[name] for name in site.content_registry.settings}
    page = SerializationContext(
        site.context,
        site.renderer,
        call.principal,
        VIEW,
        [stored],
        site.now(),
        wanted=call.args.get("_fields"),
    )
    return site.hooks.prepare_items(NAME, [item], page)[0]


def _get(call: Call) -> Answer:
    call.site.hooks.check_permission(call.principal, "read", NAME)
    return Answer(serialize_settings(call), allow=ALLOWED)


def _update(loader: Loader, call: Call) -> Answer:
    site = call.site
    site.hooks.check_permission(call.principal, "update", NAME)
    present = {"id": 0, **site.settings.all()}
    wanted = site.hooks.before_write("update", NAME, call.args, present, call.principal, loader)
    with site.database.write():
        before = {"id": 0, **site.settings.all()}
        stored = _to_store(call, wanted)
        site.settings.write(stored)
        site.notifier.notify("update", NAME, {**before, **stored}, before, call.principal)
    return Answer(serialize_settings(call), allow=ALLOWED)


def _to_store(call: Call, wanted: Mapping[str, Any]) -> SerializedItem:
    """Return the settings to store by name; raises InvalidParams for values that can't be."""
    site, language = call.site, call.principal.language
    sent = {}
    for name, value in wanted.items():
        if name in site.content_registry.settings:
            sent[name] = to_gmt(value, site.settings.zone) if isinstance(value, datetime) else value
    _check(call, sent)
    sent.pop("url", None)
    stored = {}
    for name, value in sent.items():
        key = f"{name}:{language}" if language and name in LOCALIZED else name
        stored[key] = _cleaned(name, value)
    return stored


def _check(call: Call, sent: SerializedItem) -> None:
    """Refuse values that name something which isn't there, all of them together."""
    faults = {}
    languages = {locale.code for locale in call.site.content_registry.locales.values()}
    if sent.get("language") and sent["language"] not in languages:
        faults["language"] = _("This must be one of: %(allowed)s.", allowed=", ".join(sorted(languages)))
    if sent.get("default_post_format", "0") not in ("0", *FORMATS):
        faults["default_post_format"] = _("This must be one of: %(allowed)s.", allowed=", ".join(FORMATS))
    if "default_category" in sent and not call.site.stores.terms.exists(sent["default_category"], "category"):
        faults["default_category"] = _(
            "This must be the id of a category. The list of categories has them all."
        )
    if sent.get("url", call.site.url).rstrip("/") != call.site.url:
        faults["url"] = _("The address is set in the configuration (url); it is %(url)s.", url=call.site.url)
    if faults:
        raise InvalidParams(faults)


def as_html(text: str) -> str:
    """Return a text in the form in which the site's title and tagline are stored."""
    return html.escape(text).replace("&#x27;", "&#039;")


def _cleaned(name: str, value: Any) -> Any:
    if name in LOCALIZED and value is not None:
        return as_html(html.unescape(value))
    if name in ("date_format", "time_format"):
        return strip_tags(value)
    if name == "posts_per_page":
        return abs(value) or 1
    return value


def settings_route(content_registry: ContentRegistry) -> Route:
    """Return the route, with all settings of the site."""
    schema = type("SettingsSchema", (ItemSchema,), dict(content_registry.settings))
    changes = writable(schema, creating=False)
    return Route(
        "/settings",
        (
            Endpoint(GET, _get, CAPABILITY, ArgumentSchema),
            Endpoint(UPDATE, partial(_update, loader_of(changes)), CAPABILITY, changes),
        ),
        schema=schema,
        title="settings",
    )
