"""Accounts: their fields and the arguments of their list."""

from __future__ import annotations

import hashlib

import orjson
from marshmallow import ValidationError

from cms.access.capabilities import capabilities_of
from cms.db.models import User
from cms.i18n import Text, _
from cms.operations.results import Row
from cms.operations.serialize import SerializationContext
from cms.rendering.plain import encode_slug
from cms.resources.accounts import (
    MAX_DESCRIPTION_BYTES,
    MAX_EMAIL_LENGTH,
    MAX_LOGIN_LENGTH,
    MAX_NAME_LENGTH,
    MAX_URL_LENGTH,
    is_email,
    is_login,
)
from cms.resources.content.list_args import slug_filter
from cms.resources.own_addresses import with_own_files
from cms.resources.users.rules import UserRules
from cms.schema.content_types import ContentRegistry
from cms.schema.fields import (
    ALWAYS,
    EDIT_ONLY,
    NEVER,
    VIEW_EDIT,
    Boolean,
    DateTime,
    Field,
    Ids,
    Integer,
    List,
    Object,
    SearchText,
    String,
)
from cms.schema.resource import Resource
from cms.schema.schemas import PAGING, ArgumentSchema, ContextArgs, ItemSchema, arguments, extend, fields_of

AVATAR_SIZES = (24, 48, 96)
#: More than anybody types, so that hashing one takes the usual time.
MAX_PASSWORD_BYTES = 4096


class Email(String):
    """An e-mail address."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not is_email(text):
            raise ValidationError([_("This must be an e-mail address.")])
        return text


class Login(String):
    """The name that an account signs in with."""

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not is_login(text):
            raise ValidationError(
                [_("This may hold Latin letters, digits, single spaces and the signs _ . - @.")]
            )
        return text


class Password(String):
    """A password to set; it is never shown."""

    exact = True

    def _deserialize(self, value: object, attr: str | None, data: object, **kwargs: object) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not text or "\\" in text:
            raise ValidationError([_("A password can't be empty or hold a backslash.")])
        return text


def avatars(name: str) -> dict[str, str]:
    """Return addresses of pictures by size, for whom or what goes by this name.

    The name isn't an e-mail address: a digest of one would let anybody test guesses of it.
    """
    address = f"https://secure.gravatar.com/avatar/{hashlib.sha256(name.encode()).hexdigest()}?d=identicon&s="
    return {str(size): f"{address}{size}" for size in AVATAR_SIZES}


def avatar_properties() -> dict[str, Field]:
    """Return what an object with addresses of pictures holds."""
    return {
        str(size): String(_("Address of the picture with %(size)s pixels.", size=size), format="uri")
        for size in AVATAR_SIZES
    }


def _capabilities(row: Row, page: SerializationContext) -> dict[str, bool]:
    roles = tuple(orjson.loads(row["roles"]))
    return dict.fromkeys((*sorted(capabilities_of(roles, page.site.roles)), *roles), True)


def _own_capabilities(row: Row, page: SerializationContext) -> dict[str, bool]:
    return dict.fromkeys(orjson.loads(row["roles"]), True)


def _avatars(row: Row, page: SerializationContext) -> dict[str, str]:
    return avatars(f"{page.site.url}/users/{row['id']}")


class UserSchema(ItemSchema):
    """The fields of an account."""

    id = Integer(_("Number that identifies the account."), ALWAYS, readonly=True)
    username = Login(
        _("Name that the account signs in with."),
        EDIT_ONLY,
        required=True,
        example="ayu",
        column="login",
        max_length=MAX_LOGIN_LENGTH,
        too_long="user_login_too_long",
    )
    name = String(_("Name that is shown."), ALWAYS, max_length=MAX_NAME_LENGTH)
    first_name = String(_("First name."), EDIT_ONLY, max_length=MAX_NAME_LENGTH)
    last_name = String(_("Last name."), EDIT_ONLY, max_length=MAX_NAME_LENGTH)
    email = Email(
        _("E-mail address of the account."),
        EDIT_ONLY,
        required=True,
        max_length=MAX_EMAIL_LENGTH,
        example="ayu@example.org",
    )
    url = String(
        _("Address of the account's own site."),
        ALWAYS,
        max_length=MAX_URL_LENGTH,
        too_long="user_url_too_long",
        columns=("url",),
        read=with_own_files("url"),
    )
    description = String(
        _("What the person says about themselves; HTML."),
        ALWAYS,
        max_bytes=MAX_DESCRIPTION_BYTES,
        columns=("description",),
        read=with_own_files("description"),
    )
    link = String(
        _("Where a front end lists what the person wrote."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("slug",),
        read=lambda row, page: f"{page.site.front_url}/author/{encode_slug(row['slug'])}/",
    )
    locale = String(
        _("Language of the account."),
        EDIT_ONLY,
        columns=("locale",),
        read=lambda row, page: row["locale"] or page.site.settings["language"],
    )
    nickname = String(_("Nickname."), EDIT_ONLY, max_length=MAX_NAME_LENGTH)
    slug = String(
        _("Name of the account in addresses."),
        ALWAYS,
        columns=("slug",),
        read=lambda row, page: encode_slug(row["slug"]),
    )
    registered_date = DateTime(
        _("When the account was made."),
        EDIT_ONLY,
        format="date-time",
        readonly=True,
        columns=("registered_gmt",),
        read=lambda row, page: f"{row['registered_gmt']}+00:00",
    )
    roles = List(
        _("Roles of the account."),
        EDIT_ONLY,
        columns=("roles",),
        read=lambda row, page: orjson.loads(row["roles"]),
    )
    capabilities = Object(
        _("What the account may do, and its roles, by name."),
        EDIT_ONLY,
        readonly=True,
        values=Boolean(Text("")),
        columns=("roles",),
        read=_capabilities,
    )
    extra_capabilities = Object(
        _("What was given to the account itself: its roles, by name."),
        EDIT_ONLY,
        readonly=True,
        values=Boolean(Text("")),
        columns=("roles",),
        read=_own_capabilities,
    )
    password = Password(
        _("Password of the account; it is never shown."),
        NEVER,
        required=True,
        max_bytes=MAX_PASSWORD_BYTES,
        example="seven quiet herons",
    )
    avatar_urls = Object(
        _("Addresses of pictures for the account, by size in pixels."),
        ALWAYS,
        properties=avatar_properties(),
        readonly=True,
        columns=("id",),
        read=_avatars,
    )
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


#: The arguments of the list of accounts.
LIST_ARGS: dict[str, Field] = {
    "context": fields_of(ContextArgs)["context"],
    **PAGING,
    "search": SearchText(_("Only accounts whose name, slug or address of a site hold this.")),
    "exclude": Ids(_("All accounts but these."), default=[], where=User.id.not_in),
    "include": Ids(_("Only these accounts."), default=[], where=User.id.in_),
    "offset": Integer(_("How many accounts of the whole list to skip."), minimum=0),
    "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc"),
    "orderby": String(
        _("What the list is ordered by."),
        default="name",
        enum=("id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url"),
    ),
    "slug": slug_filter(User.slug.in_),
    "roles": List(_("Only accounts with one of these roles: a list, or a text with commas.")),
}


class UserDeleteArgs(ArgumentSchema):
    """The arguments of deleting an account."""

    force = Boolean(_("Must be true: accounts have no trash."), default=False)
    reassign = Integer(
        _("Id of the account that takes over what the deleted one wrote."), required=True, minimum=1
    )


def user(content_registry: ContentRegistry) -> Resource:
    """Return the resource of accounts; they choose among the languages of the site, or none for its own."""
    languages = ("", *(locale.code for locale in content_registry.locales.values()))
    schema = extend(UserSchema, {"locale": fields_of(UserSchema)["locale"].copy(enum=languages)})
    return Resource(
        "user",
        "users",
        User,
        schema,
        arguments("UserListArgs", LIST_ARGS),
        UserRules,
        _("Users"),
        delete_args=UserDeleteArgs,
    )
