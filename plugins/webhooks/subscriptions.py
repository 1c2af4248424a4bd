"""Subscriptions as a resource: who may manage them, what they are made of, and the secret that is shown once."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import orjson
from marshmallow import ValidationError

from cms.plugin import (
    ALWAYS,
    NEVER,
    PAGING,
    VIEW_EDIT,
    Arguments,
    ArgumentSchema,
    Boolean,
    ContextArgs,
    DateTime,
    Deliveries,
    Draft,
    Integer,
    Item,
    ItemSchema,
    List,
    Principal,
    Resource,
    ResourceRules,
    Site,
    String,
    Text,
    _,
)

from .store import PLUGIN, Webhook, WebhookRow
from .targets import Targets

NAME = "webhook"
CAPABILITY = "manage_webhooks"
LONGEST_URL, LONGEST_DESCRIPTION = 2_000, 1_000
MOST_PATTERNS, LONGEST_PATTERN = 50, 100
#: The code for one that isn't there.
MISSING = {404: ("rest_webhook_invalid_id",)}
PATTERN = re.compile(r"[a-z0-9_*-]+(\.[a-z0-9_*-]+)*", re.ASCII)
SECRET = re.compile(r"[!-~]{16,200}", re.ASCII)
UNSEEN = re.compile(r"[\x00-\x20\x7f]")


class Address(String):
    """Where deliveries go; what it leads to is looked at before it is stored."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs)).strip()
        if UNSEEN.search(text):
            message = _(
                "This must be an address of %(most)s characters at most, without spaces.", most=LONGEST_URL
            )
            raise ValidationError([message])
        return text


class Patterns(List):
    """Names of events, or patterns in which an asterisk stands for any characters."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> list[str]:
        found = list(dict.fromkeys(super()._deserialize(value, attr, data, **kwargs)))
        for each in found:
            if not PATTERN.fullmatch(each):
                message = _(
                    "%(name)s isn't the name of an event, or a pattern such as post.* or *.deleted.",
                    name=each[:LONGEST_PATTERN],
                )
                raise ValidationError([message])
        if not 0 < len(found) <= MOST_PATTERNS:
            raise ValidationError(
                [_("This must hold from 1 to %(most)s names or patterns.", most=MOST_PATTERNS)]
            )
        return found


class Secret(String):
    """What deliveries are signed with; empty for one that the site makes."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if text and not SECRET.fullmatch(text):
            raise ValidationError([_("A secret has 16 to 200 signs of ASCII, and no spaces.")])
        return text


def _patterns(row: WebhookRow, _page: object) -> list[str]:
    patterns: list[str] = orjson.loads(row["events"])
    return patterns


class WebhookSchema(ItemSchema):
    """The fields of a subscription."""

    id = Integer(_("Number that identifies the webhook."), ALWAYS, readonly=True)
    url = Address(
        _("Where events are delivered to, by POST."),
        ALWAYS,
        required=True,
        format="uri",
        max_length=LONGEST_URL,
    )
    events = Patterns(
        _("Which events are delivered: names such as post.published, or patterns such as post.* or *."),
        ALWAYS,
        required=True,
        items=String(Text(""), max_length=LONGEST_PATTERN),
        columns=("events",),
        read=_patterns,
    )
    active = Boolean(
        _("Whether events are delivered. A receiver that answers 410 makes it false."),
        ALWAYS,
        default=True,
        column="active",
    )
    description = String(
        _("What the webhook is for."), VIEW_EDIT, default="", null="", max_length=LONGEST_DESCRIPTION
    )
    secret = Secret(
        _(
            "What deliveries are signed with; without one the site makes it. It is shown once, in the "
            "answer to the creation."
        ),
        NEVER,
    )
    created = DateTime(
        _("When the webhook was made, in GMT."), VIEW_EDIT, readonly=True, column="created_gmt"
    )


class WebhookListArgs(ArgumentSchema):
    """The arguments of the list of subscriptions."""

    context = ContextArgs._declared_fields["context"]
    page, per_page = PAGING["page"], PAGING["per_page"]
    active = Boolean(
        _("Only webhooks that are active, or only those that aren't."),
        where=Webhook.active.__eq__,
    )
    order = String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc")
    orderby = String(_("What the list is ordered by."), enum=("id", "url"), default="id")


class WebhookRules(ResourceRules[WebhookRow]):
    """The rules of subscriptions: all operations take the same capability."""

    not_found = ("rest_webhook_invalid_id", _("There is no webhook with this id."))
    exists_code = "rest_webhook_exists"
    refusals = dict.fromkeys(
        ("create", "update", "delete"), ("rest_forbidden", _("You may not manage webhooks."))
    )
    orders: Mapping[str, Any] = {"id": Webhook.id, "url": Webhook.url}

    @cached_property
    def targets(self) -> Targets:
        """Where deliveries may go."""
        return Targets(self.site.config)

    @property
    def deliveries(self) -> Deliveries:
        """What is delivered to subscriptions."""
        return self.services.outbox.deliveries(PLUGIN)

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may manage webhooks."""
        return principal.may(CAPABILITY)

    def may_update(self, principal: Principal, row: WebhookRow) -> bool:
        """Tell whether the principal may manage webhooks."""
        return principal.may(CAPABILITY)

    def may_delete(self, principal: Principal, row: WebhookRow) -> bool:
        """Tell whether the principal may manage webhooks."""
        return principal.may(CAPABILITY)

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for those who may not manage webhooks."""
        self.check_create(args, principal)

    def check_read(self, row: WebhookRow, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for those who may not manage webhooks."""
        self.check_update(row, args, principal)

    def prepare(self, args: Arguments, row: WebhookRow | None, principal: Principal, file: object) -> None:
        """Check a new address, before the transaction since it looks names up; raises InvalidParams."""
        if "url" in args:
            self.targets.check(args["url"])

    def after_create(self, item: Item) -> Item:
        """Return the answer to a creation, which shows the secret this once."""
        fields = dict(item.data)
        links = fields.pop("_links", None)
        fields["secret"] = item.row["secret"]
        if links is not None:
            fields["_links"] = links
        return replace(item, data=fields)

    def draft(
        self, args: Arguments, row: WebhookRow | None, principal: Principal, ready: object = None
    ) -> Draft:
        """Return the columns of a write; an empty secret is one for the site to make."""
        draft = super().draft(args, row, principal, ready)
        columns = draft.columns
        if "events" in columns:
            columns["events"] = orjson.dumps(columns["events"]).decode()
        if columns.get("secret") == "" or row is None:
            columns["secret"] = columns.get("secret") or new_secret()
        if row is None:
            columns["created_gmt"] = self.site.now()
        return draft

    def insert(self, draft: Draft, principal: Principal) -> int:
        """Store a subscription; nothing is sent to one that isn't active."""
        id = super().insert(draft, principal)
        self._follow(id, draft)
        return id

    def update(self, row: WebhookRow, draft: Draft, principal: Principal) -> None:
        """Store changes; what waits for one that becomes inactive waits until it is active again."""
        super().update(row, draft, principal)
        self._follow(row["id"], draft)

    def delete(self, row: WebhookRow, args: Arguments, principal: Principal) -> None:
        """Delete a subscription with all its deliveries."""
        super().delete(row, args, principal)
        self.deliveries.forget(str(row["id"]))

    def _follow(self, id: int, draft: Draft) -> None:
        """Pause or resume the deliveries to a subscription as it is active or not."""
        if "active" in draft.columns:
            change = self.deliveries.resume if draft.columns["active"] else self.deliveries.pause
            change(str(id))


def targets_of(site: Site) -> Targets:
    """Return where a site may deliver to; raises ConfigError where its configuration is wrong."""
    return cast(WebhookRules, site.operations[NAME].rules).targets


def new_secret() -> str:
    """Return a secret of 256 random bits."""
    return f"whsec_{secrets.token_urlsafe(32)}"


def webhook() -> Resource:
    """Return the resource of subscriptions."""
    return Resource(
        NAME,
        "webhooks",
        Webhook,
        WebhookSchema,
        WebhookListArgs,
        WebhookRules,
        _("Webhooks"),
        once=("secret",),
        codes={400: ("rest_webhook_exists",), **MISSING},
    )
