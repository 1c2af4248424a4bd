"""Subscriptions as a resource: who may manage them, what they are made of, and the secret that is shown once."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import orjson
from marshmallow import ValidationError
from peewee import AutoField, IntegerField, Model, TextField

from cms import _
from cms.access.capabilities import Principal
from cms.media.uploads import OpenUpload
from cms.operations.crud import Operations
from cms.operations.results import Item
from cms.schema.fields import ALWAYS, NEVER, VIEW_EDIT, Boolean, DateTime, Integer, List, String
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import PAGING, ArgumentSchema, ContextArgs, ItemSchema

from .targets import Targets

NAME = "webhook"
CAPABILITY = "manage_webhooks"
LONGEST_URL, LONGEST_DESCRIPTION = 2_000, 1_000
MOST_PATTERNS, LONGEST_PATTERN = 50, 100
PATTERN = re.compile(r"[a-z0-9_*-]+(\.[a-z0-9_*-]+)*", re.ASCII)
SECRET = re.compile(r"[!-~]{16,200}", re.ASCII)
UNSEEN = re.compile(r"[\x00-\x20\x7f]")


class Webhook(Model):
    """A subscription; `events` is a JSON list of patterns."""

    id = AutoField()
    url = TextField()
    events = TextField()
    description = TextField()
    active = IntegerField()
    secret = TextField()
    created_gmt = TextField()
    meta = TextField(default="{}")
    version = IntegerField(default=1)

    class Meta:
        table_name = "webhooks"


class Address(String):
    """Where deliveries go; what it leads to is looked at before it is stored."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs)).strip()
        if UNSEEN.search(text) or len(text) > LONGEST_URL:
            message = _(
                "This must be an address of %(most)s characters at most, without spaces.", most=LONGEST_URL
            )
            raise ValidationError([message])
        return text


class Patterns(List):
    """Names of events, or patterns in which an asterisk stands for any characters."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[str]:
        found = list(dict.fromkeys(super()._deserialize(value, attr, data, **kwargs)))
        wrong = next(
            (each for each in found if len(each) > LONGEST_PATTERN or not PATTERN.fullmatch(each)), None
        )
        if wrong is not None:
            message = _(
                "%(name)s isn't the name of an event, or a pattern such as post.* or *.deleted.",
                name=wrong[:LONGEST_PATTERN],
            )
            raise ValidationError([message])
        if not 0 < len(found) <= MOST_PATTERNS:
            raise ValidationError(
                [_("This must hold from 1 to %(most)s names or patterns.", most=MOST_PATTERNS)]
            )
        return found


class Secret(String):
    """What deliveries are signed with; empty for one that the site makes."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if text and not SECRET.fullmatch(text):
            raise ValidationError([_("A secret has 16 to 200 signs of ASCII, and no spaces.")])
        return text


class Description(String):
    """A note, kept as it is sent."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if len(text) > LONGEST_DESCRIPTION:
            raise ValidationError([_("This may have %(most)s characters at most.", most=LONGEST_DESCRIPTION)])
        return text


class WebhookSchema(ItemSchema):
    """The fields of a subscription."""

    id = Integer(_("Number that identifies the webhook."), ALWAYS, readonly=True)
    url = Address(_("Where events are delivered to, by POST."), ALWAYS, required=True, format="uri")
    events = Patterns(
        _("Which events are delivered: names such as post.published, or patterns such as post.* or *."),
        ALWAYS,
        required=True,
        columns=("events",),
        read=lambda row, page: orjson.loads(row["events"]),
    )
    active = Boolean(
        _("Whether events are delivered. A receiver that answers 410 makes it false."),
        ALWAYS,
        default=True,
        column="active",
    )
    description = Description(_("What the webhook is for."), VIEW_EDIT, default="", null="")
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
        where=lambda value: Webhook.active == value,
    )
    order = String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc")
    orderby = String(_("What the list is ordered by."), enum=("id", "url"), default="id")


class WebhookOperations(Operations):
    """The operations on subscriptions: all of them take the same right."""

    not_found = ("rest_webhook_invalid_id", _("There is no webhook with this id."))
    exists_code = "rest_webhook_exists"
    refusals = dict.fromkeys(
        ("create", "update", "delete"), ("rest_forbidden", _("You may not manage webhooks."))
    )
    orders: Mapping[str, Callable[[], Any]] = {"id": lambda: Webhook.id, "url": lambda: Webhook.url}

    @cached_property
    def targets(self) -> Targets:
        """Where deliveries may go."""
        return Targets(self.site.config)

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may manage webhooks."""
        return principal.may(CAPABILITY)

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may manage webhooks."""
        return principal.may(CAPABILITY)

    may_delete = may_update

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse the list to those who may not manage webhooks."""
        self.check_create(args, principal)

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse a webhook to those who may not manage it."""
        self.check_update(row, args, principal)

    def create(self, args: Arguments, principal: Principal, open_upload: OpenUpload | None = None) -> Item:
        """Store a subscription and show its secret, this once."""
        self.check_create(args, principal)
        self.targets.check(args["url"])  # outside of the transaction: it looks names up
        item = super().create(args, principal, open_upload)
        links = item.data["_links"]
        shown = {name: value for name, value in item.data.items() if name != "_links"}
        return replace(item, data={**shown, "secret": item.row["secret"], "_links": links})

    def update(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Change a subscription; another address is looked at first."""
        if "url" in args:
            self.check_update(self.find(id), args, principal)
            self.targets.check(args["url"])
        return super().update(id, args, principal, versions)

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return what to store; an empty secret is one for the site to make."""
        found = super().values(args, row, principal)
        if "events" in found:
            found["events"] = orjson.dumps(found["events"]).decode()
        if found.get("secret") == "" or row is None:
            found["secret"] = found.get("secret") or new_secret()
        return found if row is not None else {**found, "created_gmt": self.site.now()}


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
        WebhookOperations,
        _("Webhooks"),
        id_help=_("Id of the webhook."),
    )
