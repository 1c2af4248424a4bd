"""What application passwords look like, and what is sent to make and change them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from marshmallow import ValidationError

from cms.plugin import (
    ALL_SCOPES,
    ALWAYS,
    EDIT_ONLY,
    MAX_NAME_LENGTH,
    SCOPES,
    VIEW_EDIT,
    ArgumentSchema,
    Boolean,
    DateTime,
    Integer,
    ItemSchema,
    String,
    Text,
    _,
    plain_line,
    writable,
)


class Uuid(String):
    """An identifier in the form of a UUID, or nothing."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            return str(UUID(text)) if text else ""
        except ValueError:
            raise ValidationError([_("This must be a UUID.")]) from None


class Name(String):
    """A name of more than space and markup."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> Any:
        name = plain_line(super()._deserialize(value, attr, data, **kwargs))
        if not name or len(name) > MAX_NAME_LENGTH:
            raise ValidationError(
                [_("This must be a name of %(most)s characters at most.", most=MAX_NAME_LENGTH)]
            )
        return name


class PasswordSchema(ItemSchema):
    """The fields of an application password."""

    uuid = String(_("Identifier of the application password."), ALWAYS, readonly=True, format="uuid")
    app_id = Uuid(
        _("UUID by which the application knows itself again; given when the password is made."),
        ALWAYS,
        format="uuid",
        answer=String(Text("")),
    )
    name = Name(_("What the application password is for."), ALWAYS, required=True)
    password = String(
        _("The password itself; only in the answer that made it."),
        EDIT_ONLY,
        readonly=True,
        optional=True,
        read=lambda row, page: row.get("password"),
    )
    created = DateTime(
        _("When the application password was made, in GMT."), VIEW_EDIT, readonly=True, column="created_gmt"
    )
    last_used = DateTime(
        _("When it was last used, in GMT; null where that isn't known."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        column="used_gmt",
    )
    last_ip = String(
        _("From which address it was last used; null where that isn't known."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        column="used_from",
    )
    scope = String(
        _("What it opens: read changes nothing, all may do what the account may."),
        VIEW_EDIT,
        enum=SCOPES,
        default=ALL_SCOPES,
    )
    expires = DateTime(
        _("When it stops working, in GMT; null for never."), VIEW_EDIT, nullable=True, column="expires_gmt"
    )


class RevocationSchema(ItemSchema):
    """What revoking all of them is answered with."""

    deleted = Boolean(_("Always true."), ALWAYS, readonly=True)
    count = Integer(_("How many have been revoked."), ALWAYS, readonly=True)


CREATION_ARGS = writable(PasswordSchema, creating=True)


class RenameArgs(ArgumentSchema):
    """The argument of changing an application password: nothing but its name can be changed."""

    name = writable(PasswordSchema, creating=False)._declared_fields["name"]
